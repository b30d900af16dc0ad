import { messageOf, type JsonObject, type JsonValue, type SqlExecutor } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { fieldProblem, isType } from '../model/check-data.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { readBlobs } from './blobs.ts';

/** A row of `memory_events` with the id of its session. */
export interface EventRow extends Hashes {
  readonly key: number;
  readonly id: string;
  readonly session_id: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly data: string;
  readonly parent_event_id: string | null;
  readonly meta: string | null;
  readonly redactions: number;
  readonly file_path: string | null;
}

/** Which contents an event refers to. */
export interface Hashes {
  readonly old_hash: string | null;
  readonly new_hash: string | null;
  readonly diff_hash: string | null;
}

/** The contents that an event refers to. */
export function hashesOf({ old_hash, new_hash, diff_hash }: Hashes): string[] {
  return [old_hash, new_hash, diff_hash].filter((hash) => hash !== null);
}

/** Selects rows as {@link EventRow}; a condition on `e` and `s` follows. */
export const SELECT_EVENTS: string = selectEvents();

/** The same with more columns of `e` and `s`. */
export function selectEvents(more = ''): string {
  return `SELECT e.key, e.id, s.id AS session_id, e.sequence, e.timestamp, e.type, e.data,
    e.parent_event_id, e.meta, e.redactions, e.file_path, e.old_hash, e.new_hash, e.diff_hash${more}
  FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key`;
}

/** Events of a tenant, where they are chosen by their keys: SQLite must not go by the index of tenants. */
export const OF_TENANT = `COALESCE(e.tenant, '') = ?`;

/** An event that is stored and cannot be read, and what is wrong with its row. */
export interface DamagedEvent {
  readonly id: string;
  readonly session_id: string;
  readonly sequence: number;
  readonly problem: string;
}

/** Events of rows, each in the place of its row, and what cannot be read of them. */
export interface ReadEvents {
  /** `undefined` for a damaged one. */
  readonly events: readonly (MemoryEvent | undefined)[];
  readonly damaged: readonly DamagedEvent[];
}

/**
 * The events of rows, with the texts that they refer to.
 *
 * @throws MemoryError `corrupt` with the place, if one of them is damaged.
 */
export async function eventsOfRows(
  database: SqlExecutor,
  tenant: string,
  rows: readonly EventRow[],
  contents: 'read' | 'omit' = 'read',
): Promise<MemoryEvent[]> {
  const { events, damaged } = await readEventRows(database, tenant, rows, contents);
  if (damaged.length > 0) throw damagedError(damaged);
  return events.filter((event) => event !== undefined);
}

/** The same where a damaged event must not hide the others. */
export async function readEventRows(
  database: SqlExecutor,
  tenant: string,
  rows: readonly EventRow[],
  contents: 'read' | 'omit' = 'read',
): Promise<ReadEvents> {
  const wanted = rows.flatMap((row) => [
    row.diff_hash,
    ...(contents === 'read' ? [row.old_hash, row.new_hash] : []),
  ]);
  const hashes = wanted.filter((hash) => hash !== null);
  const broken = new Map<string, unknown>();
  const texts =
    hashes.length > 0
      ? await readBlobs(database, tenant, hashes, (hash, error) => broken.set(hash, error))
      : NO_TEXTS;
  const damaged: DamagedEvent[] = [];
  const events = rows.map((row) => {
    const { id, session_id, sequence } = row;
    try {
      return toEvent(row, texts, broken);
    } catch (error) {
      damaged.push({ id, session_id, sequence, problem: messageOf(error) });
      return undefined;
    }
  });
  return { events, damaged };
}

/** The error for events that cannot be read. */
export function damagedError(damaged: readonly DamagedEvent[]): MemoryError {
  const [first] = damaged;
  const more = damaged.length > 1 ? `, and ${damaged.length - 1} more events` : '';
  return new MemoryError(
    'corrupt',
    `the event ${first?.sequence} of the session '${first?.session_id}' (id '${first?.id}'): ${first?.problem}${more}; ` +
      'check() lists all that is damaged, and a backup may have it',
    { context: { ...first, damaged } },
  );
}

/** The error for an event that is not there. */
export function eventNotFound(id: unknown): MemoryError {
  return new MemoryError('event-not-found', `there is no event '${String(id)}'`, {
    context: { event: id },
  });
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

function toEvent(
  row: EventRow,
  texts: ReadonlyMap<string, string>,
  broken: ReadonlyMap<string, unknown>,
): MemoryEvent {
  const text = (hash: string | null): string | undefined => {
    if (hash !== null && broken.has(hash)) throw broken.get(hash);
    return hash === null ? undefined : texts.get(hash);
  };
  const data = parseObject('data', row.data);
  assertRow(row, data);
  return makeEvent({
    id: row.id,
    session_id: row.session_id,
    sequence: row.sequence,
    timestamp: row.timestamp,
    type: row.type,
    data,
    parent: row.parent_event_id ?? undefined,
    meta: row.meta === null ? undefined : parseObject('meta', row.meta),
    redactions: row.redactions,
    old: text(row.old_hash),
    new: text(row.new_hash),
    diff: text(row.diff_hash),
  });
}

/** What is read back is what was checked before it was written, unless the disk changed it. */
function assertRow({ type, timestamp }: EventRow, data: JsonObject): void {
  if (type === 'forgotten') return;
  if (!isType(type)) throw new Error(`its type ${JSON.stringify(type)} is none that is known`);
  const problem = fieldProblem(type, data);
  if (problem !== undefined) throw new Error(problem);
  if (!/^\d{4,6}-\d\d-\d\dT/.test(timestamp)) throw new Error(`its time '${timestamp}' is no time`);
}

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

function parseObject(column: string, json: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error(`its ${column} is no JSON`);
  }
  if (isJsonObject(value)) return value;
  throw new Error(`its ${column} is no object`);
}
