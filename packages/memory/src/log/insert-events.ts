import type { SqlParameter, Statement } from '@vizprompt/providers';
import { placeholders, sqlArray } from '@vizprompt/providers/internal';
import { HASH_COLUMNS, type Content } from '../store/blobs.ts';
import type { SessionKey } from '../store/memory-context.ts';
import { DATA_COLUMNS, dataParams, type StoredData } from '../store/stored-data.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** Which sessions may be written to. */
export type SessionState = 'running' | 'any';

/** An event with its data as the row has them, and how many events of its batch follow it in its session. */
export interface PlacedEvent {
  readonly event: PreparedEvent;
  readonly data: StoredData;
  readonly after: number;
}

const DATA_TYPES = { data_text: 'TEXT', data_size: 'BIGINT', packed: 'BYTEA' } as const;

/** The columns of an event that differ from event to event, with their types on PostgreSQL. */
const COLUMNS: readonly (readonly [name: string, type: 'TEXT' | 'BIGINT' | 'BYTEA'])[] = [
  ['id', 'TEXT'],
  ['timestamp', 'TEXT'],
  ['type', 'TEXT'],
  ...DATA_COLUMNS.map((name) => [name, DATA_TYPES[name]] as const),
  ['parent_event_id', 'TEXT'],
  ['meta', 'TEXT'],
  ['redactions', 'BIGINT'],
  ['file_path', 'TEXT'],
  ...HASH_COLUMNS.map((name) => [name, 'TEXT'] as const),
  ['intention_event_id', 'TEXT'],
];

/** Returns the values of {@link COLUMNS}. */
function valuesOf({ event, data }: PlacedEvent): readonly (string | number | Uint8Array | null)[] {
  const { blobs } = event;
  return [
    event.id,
    event.timestamp,
    event.type,
    ...dataParams(data),
    event.parent ?? null,
    event.metaJson ?? null,
    event.redactions,
    event.path ?? null,
    hashOrNull(blobs.old),
    hashOrNull(blobs.new),
    hashOrNull(blobs.diff),
    hashOrNull(blobs.lines),
    event.intention ?? null,
  ];
}

function hashOrNull(blob: Content | undefined): string | null {
  return blob?.hash ?? null;
}

const NAMES = COLUMNS.map(([name]) => name).join(', ');
/** Restricts a statement about a session to one that has not ended. */
export const RUNNING = ' AND ended_at IS NULL';
const INTO = `INSERT INTO memory_events (tenant, session_key, sequence, ${NAMES})`;

/**
 * Returns the number of the last event of a batch. A session that is gone or ended has none, and the batch fails as a
 * whole.
 */
const lastNumber = (running: string): string =>
  `(SELECT event_count FROM memory_sessions WHERE key = ?${running})`;

const insertOne = (running: string): string =>
  `${INTO} VALUES (?, ?, ${lastNumber(running)} - ?, ${placeholders(COLUMNS.length)})`;
const insertMany = (running: string): string =>
  `${INTO} SELECT CAST(? AS TEXT), CAST(? AS BIGINT), ${lastNumber(running)} - given.following, ${NAMES}
   FROM unnest(CAST(? AS BIGINT[]), ${COLUMNS.map(([, type]) => `CAST(? AS ${type}[])`).join(', ')})
     WITH ORDINALITY AS given(following, ${NAMES}, place) ORDER BY given.place`;
const INSERT_ONE = { running: insertOne(RUNNING), any: insertOne('') };
const INSERT_MANY = { running: insertMany(RUNNING), any: insertMany('') };

/** Returns the statement that inserts one event. */
export function insertEvent(
  tenant: string,
  { key }: SessionKey,
  placed: PlacedEvent,
  into: SessionState,
): Statement {
  return {
    sql: INSERT_ONE[into],
    params: [tenant, key, key, placed.after, ...valuesOf(placed)],
  };
}

/** Returns the statement that inserts events of one session on PostgreSQL, which takes half the time of one for each. */
export function insertEvents(
  tenant: string,
  { key }: SessionKey,
  events: readonly PlacedEvent[],
  into: SessionState,
): Statement {
  const rows = events.map((placed) => [placed.after, ...valuesOf(placed)]);
  const columns = Array.from({ length: COLUMNS.length + 1 }, (_, at): SqlParameter => {
    return sqlArray(rows.map((row) => row[at] ?? null));
  });
  return { sql: INSERT_MANY[into], params: [tenant, key, key, ...columns] };
}
