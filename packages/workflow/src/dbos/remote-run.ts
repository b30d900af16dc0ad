import type { Budget } from '@vizprompt/providers';
import type { WorkflowError } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import { EventQueue, type RunResult, WorkflowRun } from '../runtime/workflow-run.ts';

/** How often a run is seen to have ended, while no worker says anything, before nothing is expected of its worker. */
const SEEN_OFTEN = 3;

/** The same while workers say something: they may have much to say before they come to this run. */
const SEEN_VERY_OFTEN = 20;

/** The parts that a {@link RemoteRun} needs. */
interface RemoteRunOptions {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  readonly budget: Budget | undefined;
  /** Cancels the run, wherever it is. */
  readonly cancel: (reason: unknown) => void;
}

/** A run that a worker leads, as the process that started it sees it. */
export class RemoteRun {
  readonly id: string;
  readonly run: WorkflowRun;
  /** Resolves when the run is over, here. */
  readonly settled: Promise<void>;
  /** Why it was cancelled from here. */
  cancelled: WorkflowError | undefined;
  readonly #queue = new EventQueue();
  readonly #budget: Budget | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #resolve: (result: RunResult) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #isDurable = false;
  #seen = 0;
  #seenInSilence = 0;

  constructor({ id, signal, budget, cancel }: RemoteRunOptions) {
    this.id = id;
    this.#budget = budget;
    const result = new Promise<RunResult>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#signal = signal;
    this.#onAbort = () => cancel(signal?.reason);
    this.run = new WorkflowRun(id, result, this.#queue, cancel);
    this.settled = result.then(
      () => undefined,
      () => undefined,
    );
  }

  /** The run is durable, so that it can be cancelled. */
  begun(): WorkflowRun {
    this.#isDurable = true;
    if (this.#signal?.aborted) this.#onAbort();
    else this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    return this.run;
  }

  tell(event: RunEvent): void {
    this.#queue.push(event);
    if (event.type !== 'budget:settled' || !this.#budget) return;
    try {
      this.#budget.reserve(event.spending).settle(event.spending);
    } catch {
      // Others who share the budget have used it up; the run has its own part of it.
    }
  }

  done(result: RunResult): void {
    this.#end();
    this.#resolve(result);
  }

  failed(error: unknown): void {
    this.#end();
    this.#reject(error);
  }

  /**
   * The journal says that the run has ended; whether its worker has had the time to say how. One that is still being
   * written is not in the journal either.
   *
   * @param isSilent - No message has come since the last time.
   */
  seenEnded(isSilent: boolean): boolean {
    if (!this.#isDurable) return false;
    this.#seen++;
    if (isSilent) this.#seenInSilence++;
    return this.#seenInSilence >= SEEN_OFTEN || this.#seen >= SEEN_VERY_OFTEN;
  }

  #end(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#queue.end();
  }
}
