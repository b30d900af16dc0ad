import { setImmediate as turn } from 'node:timers/promises';
import { WorkflowError } from '../errors.ts';

/** Steps of a run that sets no limit. */
const DEFAULT_STEPS = 10_000;
/** After so many steps everything else gets its turn: steps that wait for nothing would keep it off. */
const STEPS_A_TURN = 200;

/** Counts the steps of a run, in all its threads. */
export class StepCounter {
  readonly #limit: number;
  readonly #runId: string;
  #count = 0;

  constructor(runId: string, limit: number = DEFAULT_STEPS) {
    this.#runId = runId;
    this.#limit = limit;
  }

  /**
   * @returns What to wait for, if anything: most steps begin without a turn of the event loop.
   * @throws WorkflowError with the code `limit`.
   */
  begin(path: string): Promise<void> | undefined {
    if (++this.#count > this.#limit) {
      throw new WorkflowError(
        'limit',
        `the run '${this.#runId}' has begun ${this.#limit.toLocaleString('en-US')} steps, and '${path}' would be ` +
          'one more: is there a loop without an end? Otherwise raise limits.steps',
        { context: { runId: this.#runId, path, limit: 'steps', steps: this.#limit } },
      );
    }
    return this.#count % STEPS_A_TURN === 0 ? turn() : undefined;
  }
}
