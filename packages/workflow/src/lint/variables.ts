import type { Step } from '../definition/step.ts';
import { allSteps, bodiesOf } from '../definition/walk-steps.ts';
import { at, RESERVED, variablesSet, type WorkflowCheck } from '../load/check-definitions.ts';
import { type Finding, type Path, unknownName } from '../problems/finding.ts';
import { startOf, waysOf } from './flow-graph.ts';
import { ValueCheck } from './value-types.ts';
import { CEL_NAMES, namesIn, type Use, usesOf } from '../load/variable-uses.ts';

/** Variables that are asked for and not there, on all ways of a workflow, and fields that they do not have. */
export function checkVariables(check: WorkflowCheck): readonly Finding[] {
  return new VariableCheck(check).findings();
}

class VariableCheck {
  readonly #check: WorkflowCheck;
  readonly #bits = new Bits();
  readonly #setBy = new Map<string, string>();
  readonly #values: ValueCheck;
  readonly #found: Finding[] = [];

  constructor(check: WorkflowCheck) {
    this.#check = check;
    this.#values = new ValueCheck(check.workflow);
    for (const { step } of allSteps(check.workflow.steps)) {
      for (const { name } of variablesSet(step)) {
        if (!this.#setBy.has(name)) this.#setBy.set(name, step.id);
      }
      if (step.type === 'loop' && step.as === undefined) this.#setBy.set('round', step.id);
    }
  }

  findings(): readonly Finding[] {
    const { steps, initial_step: initial, output } = this.#check.workflow;
    const own = this.#bits.of(RESERVED);
    const entry = { must: own, may: own };
    const end = this.#list(steps, ['steps'], entry, startOf(steps, initial));
    if (output !== undefined && end) {
      const [name = ''] = output.split('.');
      this.#use({ name, dotted: output, path: ['output'], within: 0, isAfterBody: true }, [], end);
    }
    return this.#found;
  }

  #list(steps: readonly Step[], path: Path, entry: State, start: number): State | undefined {
    const { before, end } = solve(this.#bits, steps, entry, start);
    for (const [index, step] of steps.entries()) {
      const state = before[index];
      if (state) this.#step(step, [...path, index], state);
    }
    return end;
  }

  #step(step: Step, path: Path, state: State): void {
    let after: State | undefined = state;
    if (step.type === 'loop' || step.type === 'foreach') {
      const entry = entryOf(this.#bits, step, state);
      after = this.#list(step.steps, [...path, 'steps'], entry, 0);
    }
    if (step.type === 'parallel') {
      for (const body of bodiesOf(step)) this.#list(body.steps, [...path, ...body.path], state, 0);
    }
    for (const use of usesOf(step)) {
      const there = use.isAfterBody ? after : state;
      if (there) this.#use(use, path, there, step);
    }
    if (step.type === 'loop') this.#constantUntil(step, path);
  }

  #use(use: Use, path: Path, { must, may }: State, step?: Step): void {
    const { name, dotted, within } = use;
    const place = [...path, ...use.path];
    const isInCondition = dotted === undefined;
    if (isInCondition && CEL_NAMES.has(name)) {
      if (!this.#setBy.has(name)) return;
      this.#add(place, { code: 'hidden-name', within, words: { name } });
      return;
    }
    const isAnswers =
      (name === 'answers' && use.path[0] === 'aggregate') ||
      (name === 'team' && use.path[0] === 'members');
    const bit = this.#bits.of([name]);
    if ((must & bit) !== 0n || isAnswers) {
      this.#field(use, place);
      return;
    }
    const by = this.#setBy.get(name);
    if (by === undefined) {
      const names = unknownName(name, [...RESERVED, ...this.#setBy.keys()]);
      this.#add(place, { code: 'unknown-variable', within, ...names });
    } else if ((may & bit) !== 0n && by !== step?.id) {
      this.#add(place, { code: 'variable-maybe-unset', within, words: { name } });
    } else if ((may & bit) === 0n) {
      this.#add(place, { code: 'variable-not-yet-set', within, words: { name, by } });
    } else {
      this.#add(place, { code: 'variable-maybe-unset', within, words: { name } });
    }
  }

  #field({ dotted }: Use, place: Path): void {
    const missing = dotted === undefined ? undefined : this.#values.missing(dotted);
    if (missing) this.#add(place, missing);
  }

  #constantUntil(step: Extract<Step, { type: 'loop' }>, path: Path): void {
    if (step.until === undefined) return;
    const changing = new Set([step.as ?? 'round', 'errors']);
    for (const { step: one } of allSteps(step.steps)) {
      for (const name of outputsOf(one)) changing.add(name);
    }
    const names = namesIn(step.until);
    // A variable that no step sets is reported already.
    const isKnown = names.every(({ name }) => RESERVED.has(name) || this.#setBy.has(name));
    if (!isKnown || names.some(({ name }) => changing.has(name))) return;
    this.#add([...path, 'until'], { code: 'constant-until', within: 0 });
  }

  #add(path: Path, finding: Omit<Finding, 'source' | 'path'>): void {
    this.#found.push(at(this.#check, path, finding));
  }
}

/** Sets of variables as bits: those that are set on every way to a place, and on some way. */
interface State {
  readonly must: bigint;
  readonly may: bigint;
}

/** The known facts about the steps of a list. */
interface Solved {
  /** Before each step; `undefined` where no way leads. */
  readonly before: readonly (State | undefined)[];
  /** At the end of the list; `undefined` where no way leads there. */
  readonly end: State | undefined;
}

/** The bits of variables by their names. */
class Bits {
  readonly #bits = new Map<string, bigint>();

