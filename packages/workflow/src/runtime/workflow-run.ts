import type { JsonValue, Usage } from '@vizprompt/providers';
import type { Variables } from '../definition/step.ts';
import { WorkflowError } from '../errors.ts';
import type { RunEvent } from '../events.ts';

/** The result of a run. */
export interface RunResult<Output = JsonValue> {
  readonly output: Output;
  /** As they were at the end. */
  readonly variables: Variables;
  /** The sum of all steps, failed attempts included. */
  readonly usage: Usage;
  /** US dollars, where the prices of the models are known. */
  readonly costUsd?: number;
}

/**
 * A run in progress in this process. It continues with or without a reader.
 *
 * @example
 * ```ts
 * const run = await engine.start('story', 'a cat that learns to write');
 * for await (const event of run) {
 *   if (event.type === 'step:delta') process.stdout.write(event.text);
 * }
 * const { output } = await run.result;
 * ```
 */
export class WorkflowRun<Output = JsonValue> implements AsyncIterable<RunEvent> {
  readonly id: string;
  /**
   * The result of the run.
   *
   * @throws WorkflowError with the code `step-failed`, `limit`, `cancelled`, `condition-failed`, `template-failed`,
   * `recorder-failed`, or, where the run can be resumed as it is, `closed`, `conflict` or `journal-unwritable`.
   */
  readonly result: Promise<RunResult<Output>>;
  readonly #queue: EventQueue;
  readonly #cancel: (reason: unknown) => void;
  #isRead = false;

  /** @internal */
  constructor(
    id: string,
    result: Promise<RunResult<Output>>,
    queue: EventQueue,
    cancel: (reason: unknown) => void,
  ) {
    this.id = id;
    this.result = result;
    this.#queue = queue;
    this.#cancel = cancel;
    // A caller that only reads events need not handle the failure a second time.
    result.catch(() => undefined);
  }

  /** Stops everything that is in progress at once. `result` rejects with the code `cancelled`. */
  cancel(reason?: unknown): void {
    this.#cancel(reason);
  }

  /**
   * The events of the run from the first one to its end, for one reader; more listeners are for `engine.on`. How the
   * run ended is in `run:ended` and in `result`. Leaving the loop leaves the run in progress.
   *
   * @throws WorkflowError with the code `invalid-input` for a second reader.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    if (this.#isRead) {
      const message = `the run '${this.id}' is read already: its events have one reader, and engine.on() any number`;
      throw new WorkflowError('invalid-input', message, { context: { runId: this.id } });
    }
    this.#isRead = true;
    try {
      for (;;) {
        const event = await this.#queue.next();
        if (!event) return;
        yield event;
      }
    } finally {
      this.#queue.leave();
    }
  }
}

/** Events that wait for their reader at most. */
const MOST = 20_000;

/** Events that were read and are let go of together. */
const READ_AT_ONCE = 1000;

/**
 * Keeps the events of a run for one reader. If very many wait, pieces of answers go first, which `step:ended`
 * holds whole, and then the oldest.
 */
export class EventQueue {
  #events: RunEvent[] = [];
  #at = 0;
  #isOver = false;
  #hasLeft = false;
  #wake: (() => void) | undefined;

  push(event: RunEvent): void {
    if (this.#hasLeft) return;
    this.#events.push(event);
    if (this.#events.length - this.#at > MOST) this.#thin();
    this.#wake?.();
  }

  /** No more will come. */
  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  /** Notes that the reader is gone. */
  leave(): void {
    this.#hasLeft = true;
    this.#events = [];
    this.#at = 0;
  }

  /** Returns the next event, once there is one; `undefined` at the end. */
  async next(): Promise<RunEvent | undefined> {
    for (;;) {
      const event = this.#events[this.#at];
      if (event) {
        this.#at++;
        if (this.#at === READ_AT_ONCE) {
          this.#events.splice(0, this.#at);
          this.#at = 0;
        }
        return event;
      }
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }

  #thin(): void {
    const rest = this.#events.slice(this.#at).filter(({ type }) => type !== 'step:delta');
    this.#events = rest.slice(-MOST / 2);
    this.#at = 0;
  }
}
