import {
  FLAG,
  type Kinds,
  oneOf,
  optional,
  POSITIVE,
  SIGNAL,
  TEXT,
  COUNT,
} from '@vizprompt/providers/config/internal';
import { limitKind, TYPE } from '../model/input-kinds.ts';
import type { EventType } from '../model/event-data.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import type { DamagedEvent } from '../store/event-rows.ts';

/** Options of `logMany`. */
export interface LogManyOptions {
  /**
   * What to do with an event whose id is stored already: fail with `exists`, or leave it out.
   * Default: `'fail'`.
   */
  readonly duplicates?: 'fail' | 'skip' | undefined;
  /** Whether events may be added to a session that ended, as importers do. Default: `false`. */
  readonly intoEnded?: boolean | undefined;
  /** Stops before the next part of the events is written; each part is written whole or not at all. */
  readonly signal?: AbortSignal | undefined;
}

export const LOG_MANY_OPTIONS: Kinds<LogManyOptions> = {
  duplicates: optional(oneOf('fail', 'skip')),
  intoEnded: optional(FLAG),
  signal: optional(SIGNAL),
};

/** Which events of a session to read. */
export interface EventFilter {
  /** Those of this type, or of any of these. */
  readonly type?: EventType | readonly EventType[] | undefined;
  /** Intentions and edits of this file; a relative path is taken from the workspace. */
  readonly path?: string | undefined;
  /** Those behind this sequence. Default: 0. */
  readonly after?: number | undefined;
  /** How many on a page at most. Default: 100. */
  readonly limit?: number | undefined;
  /**
   * A page ends before its events have more bytes than this, but for the first of them. Default: 8,388,608 (8 MiB).
   */
  readonly maxBytes?: number | undefined;
  /**
   * `'omit'` leaves `old_content` and `new_content` out, which need reading of their own.
   * Default: `'read'`.
   */
  readonly contents?: 'read' | 'omit' | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

export const EVENT_FILTER: Kinds<EventFilter> = {
  type: TYPE,
  path: optional(TEXT, {
    en: 'Intentions and edits of this file: absolute, or relative to the workspace',
  }),
  after: optional(COUNT, { en: 'Those after this sequence; 0 for the start' }),
  limit: limitKind(100),
  maxBytes: optional(POSITIVE, { isCodeOnly: true }),
  contents: optional(oneOf('read', 'omit'), {
    en: 'Whether old_content and new_content are sent; the diff always is',
  }),
  signal: optional(SIGNAL),
};
const { limit: _limit, maxBytes: _maxBytes, ...FOLLOWED } = EVENT_FILTER;

/** How to follow a session. */
export interface FollowOptions extends Omit<EventFilter, 'limit' | 'maxBytes'> {
  /**
   * How often what other processes wrote is looked for, in milliseconds; what this one writes comes at once.
   * Default: 500.
   */
  readonly pollMs?: number | undefined;
}

export const FOLLOW_OPTIONS: Kinds<FollowOptions> = { ...FOLLOWED, pollMs: optional(POSITIVE) };

/** Some events in the order of their sequence. */
export interface EventPage {
  readonly events: readonly MemoryEvent[];
  /** Those that are stored and cannot be read, with what is wrong. Absent if there are none. */
  readonly damaged?: readonly DamagedEvent[];
  /** What to pass as `after` for the next page. Absent on the last one. */
  readonly next?: number;
}

/**
 * Events of a session: one page, or one after the other to the end. Reading on to the end passes over damaged events,
 * and throws MemoryError `corrupt` for them when all others were given.
 */
export interface EventList extends AsyncIterable<MemoryEvent> {
  page(): Promise<EventPage>;
}
