import {
  COUNT,
  type Kinds,
  oneOf,
  optional,
  POSITIVE,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { type EventType, typesOf } from '../model/event-data.ts';
import { isId } from '../model/ids-and-times.ts';
import { limitKind, TYPE } from '../model/input-kinds.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { storedFile } from '../redact/redactor.ts';
import {
  damagedError,
  type DamagedEvent,
  DATA_BYTES,
  eventNotFound,
  type EventRow,
  eventsOfRows,
  hashColumns,
  readEventRows,
  SELECT_EVENTS,
} from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { listOf, SqlConditions } from '../store/sql.ts';

/** Which events of a session to read. */
export interface EventFilter {
  /** Only events of this type, or of any of these. */
  readonly type?: EventType | readonly EventType[] | undefined;
  /** Intentions and edits of this file; a relative path is taken from the workspace. */
  readonly path?: string | undefined;
  /** Those after this sequence. Default: 0. */
  readonly after?: number | undefined;
  /** How many on a page at most. Default: 100. */
  readonly limit?: number | undefined;
  /**
   * A page ends before its events have more bytes than this, but for the first of them. Default: 8,388,608 (8 MiB).
   */
  readonly maxBytes?: number | undefined;
  /**
   * `'omit'` leaves `old_content` and `new_content` out, which need reading of their own; `'all'` adds `meta.lines`,
   * the lines of transcripts that no version knew. Default: `'read'`.
   */
  readonly contents?: 'all' | 'omit' | 'read' | undefined;
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
  contents: optional(oneOf('read', 'omit', 'all'), {
    en: 'Send old_content and new_content, the diff is always sent; all: unknown lines of transcripts, too',
  }),
  signal: optional(SIGNAL),
};

/** Some events in the order of their sequence. */
export interface EventPage {
  readonly events: readonly MemoryEvent[];
  /** Those that are stored and cannot be read, with what is wrong. Absent if there are none. */
  readonly damaged?: readonly DamagedEvent[];
  /** Pass it as `after` for the next page. Absent on the last one. */
  readonly next?: number;
}

/**
 * Events of a session: one page, or one after the other to the end. Reading on to the end passes over damaged events,
 * and throws MemoryError `corrupt` for them when all others were given.
 */
export interface EventList extends AsyncIterable<MemoryEvent> {
  page(): Promise<EventPage>;
}

/** The size of a page, unless another is given. */
const PAGE_BYTES = 8 << 20;
/** Damaged events that an error lists. */
const MAX_DAMAGED = 1000;

/** Events of a session, page by page or one by one. */
export function listEvents(
  context: MemoryContext,
  session: string,
  filter: EventFilter,
): EventList {
  checkOptions('events', filter, EVENT_FILTER);
  return {
    page: () => readPage(context, session, filter, filter.after ?? 0),
    async *[Symbol.asyncIterator](): AsyncGenerator<MemoryEvent> {
      const damaged: DamagedEvent[] = [];
      let after: number | undefined = filter.after ?? 0;
      while (after !== undefined) {
        const page: EventPage = await readPage(context, session, filter, after);
        yield* page.events;
        if (damaged.length < MAX_DAMAGED) damaged.push(...(page.damaged ?? []));
        after = page.next;
      }
      if (damaged.length > 0) throw damagedError(damaged);
    },
  };
}

async function readPage(
  context: MemoryContext,
  session: string,
  { type, path, limit = 100, maxBytes = PAGE_BYTES, contents, signal }: EventFilter,
  after: number,
): Promise<EventPage> {
  signal?.throwIfAborted();
  assertSequence(after);
  const { database, tenant } = context;
  const { key, workspace } = await resolveSession(context, session);
  const where = new SqlConditions().add('e.session_key = ?', key).add('e.sequence > ?', after);
  if (type !== undefined) where.addIn('e.type', typesOf(type));
  if (path !== undefined) where.add('e.file_path = ?', storedFile(path, workspace, context.redact));
  const found = await database.query<SizeRow>(
    `SELECT e.key, e.sequence, ${bytesOf(contents)} AS bytes
     FROM memory_events AS e WHERE ${where.sql} ORDER BY e.sequence LIMIT ?`,
    [...where.params, limit + 1],
  );
  // SQLite sorts a sequence that is not a number, as a damaged one may be, past all others.
  const sizes = found.filter(({ sequence }) => Number.isSafeInteger(sequence));
  const wanted = firstOf(sizes, limit, maxBytes);
  const last = wanted.at(-1);
  const isEnd = sizes.length === wanted.length && (!last || found.length <= limit);
  const lost = isEnd ? found.filter(({ sequence }) => typeof sequence !== 'number') : [];
  const rows = [
    ...(last
      ? await database.query<EventRow>(
          `${SELECT_EVENTS} WHERE ${where.sql} AND e.sequence <= ? ORDER BY e.sequence`,
          [...where.params, last.sequence],
        )
      : []),
    ...(lost.length > 0
      ? await database.query<EventRow>(
          `${SELECT_EVENTS} WHERE e.key IN ${listOf(lost)}`,
          lost.map((row) => row.key),
        )
      : []),
  ];
  const { events, damaged } = await readEventRows(database, tenant, rows, contents);
  return {
    events: events.filter((event) => event !== undefined),
    ...(damaged.length > 0 ? { damaged } : {}),
    ...(isEnd || !last ? {} : { next: last.sequence }),
  };
}

interface SizeRow {
  readonly key: number;
  readonly sequence: number;
  readonly bytes: number;
}

/** Returns the size of an event: its own columns, which SQLite knows without reading them, and the texts that it names. */
function bytesOf(contents: EventFilter['contents']): string {
  const texts = hashColumns(contents ?? 'read').map(
    (hash) =>
      `COALESCE((SELECT b.size FROM memory_blobs AS b WHERE b.tenant = e.tenant AND b.hash = e.${hash}), 0)`,
  );
  const has = `e.file_path IS NULL AND e.lines_hash IS NULL`;
  const isWithTexts = `CASE WHEN ${has} THEN 0 ELSE ${texts.join(' + ')} END`;
  return `${DATA_BYTES} + COALESCE(octet_length(e.meta), 0) + ${isWithTexts}`;
}

function firstOf(sizes: readonly SizeRow[], limit: number, maxBytes: number): readonly SizeRow[] {
  let bytes = 0;
  const end = sizes.findIndex((row, at) => {
    bytes += row.bytes;
    return at > 0 && bytes > maxBytes;
  });
  return sizes.slice(0, Math.min(limit, end < 0 ? sizes.length : end));
}

/** Refuses what is not a sequence to begin after. */
export function assertSequence(after: number): void {
  if (Number.isSafeInteger(after) && after >= 0) return;
  throw new MemoryError('invalid-input', `after is ${after}: it must be a sequence, or 0`);
}

/**
 * One event with all its texts.
 *
 * @throws MemoryError `event-not-found`.
 */
export async function getEvent(context: MemoryContext, id: string): Promise<MemoryEvent> {
  const { database, tenant } = context;
  if (!isId(id)) throw eventNotFound(id);
  const rows = await database.query<EventRow>(`${SELECT_EVENTS} WHERE e.tenant = ? AND e.id = ?`, [
    tenant,
    id,
  ]);
  const [event] = await eventsOfRows(database, tenant, rows);
  if (event) return event;
  throw eventNotFound(id);
}
