import type {
  JsonObject,
  JsonValue,
  SqlExecutor,
  SqlParameter,
  Statement,
} from '@vizprompt/providers';
import {
  damageOf,
  parseJson,
  placeholders,
  sqlArray,
  StoredRow,
} from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { EVENT_TYPES, fieldProblem } from '../model/event-data.ts';
import { LINES } from '../model/kept-lines.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import {
  type Content,
  deflated,
  HASH_COLUMNS,
  type Hashes,
  inflated,
  LEAST_ROOM,
  MOST_INFLATED,
  readBlobs,
} from './blobs.ts';
import type { SessionKey } from './memory-context.ts';

/** The data of an event, as its row has them: JSON, or packed where that takes less room. */
export interface StoredData {
  /** JSON, or the last characters of it where it is packed: the ranking goes by how a message ends. */
  readonly data_text: string;
  /** UTF-8 bytes of the JSON, where it is packed. */
  readonly data_size: number | null;
  /** The JSON, deflated. */
  readonly packed: Uint8Array | null;
}

/** Columns of `memory_events` with the data. */
export const DATA_COLUMNS = ['data_text', 'data_size', 'packed'] as const;

/** Sets the columns of {@link DATA_COLUMNS}. */
export const SET_DATA: string = DATA_COLUMNS.map((column) => `${column} = ?`).join(', ');

/** Sets them to those of a forgotten event. */
export const NO_DATA = "data_text = '{}', data_size = NULL, packed = NULL";

/** Chooses forgotten events that have data nevertheless. */
export const UNCLEARED = "type = 'forgotten' AND (packed IS NOT NULL OR data_text <> '{}')";

/** The bytes of the data of an event, as JSON. A size that cannot be, in a damaged row, does not count. */
export const DATA_BYTES: string = `CASE WHEN (data_size - ${LEAST_ROOM}) / ${MOST_INFLATED} <= OCTET_LENGTH(packed)
  THEN data_size ELSE OCTET_LENGTH(data_text) END`;

/** The characters of packed JSON that stay as text. */
const TAIL = 4;

/** Shorter JSON is not packed: most events have such, and packing takes some time for each. */
export const LONG_DATA = 512;

/** Deleting looks for the name of this tool with SQL, to find what is a copy from this memory. */
const SEARCHED = /ptta/i;

/** Returns the columns of JSON that is not packed. */
export function plainData(json: string): StoredData {
  return { data_text: json, data_size: null, packed: null };
}

/** Returns the columns of JSON. */
export async function storedData(json: string): Promise<StoredData> {
  if (json.length < LONG_DATA || SEARCHED.test(json)) return plainData(json);
  const bytes = Buffer.from(json, 'utf8');
  const packed = await deflated(bytes);
  if (!packed) return plainData(json);
  return { data_text: json.slice(-TAIL).toWellFormed(), data_size: bytes.length, packed };
}

/** Returns the columns in the order of {@link DATA_COLUMNS}. */
export function dataParams(stored: StoredData): readonly (string | number | Uint8Array | null)[] {
  return DATA_COLUMNS.map((column) => stored[column]);
}

/**
 * Returns the data of a row as JSON.
 *
 * @throws StorageError `corrupt` with the place, if what is packed is damaged.
 */
