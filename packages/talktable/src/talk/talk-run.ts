import type { TypedEvents } from '@vizprompt/providers';
import type { Unsubscribe } from '@vizprompt/providers/internal';
import { TalkError } from '../errors.ts';
import type { TalkEvent, TalkEvents, TalkResult } from '../events.ts';

/** Leads a run: it is called once, with the first look at the run. */
export type LeadRun = (
  tell: (event: TalkEvent) => void,
  ready: (signal: AbortSignal) => Promise<void>,
) => Promise<TalkResult>;

/**
 * A talk in progress. It begins with the first look at it: iterating, or `result()`. Iterated, it continues
 * only as far as it is read: the next turn waits until the reader has dealt with the last. Leaving the loop breaks
 * off the call and pauses the talk.
 *
 * @example
 * ```ts
 * for await (const event of manager.start()) {
 *   if (event.type === 'turn:delta') process.stdout.write(event.text);
 * }
 * ```
 */
export class TalkRun implements AsyncIterable<TalkEvent> {
  readonly conversationId: string;
  readonly #lead: LeadRun;
  readonly #leave: () => void;
  #result: Promise<TalkResult> | undefined;
  #queue: TalkEvent[] | undefined;
  #wake: (() => void) | undefined;
  #drained: (() => void) | undefined;
  /** True if the reader has dealt with all that it was given, and waits for more. */
  #isAsking = false;

  /** @internal */
  constructor(conversationId: string, lead: LeadRun, leave: () => void) {
    this.conversationId = conversationId;
    this.#lead = lead;
    this.#leave = leave;
  }

  /**
   * Leads the talk to where it ends or pauses. It must be awaited before the manager is closed, which stops
   * the talk: where `await using` holds the manager, `return await run.result()`.
   *
   * @throws TalkError with the code `turn-failed`, `log-unwritable`, `conflict` or `recorder-failed`;
   * the log is whole, and the talk can be resumed.
   */
  result(): Promise<TalkResult> {
    this.#result ??= this.#lead(
      (event) => this.#tell(event),
      (signal) => this.#ready(signal),
    );
    return this.#result;
  }

  /** @throws as {@link TalkRun.result}, after all that happened before. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TalkEvent, void, undefined> {
    if (this.#queue) {
      throw new TalkError('invalid-input', 'this run is iterated already: it has one reader');
    }
    const queue: TalkEvent[] = [];
    this.#queue = queue;
    let isOver = false;
    const result = this.result().finally(() => {
      isOver = true;
      this.#wake?.();
    });
    result.catch(() => undefined);
    let hasLeft = true;
    try {
      for (;;) {
        const event = queue.shift();
        if (event) {
          this.#isAsking = false;
          yield event;
        } else if (isOver) break;
        else {
          this.#isAsking = true;
          this.#drained?.();
          await new Promise<void>((resolve) => (this.#wake = resolve));
        }
      }
      hasLeft = false;
      await result;
    } finally {
      this.#queue = undefined;
      this.#drained?.();
      if (hasLeft) {
        this.#leave();
        await result.catch(() => undefined);
      }
    }
  }

  #tell(event: TalkEvent): void {
    this.#queue?.push(event);
    this.#wake?.();
  }

  /** Resolves when the reader, if there is one, has handled all reported events. */
  async #ready(signal: AbortSignal): Promise<void> {
    if (!this.#queue || (this.#isAsking && this.#queue.length === 0) || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.#drained = undefined;
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#drained = go;
      signal.addEventListener('abort', go, { once: true });
    });
  }
}

/** Reports the events of one talk to the readers of its run. */
export function forwardEvents(
  events: TypedEvents<TalkEvents>,
  conversationId: string,
  tell: (event: TalkEvent) => void,
): Unsubscribe {
  const isOurs = (id: string): boolean => id === conversationId;
  const unlisten = [
    events.on('turn:started', (payload) => {
      if (isOurs(payload.turn.conversationId)) tell({ type: 'turn:started', ...payload });
    }),
    events.on('turn:delta', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:delta', ...payload });
    }),
    events.on('turn:retried', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:retried', ...payload });
    }),
    events.on('turn:called', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:called', ...payload });
    }),
    events.on('turn:awaited', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn:awaited', ...payload });
    }),
    events.on('turn:ended', (payload) => {
      if (isOurs(payload.turn.conversationId)) tell({ type: 'turn:ended', ...payload });
    }),
    events.on('talk:ended', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'talk:ended', ...payload });
    }),
  ];
  return () => {
    for (const stop of unlisten) stop();
  };
}

/** The ways to end a run before its time. */
type Ending = 'paused' | 'stopped';

/**
 * The requests from outside to a run: to end after the turn in progress, at once, or with the moderator's
 * closing words.
 */
export class RunControl {
  readonly #cut = new AbortController();
  readonly #wait = new AbortController();
  /** The way the run ends; `undefined` while it was not asked to. */
  ending: Ending | undefined;
  why = '';
  /** True if the moderator is to close after the turn in progress. */
  isClosing = false;

  /** Aborted when the call in progress is to be broken off. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Aborted when nothing is to be waited for any more: a pause between turns, a person. */
  get wait(): AbortSignal {
    return this.#wait.signal;
  }

  /** Ends the run after the turn in progress or, with `now`, by breaking it off. */
  end(ending: Ending, why: string, now: boolean): void {
    // A stop overrides a pause.
    if (this.ending !== 'stopped') {
      this.ending = ending;
      this.why = why;
    }
    this.#wait.abort();
    if (now) this.#cut.abort();
  }

  /** Ends the run when the signal is aborted. */
  follow(signal: AbortSignal | undefined): void {
    const end = (): void => this.end('stopped', 'the signal was aborted', true);
    if (signal?.aborted) end();
    // It is heard no longer than the run continues.
    else signal?.addEventListener('abort', end, { once: true, signal: this.#over.signal });
  }

  readonly #over = new AbortController();

  /** Lets go of what was followed. */
  close(): void {
    this.#over.abort();
  }
}
