import type { JsonObject, JsonValue, SqlExecutor } from '@vizprompt/providers';
import { damageOf, parseJson, StoredRow } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { fieldProblem } from '../model/check-data.ts';
import { EVENT_TYPES } from '../model/event-data.ts';
import { LINES } from '../model/kept-lines.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { HASH_COLUMNS, readBlobs, type Hashes } from './blobs.ts';
import { DATA_BYTES, DATA_COLUMNS, dataJson, type StoredData } from './stored-data.ts';

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

const COLUMNS = HASH_COLUMNS.map((column) => `e.${column}`);
const DATA = DATA_COLUMNS.map((column) => `e.${column}`).join(', ');

/** Selects rows as {@link EventRow}; a condition on `e` and `s` follows. */
export const SELECT_EVENTS: string = selectEvents();

/** Returns the same with more columns of `e` and `s`. */
export function selectEvents(more = ''): string {
  return `SELECT e.key, e.id, s.id AS session_id, e.sequence, e.timestamp, e.type, ${DATA},
    e.parent_event_id, e.meta, e.redactions, e.file_path, ${COLUMNS.join(', ')}${more}
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
      `SELECT 1 AS one FROM memory_events AS e WHERE ? IN (${COLUMNS.join(', ')})
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