  of(names: Iterable<string>): bigint {
    let bits = 0n;
    for (const name of names) {
      let bit = this.#bits.get(name);
      if (bit === undefined) {
        bit = 1n << BigInt(this.#bits.size);
        this.#bits.set(name, bit);
      }
      bits |= bit;
    }
    return bits;
  }
}

/** Which variables are set before each step, over all ways. */
function solve(bits: Bits, steps: readonly Step[], entry: State, start: number): Solved {
  const ways = waysOf(steps);
  const before: (State | undefined)[] = steps.map(() => undefined);
  let end: State | undefined;
  const open = new Set([start]);
  before[start] = entry;
  for (const place of open) {
    open.delete(place);
    const [step, state] = [steps[place], before[place]];
    if (!step || !state) continue;
    const after = stateAfter(bits, step, state);
    for (const { to, isFailure } of ways[place] ?? []) {
      const given = isFailure ? stateAfterFailure(bits, step, state) : after;
      if (to === undefined) {
        end = joined(end, given);
        continue;
      }
      const next = joined(before[to], given);
      if (before[to]?.must === next.must && before[to]?.may === next.may) continue;
      before[to] = next;
      open.add(to);
    }
  }
  return { before, end };
}

function joined(one: State | undefined, other: State): State {
  return one ? { must: one.must & other.must, may: one.may | other.may } : other;
}

function stateAfter(bits: Bits, step: Step, state: State): State {
  const isSure = (step.onError ?? 'fail') === 'fail';
  if (step.type !== 'loop') {
    const after = plus(state, bits.of(outputsOf(step)));
    return isSure ? after : { must: stateAfterFailure(bits, step, state).must, may: after.may };
  }
  const { end } = solve(bits, step.steps, entryOf(bits, step, state), 0);
  if (!end) return state;
  return isSure && step.when === undefined ? end : { must: state.must, may: end.may };
}

/** Returns a step that failed has its outputs all the same, `null` or others; its body has not. */
function stateAfterFailure(bits: Bits, step: Step, state: State): State {
  return plus(state, bits.of(step.type === 'loop' ? [] : outputsOf(step)));
}

/** Returns the state in which the body of a step begins. */
function entryOf(bits: Bits, step: Step, state: State): State {
  if (step.type === 'foreach') {
    const own = step.indexAs === undefined ? [step.as] : [step.as, step.indexAs];
    return plus(state, bits.of(own));
  }
  if (step.type !== 'loop') return state;
  const round = bits.of([step.as ?? 'round']);
  // In the second round the variables of the first one are there.
  const later = bits.of([...allSteps(step.steps)].flatMap(({ step: one }) => outputsOf(one)));
  return { must: state.must | round, may: state.may | round | later };
}

function plus({ must, may }: State, own: bigint): State {
  return { must: must | own, may: may | own };
}

/** Returns the variables that a step leaves behind. */
function outputsOf(step: Step): readonly string[] {
  return variablesSet(step).flatMap(({ name, path }) =>
    String(path.at(-1)).endsWith('_variable') ? [name] : [],
  );
}
