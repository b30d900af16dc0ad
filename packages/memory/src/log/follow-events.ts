import type { EventSource } from '@vizprompt/providers';
import { type Kinds, optional, POSITIVE } from '@vizprompt/providers/config/internal';
import type { Unsubscribe } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import type { MemoryEvents } from '../events.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { eventCountOf, findSession, sessionNotFound } from '../store/session-rows.ts';
import { assertSequence, EVENT_FILTER, listEvents, type EventFilter } from './list-events.ts';

const { limit: _limit, maxBytes: _maxBytes, ...FOLLOWED } = EVENT_FILTER;

/** How to follow a session. */
export interface FollowOptions extends Omit<EventFilter, 'limit' | 'maxBytes'> {
  /**
   * How often what other processes wrote is looked for, in milliseconds; what this one writes comes at once.
   * Default: 500.
   */
  readonly pollMs?: number | undefined;
}

const FOLLOW_OPTIONS: Kinds<FollowOptions> = { ...FOLLOWED, pollMs: optional(POSITIVE) };

const NEVER = new AbortController().signal;

/**
 * Returns the events of a session that are stored, then those that come, until it is deleted.
 *
 * @param refresh - Called before each look at the database. Default: nothing.
 */
export function followEvents(
  context: () => MemoryContext,
  session: string,
  options: FollowOptions,
  refresh: () => Promise<void> = async () => {},
): AsyncIterable<MemoryEvent> {
  checkOptions('follow', options, FOLLOW_OPTIONS);
  return followed(context, session, options, refresh);
}

async function* followed(
  context: () => MemoryContext,
  session: string,
  { after = 0, pollMs = 500, signal = NEVER, ...filter }: FollowOptions,
  refresh: () => Promise<void>,
): AsyncGenerator<MemoryEvent, void, undefined> {
  assertSequence(after);
  using bell = new WakeUp(context().events, signal, session);
  let last = after;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    await refresh();
    const now = context();
    const row = await findSession(now, now.database, session);
    if (!row && isFirst) throw sessionNotFound(session);
    if (!row) return;
    const count = eventCountOf(row);
    if (count <= last) {
      await bell.wait(pollMs);
      continue;
    }
    const { events, next } = await listEvents(now, session, { ...filter, after: last }).page();
    yield* events;
    // Events that no filter lets through are passed over, too.
    last = next ?? Math.max(count, events.at(-1)?.sequence ?? 0);
  }
}

/**
 * Waits a while, but no longer than until this process changes the session or logs in it, without one until it
 * changes any, or until a signal ends it.
 */
export class WakeUp implements Disposable {
  readonly #signal: AbortSignal;
  readonly #stops: readonly Unsubscribe[];
  #isRung = false;
  #wake: () => void = () => {};

  constructor(store: EventSource<MemoryEvents>, signal: AbortSignal, session?: string) {
    this.#signal = signal;
    const ring = (id: string): void => {
      if (session === undefined || id === session) this.#ring();
    };
    const logged = ({ event }: MemoryEvents['event:logged']): void => ring(event.session_id);
    this.#stops = [
      ...(session === undefined ? [] : [store.on('event:logged', logged)]),
      store.on('session:started', ({ session: { id } }) => ring(id)),
      store.on('session:updated', ({ session: { id } }) => ring(id)),
      store.on('session:ended', ({ session: { id } }) => ring(id)),
      store.on('session:deleted', ({ id }) => ring(id)),
    ];
    signal.addEventListener('abort', this.#ring);
  }

  /** Resolves after the given milliseconds, or at once if it rang since the last wait. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isRung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRung = false;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
    this.#signal.removeEventListener('abort', this.#ring);
  }

  readonly #ring = (): void => {
    this.#isRung = true;
    this.#wake();
  };
}
