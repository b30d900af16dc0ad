import type { JsonObject, JsonValue, SqlExecutor } from '@vizprompt/providers';
import { readBlobs } from '../blob/read-blobs.ts';
import type { MemoryEvent } from '../model/memory-event.ts';

/** A row of `memory_events` with the id of its session. */
export interface EventRow {
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
  readonly old_hash: string | null;
  readonly new_hash: string | null;
  readonly diff_hash: string | null;
}

/** Selects rows as {@link EventRow}; a condition on `e` and `s` follows. */
export const SELECT_EVENTS = `
  SELECT e.key, e.id, s.id AS session_id, e.sequence, e.timestamp, e.type, e.data,
    e.parent_event_id, e.meta, e.redactions, e.file_path, e.old_hash, e.new_hash, e.diff_hash
  FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key`;

/** Events of a tenant, where they are chosen by their keys: SQLite must not go by the index of tenants. */
export const OF_TENANT = `COALESCE(e.tenant, '') = ?`;

/** The events of rows, with the texts that they refer to. */
export async function eventsOfRows(
  database: SqlExecutor,
  tenant: string,
  rows: readonly EventRow[],
  contents: 'read' | 'omit' = 'read',
): Promise<MemoryEvent[]> {
  const wanted = rows.flatMap((row) => [
    row.diff_hash,
    ...(contents === 'read' ? [row.old_hash, row.new_hash] : []),
  ]);
  const hashes = wanted.filter((hash) => hash !== null);
  const texts = hashes.length > 0 ? await readBlobs(database, tenant, hashes) : NO_TEXTS;
  return rows.map((row) => toEvent(row, texts));
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

function toEvent(row: EventRow, texts: ReadonlyMap<string, string>): MemoryEvent {
  const text = (hash: string | null): string | undefined =>
    hash === null ? undefined : texts.get(hash);
  return makeEvent({
    id: row.id,
    session_id: row.session_id,
    sequence: row.sequence,
    timestamp: row.timestamp,
    type: row.type,
    data: parseObject(row.data),
    parent: row.parent_event_id ?? undefined,
    meta: row.meta === null ? undefined : parseObject(row.meta),
    redactions: row.redactions,
    old: text(row.old_hash),
    new: text(row.new_hash),
    diff: text(row.diff_hash),
  });
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

function parseObject(json: string): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this package
  return JSON.parse(json) as JsonObject;
}
