import { RESERVED, variablesSet } from '../check/step-rules.ts';
import { at, type WorkflowCheck } from '../check/workflow-check.ts';
import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { unknownName, type Finding, type Path } from '../problems/finding.ts';
import { Bits, entryOf, outputsOf, solve, type State } from './assignments.ts';
import { CEL_NAMES } from './cel-names.ts';
import { startOf } from './flow-graph.ts';
import { ValueCheck } from './missing-value.ts';
import { namesIn, usesOf, type Use } from './uses.ts';

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
    const isAnswers = name === 'answers' && use.path[0] === 'aggregate';
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
    // What nobody sets is told of already.
    const isKnown = names.every(({ name }) => RESERVED.has(name) || this.#setBy.has(name));
    if (!isKnown || names.some(({ name }) => changing.has(name))) return;
    this.#add([...path, 'until'], { code: 'constant-until', within: 0 });
  }

  #add(path: Path, finding: Omit<Finding, 'source' | 'path'>): void {
    this.#found.push(at(this.#check, path, finding));
  }
}