export function dataJson(stored: StoredRow, row: StoredData): string {
  if (row.packed === null) return row.data_text;
  const size = stored.whole('data_size', row.data_size);
  if (!(row.packed instanceof Uint8Array)) return stored.fail('packed', 'expected bytes');
  let bytes: Uint8Array;
  try {
    bytes = inflated(row.packed, size);
  } catch {
    return stored.fail('packed', 'expected deflated bytes of the size of the row');
  }
  if (bytes.length !== size) stored.fail('data_size', `expected ${bytes.length}, got ${size}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Returns the same of a row of `memory_events`; `undefined` if what is packed is damaged. */
export function readableJson(row: StoredData & { readonly id: string }): string | undefined {
  try {
    return dataJson(new StoredRow('memory_events', row.id), row);
  } catch (error) {
    if (!damageOf(error)) throw error;
    return undefined;
  }
}

/** A row of `memory_events` with the id of its session. */
export interface EventRow extends Hashes, StoredData {
  readonly key: number;
  readonly id: string;
  readonly session_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly parent_event_id: string | null;
  readonly meta: string | null;
  readonly redactions: number;
  readonly file_path: string | null;
}

/** The contents of events that are read: `'omit'` only diffs, `'all'` lines of transcripts, too. */
export type ReadContents = 'all' | 'omit' | 'read';

const WANTED: Readonly<Record<ReadContents, readonly (keyof Hashes)[]>> = {
  omit: ['diff_hash'],
  read: ['diff_hash', 'old_hash', 'new_hash'],
  all: HASH_COLUMNS,
};

/** Returns the columns of the contents that are read. */
export function hashColumns(contents: ReadContents): readonly (keyof Hashes)[] {
  return WANTED[contents];
}

const HASHES = HASH_COLUMNS.map((column) => `e.${column}`);
const DATA = DATA_COLUMNS.map((column) => `e.${column}`).join(', ');

/** Selects rows as {@link EventRow}; a condition on `e` and `s` follows. */
export const SELECT_EVENTS: string = selectEvents();

/** Returns the same with more columns of `e` and `s`. */
export function selectEvents(more = ''): string {
  return `SELECT e.key, e.id, s.id AS session_id, e.sequence, e.timestamp, e.type, ${DATA},
    e.parent_event_id, e.meta, e.redactions, e.file_path, ${HASHES.join(', ')}${more}
  FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key`;
}

/** The size of a row of `memory_events`, not packed and without contents. */
export const EVENT_BYTES: string = `${DATA_BYTES} + COALESCE(OCTET_LENGTH(meta), 0)`;

/** Events of a tenant, where they are chosen by their keys: SQLite must not go by the index of tenants. */
export const OF_TENANT = `COALESCE(e.tenant, '') = ?`;

/** An event that is stored and cannot be read, and what is wrong with its row. */
export interface DamagedEvent {
  readonly id: string;
  readonly session_id: string;
  /** 0 if the sequence itself is damaged. */
  readonly sequence: number;
  readonly table: string;
  /** The column. */
  readonly field: string;
  readonly problem: string;
}

/** Events of rows, each instead of its row, and what cannot be read of them. */
export interface ReadEvents {
  /** `undefined` for a damaged one. */
  readonly events: readonly (MemoryEvent | undefined)[];
  readonly damaged: readonly DamagedEvent[];
}

/**
 * Returns the events of rows, with the texts that they refer to.
 *
 * @throws MemoryError `corrupt` with the place, if one of them is damaged.
 */
export async function eventsOfRows(
  database: SqlExecutor,
  tenant: string,
  rows: readonly EventRow[],
  contents: ReadContents = 'read',
): Promise<MemoryEvent[]> {
  const { events, damaged } = await readEventRows(database, tenant, rows, contents);
  if (damaged.length > 0) throw damagedError(damaged);
  return events.filter((event) => event !== undefined);
}

/** Returns the same where a damaged event must not hide the others. */
export async function readEventRows(
  database: SqlExecutor,
  tenant: string,
  rows: readonly EventRow[],
  contents: ReadContents = 'read',
): Promise<ReadEvents> {
  const columns = WANTED[contents];
  const hashes = rows
    .flatMap((row) => columns.map((column) => row[column]))
    .filter((hash) => hash !== null);
  const broken = new Set<string>();
  const texts =
    hashes.length > 0
      ? await readBlobs(database, tenant, hashes, (hash) => broken.add(hash))
      : NO_TEXTS;
  const missing = hashes.filter((hash) => !texts.has(hash) && !broken.has(hash));
  for (const hash of await referenced(database, missing)) broken.add(hash);
  const damaged: DamagedEvent[] = [];
  const events = rows.map((row) => {
    const read = readEventRow(row, texts, broken);
    if (!('problem' in read)) return read;
    damaged.push(read);
    return undefined;
  });
  return { events, damaged };
}

/** Returns those of some contents that events still refer to: what was read of the others was forgotten since. */
async function referenced(
  database: SqlExecutor,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const hash of new Set(hashes)) {
    const rows = await database.query(
      `SELECT 1 AS one FROM memory_events AS e WHERE ? IN (${HASHES.join(', ')})
       AND NOT EXISTS (SELECT 1 FROM memory_blobs AS b WHERE b.tenant = COALESCE(e.tenant, '') AND b.hash = ?)
       LIMIT 1`,
      [hash, hash],
    );
    if (rows.length > 0) found.add(hash);
  }
  return found;
}

/** Returns an event, or what is wrong with its row. */
export function readEventRow(
  row: EventRow,
  texts: ReadonlyMap<string, string> = NO_TEXTS,
  broken: ReadonlySet<string> = NO_HASHES,
): MemoryEvent | DamagedEvent {
  try {
    return toEvent(row, texts, broken);
  } catch (error) {
    const damage = damageOf(error);
    if (!damage) throw error;
    return {
      id: row.id,
      session_id: row.session_id,
      sequence: Number.isSafeInteger(row.sequence) ? row.sequence : 0,
      table: damage.table,
      field: damage.field,
      problem: damage.problem,
    };
  }
}

/** Returns the error for events that cannot be read. */
export function damagedError(damaged: readonly DamagedEvent[]): MemoryError {
  const [first] = damaged;
  const more = damaged.length > 1 ? `, and ${damaged.length - 1} more events` : '';
  return new MemoryError(
    'corrupt',
    `the event ${first?.sequence} of the session '${first?.session_id}' (id '${first?.id}') is corrupt: ` +
      `${first?.field}: ${first?.problem}${more}; ` +
      'check() lists all that is damaged, and a backup may have it',
    { context: { ...first, damaged } },
  );
}

/** Returns the error for an event that is not there. */
export function eventNotFound(id: unknown): MemoryError {
  return new MemoryError('event-not-found', `there is no event '${String(id)}'`, {
    context: { event: id },
  });
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();
const NO_HASHES: ReadonlySet<string> = new Set();

/** Builds an event from its row. Rows are validated before they are written, so only the disk can corrupt them. */
function toEvent(
  row: EventRow,
  texts: ReadonlyMap<string, string>,
  broken: ReadonlySet<string>,
): MemoryEvent {
  const stored = new StoredRow('memory_events', row.id);
  const content = (field: keyof Hashes): string | undefined => {
    const hash = row[field];
    if (hash === null) return undefined;
    if (broken.has(hash)) stored.fail(field, `the content '${hash}' is damaged or missing`);
    return texts.get(hash);
  };
  const type = stored.oneOf('type', row.type, STORED_TYPES);
  const data = type === 'forgotten' ? {} : stored.object('data', dataJson(stored, row));
  const problem = type === 'forgotten' ? undefined : fieldProblem(type, data);
  if (problem !== undefined) stored.fail('data', problem);
  const { parent_event_id: parent } = row;
  const meta = row.meta === null ? undefined : stored.object('meta', row.meta);
  const lines = content('lines_hash');
  return makeEvent({
    id: stored.text('id', row.id),
    session_id: stored.text('session_id', row.session_id),
    sequence: stored.whole('sequence', row.sequence),
    timestamp: stored.isoTime('timestamp', row.timestamp),
    type,
    data,
    parent: parent === null ? undefined : stored.text('parent_event_id', parent),
    meta: lines === undefined ? meta : { ...meta, [LINES]: parseJson(lines) ?? null },
    redactions: stored.whole('redactions', row.redactions),
    old: content('old_hash'),
    new: content('new_hash'),
    diff: content('diff_hash'),
  });
}

const STORED_TYPES = [...EVENT_TYPES, 'forgotten'] as const;

/** The parts of an event, wherever they come from. */
export interface EventParts {
  readonly id: string;
  readonly session_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly parent: string | undefined;
  readonly meta: JsonObject | undefined;
  readonly redactions: number;
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  readonly diff?: string | undefined;
}

/** Puts an event together. */
export function makeEvent(parts: EventParts): MemoryEvent {
  const { old, new: next, diff, type } = parts;
  const data: Record<string, JsonValue> = { ...parts.data };
  if (old !== undefined) data['old_content'] = old;
  if (next !== undefined) data['new_content'] = next;
  if (diff !== undefined) data['diff'] = diff;
  else if (type === 'file_edit') data['diff'] = '';
  const event = {
    id: parts.id,
    session_id: parts.session_id,
    sequence: parts.sequence,
    timestamp: parts.timestamp,
    type,
    data,
    ...(parts.parent === undefined ? {} : { parent_event_id: parts.parent }),
    ...(parts.meta === undefined ? {} : { meta: parts.meta }),
    ...(parts.redactions === 0 ? {} : { redactions: parts.redactions }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was checked before it was stored
  return event as unknown as MemoryEvent;
}

/** Which sessions may be written to. */
export type SessionState = 'running' | 'any';

/** The columns of an event, apart from its data. */
interface EventColumns {
  readonly id: string;
  readonly timestamp: string;
  readonly type: string;
  readonly parent: string | undefined;
  readonly metaJson: string | undefined;
  readonly redactions: number;
  readonly path: string | undefined;
  readonly intention: string | undefined;
  readonly blobs: Readonly<Partial<Record<'old' | 'new' | 'diff' | 'lines', Content>>>;
}

/** An event with its data as the row has them, and how many events of its batch follow it in its session. */
export interface PlacedEvent {
  readonly event: EventColumns;
  readonly data: StoredData;
  readonly after: number;
}

const DATA_TYPES = { data_text: 'TEXT', data_size: 'BIGINT', packed: 'BYTEA' } as const;

/** The columns of an event that differ from event to event, with their types on PostgreSQL. */
const INSERTED: readonly (readonly [name: string, type: 'TEXT' | 'BIGINT' | 'BYTEA'])[] = [
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

/** Returns the values of {@link INSERTED}. */
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

const NAMES = INSERTED.map(([name]) => name).join(', ');
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
  `${INTO} VALUES (?, ?, ${lastNumber(running)} - ?, ${placeholders(INSERTED.length)})`;
const insertMany = (running: string): string =>
  `${INTO} SELECT CAST(? AS TEXT), CAST(? AS BIGINT), ${lastNumber(running)} - given.following, ${NAMES}
   FROM unnest(CAST(? AS BIGINT[]), ${INSERTED.map(([, type]) => `CAST(? AS ${type}[])`).join(', ')})
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
  const columns = Array.from({ length: INSERTED.length + 1 }, (_, at): SqlParameter => {
    return sqlArray(rows.map((row) => row[at] ?? null));
  });
  return { sql: INSERT_MANY[into], params: [tenant, key, key, ...columns] };
}
