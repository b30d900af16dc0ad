import type { Step } from '../definition/step.ts';
import { allSteps, bodiesOf } from '../definition/walk-steps.ts';
import { variablesSet } from './check-definitions.ts';
import { usesOf } from './variable-uses.ts';

/** Variables that a step takes and sets, those of the steps within included. */
interface StepData {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

/** Returns the variables that a step takes and sets. */
export function dataOf(step: Step): StepData {
  const known = data.get(step);
  if (known) return known;
  const own = { reads: new Set(readBy(step)), writes: new Set(writtenBy(step)) };
  data.set(step, own);
  return own;
}

const data = new WeakMap<Step, StepData>();

function* readBy(step: Step): Generator<string> {
  for (const { step: one } of allSteps([step])) {
    for (const { name } of usesOf(one)) yield name;
    if (one.type !== 'parallel') continue;
    for (const { result } of Object.values(one.branches)) {
      if (result !== undefined) yield result.split('.')[0] ?? result;
    }
  }
}

/** The body of a loop shares the variables of the step; items and branches have variables of their own. */
function* writtenBy(step: Step): Generator<string> {
  for (const { name, path } of variablesSet(step)) {
    if (String(path.at(-1)).endsWith('_variable') || step.type === 'loop') yield name;
  }
  if (step.type !== 'loop') return;
  for (const { steps } of bodiesOf(step)) for (const one of steps) yield* writtenBy(one);
}

const orders = new WeakMap<readonly Step[], readonly (readonly number[])[]>();

/**
 * Returns, for each step of a list, the places of the earlier steps that it has to wait for: those that set a variable
 * it takes, and those that take or set a variable it sets. Dependencies that follow from others are left out. Steps that
 * take `errors` wait for all before them.
 */
export function dataOrder(steps: readonly Step[]): readonly (readonly number[])[] {
  const known = orders.get(steps);
  if (known) return known;
  const order: (readonly number[])[] = [];
  const before: ReadonlySet<number>[] = [];
  for (const [at, step] of steps.entries()) {
    const own: number[] = [];
    const all = new Set<number>();
    for (let other = at - 1; other >= 0; other--) {
      const earlier = steps[other];
      if (!earlier || all.has(other) || !mustFollow(dataOf(step), dataOf(earlier))) continue;
      own.unshift(other);
      all.add(other);
      for (const one of before[other] ?? []) all.add(one);
    }
    order.push(own);
    before.push(all);
  }
  orders.set(steps, order);
  return order;
}

function mustFollow(later: StepData, earlier: StepData): boolean {
  if (later.reads.has('errors') || earlier.reads.has('errors')) return true;
  for (const name of later.reads) if (earlier.writes.has(name)) return true;
  for (const name of later.writes) {
    if (earlier.writes.has(name) || earlier.reads.has(name)) return true;
  }
  return false;
}
