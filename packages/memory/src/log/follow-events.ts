import { type Kinds, optional, POSITIVE } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { findSession, sessionNotFound } from '../store/session-rows.ts';
import { assertSequence, EVENT_FILTER, listEvents, type EventFilter } from './list-events.ts';
import { WakeUp } from './wake-up.ts';

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

/** The events of a session that are stored, then those that come, until it is deleted. */
export function followEvents(
  context: () => MemoryContext,
  session: string,
  options: FollowOptions,
): AsyncIterable<MemoryEvent> {
  checkOptions('follow', options, FOLLOW_OPTIONS);
  return followed(context, session, options);
}

async function* followed(
  context: () => MemoryContext,
  session: string,
  { after = 0, pollMs = 500, signal = NEVER, ...filter }: FollowOptions,
): AsyncGenerator<MemoryEvent, void, undefined> {
  assertSequence(after);
  using bell = new WakeUp(context().events, signal, session);
  let last = after;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const now = context();
    const row = await findSession(now, now.database, session);
    if (!row && isFirst) throw sessionNotFound(session);
    if (!row) return;
    if (row.event_count <= last) {
      await bell.wait(pollMs);
      continue;
    }
    const { events, next } = await listEvents(now, session, { ...filter, after: last }).page();
    yield* events;
    // What no filter lets through is passed over, too.
    last = next ?? Math.max(row.event_count, events.at(-1)?.sequence ?? 0);
  }
}
