import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work in steps of bounded size: what it yields is a place where others may have a turn. */
export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/** Maximum time of consecutive steps, in milliseconds. */
const SLICE_MS = 15;
/** Steps between two looks at the clock, which costs more than a small step. */
const STEPS = 64;

/**
 * Runs work step by step; timers, sockets and signals of the process get their turn in between.
 *
 * @throws The signal's reason.
 */
export async function inTurns<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  signal?.throwIfAborted();
  let sliceEnd = performance.now() + SLICE_MS;
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (count % STEPS > 0 || performance.now() < sliceEnd) continue;
    // oxlint-disable-next-line no-await-in-loop -- the turn of others
    await nextTurn();
    signal?.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
