import { variablesSet } from '../check/step-rules.ts';
import type { Step } from '../definition/step.ts';
import { allSteps } from '../definition/walk-steps.ts';
import { waysOf } from './flow-graph.ts';

/** Sets of variables as bits: those that are set on every way to a place, and on some way. */
export interface State {
  readonly must: bigint;
  readonly may: bigint;
}

/** What is known of the steps of a list. */
export interface Solved {
  /** Before each step; `undefined` where no way leads. */
  readonly before: readonly (State | undefined)[];
  /** At the end of the list; `undefined` where no way leads there. */
  readonly end: State | undefined;
}

/** The bits of variables by their names. */
export class Bits {
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
export function solve(bits: Bits, steps: readonly Step[], entry: State, start: number): Solved {
  const ways = waysOf(steps);
  const before: (State | undefined)[] = steps.map(() => undefined);
  let end: State | undefined;
  const open = new Set([start]);
  before[start] = entry;
  for (const at of open) {
    open.delete(at);
    const [step, state] = [steps[at], before[at]];
    if (!step || !state) continue;
    const after = stateAfter(bits, step, state);
    for (const { to, isFailure } of ways[at] ?? []) {
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

/** A step that failed has its outputs all the same, `null` or others; its body has not. */
function stateAfterFailure(bits: Bits, step: Step, state: State): State {
  return plus(state, bits.of(step.type === 'loop' ? [] : outputsOf(step)));
}

/** The state in which the body of a step begins. */
export function entryOf(bits: Bits, step: Step, state: State): State {
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

/** The variables that a step leaves behind. */
export function outputsOf(step: Step): readonly string[] {
  return variablesSet(step).flatMap(({ name, path }) =>
    path.at(-1) === 'output_variable' ? [name] : [],
  );
}
