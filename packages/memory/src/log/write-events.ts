import { StorageError, type Row, type Statement } from '@vizprompt/providers';
import { putBlob, type Blob } from '../blob/blob.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { tagsOf } from '../search/event-tags.ts';
import { contentsBehind } from '../search/indexed-words.ts';
import { findSession, sessionNotFound } from '../session/session-rows.ts';
import type { MemoryContext, SessionPlace } from '../store/memory-context.ts';
import { makeEvent } from './event-rows.ts';
import type { EventRecord } from './event-record.ts';
import { newContents, type NewContents } from './new-contents.ts';
import type { PreparedEvent } from './prepare-event.ts';

/** A session that is gone or ended has no number for an event, and the batch fails as a whole. */
const insertEvent = (
  running: string,
): string => `INSERT INTO memory_events (tenant, id, session_key, sequence, timestamp, type,
    data, parent_event_id, meta, redactions, file_path, old_hash, new_hash, diff_hash,
    intention_event_id)
  VALUES (?, ?, ?, (SELECT event_count FROM memory_sessions WHERE key = ?${running}) - ?,
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const countEvents = (running: string): string => `UPDATE memory_sessions
  SET event_count = event_count + ?, updated_at = ? WHERE key = ?${running} RETURNING event_count`;
const RUNNING = ' AND ended_at IS NULL';
const INSERT = { running: insertEvent(RUNNING), any: insertEvent('') };
const COUNT = { running: countEvents(RUNNING), any: countEvents('') };
const KEY_OF_EVENT = 'SELECT key FROM memory_events WHERE tenant = ? AND id = ?';
/** On SQLite, right behind the insertion. */
const NEWEST_KEY = { sql: 'SELECT last_insert_rowid()' };

/** Which sessions may be written to. */
export type SessionState = 'running' | 'any';

/**
 * Writes events behind those of a session: rows, contents and words in one transaction.
 *
 * @throws MemoryError `session-not-found`, `session-ended` or `exists`.
 */
export async function writeEvents(
  context: MemoryContext,
  session: string,
  place: SessionPlace,
  events: readonly PreparedEvent[],
  into: SessionState = 'running',
): Promise<MemoryEvent[]> {
  const first = await writeRecords(context, session, place, events, into);
  return events.map((event, index) => asEvent(event, session, first + index));
}

/**
 * The same for records.
 *
 * @returns The sequence of the first one.
 */
export async function writeRecords(
  context: MemoryContext,
  session: string,
  place: SessionPlace,
  events: readonly EventRecord[],
  into: SessionState,
): Promise<number> {
  if (events.length === 0) return 0;
  const fresh = await newContents(context, place, events);
  let counted: readonly (readonly Row[])[];
  try {
    counted = await context.database.batchRows(statementsFor(context, place, events, fresh, into));
  } catch (error) {
    throw await explain(context, session, events, error);
  }
  return Number(counted[0]?.[0]?.['event_count'] ?? 0) - events.length + 1;
}

/** What a batch of events writes: first how many they are, which numbers them. */
function statementsFor(
  context: MemoryContext,
  { key, home }: SessionPlace,
  events: readonly EventRecord[],
  fresh: NewContents,
  into: SessionState,
): readonly Statement[] {
  const { tenant, index, database } = context;
  const now = new Date(context.clock()).toISOString();
  const statements: Statement[] = [{ sql: COUNT[into], params: [events.length, now, key] }];
  for (const blob of fresh.blobs) statements.push(putBlob(database.dialect, tenant, blob));
  for (const [place, event] of events.entries()) {
    const { blobs } = event;
    statements.push({
      sql: INSERT[into],
      params: [
        tenant,
        event.id,
        key,
        key,
        events.length - 1 - place,
        event.timestamp,
        event.type,
        event.json,
        event.parent ?? null,
        event.metaJson ?? null,
        event.redactions,
        event.path ?? null,
        hashOrNull(blobs.old),
        hashOrNull(blobs.new),
        hashOrNull(blobs.diff),
        event.intention ?? null,
      ],
    });
    const id =
      database.dialect === 'sqlite'
        ? NEWEST_KEY
        : { sql: KEY_OF_EVENT, params: [tenant, event.id] };
    const { terms } = event.words;
    const contents = contentsBehind(event.words, fresh.contents.get(event.id) ?? []);
    const { characters } = contents;
    const tags = tagsOf({ ...event, tenant, workspace: home, session: key, characters });
    const fields = { detail: contents.text };
    statements.push(...index.put({ id, terms, fields, tags, isNew: true }));
  }
  return statements;
}

function hashOrNull(blob: Blob | undefined): string | null {
  return blob?.hash ?? null;
}

/** An event as it was prepared. */
export function asEvent(event: PreparedEvent, session: string, sequence: number): MemoryEvent {
  return makeEvent({ ...event, ...event.texts, session_id: session, sequence });
}

/** Why a batch was refused, if the session or an id is the reason. */
async function explain(
  context: MemoryContext,
  session: string,
  events: readonly EventRecord[],
  error: unknown,
): Promise<unknown> {
  if (!StorageError.isInstance(error) || error.code !== 'constraint') return error;
  const { database, tenant, sessions } = context;
  const row = await findSession(context, database, session);
  if (!row) {
    sessions.delete(session);
    return sessionNotFound(session);
  }
  if (row.ended_at !== null) {
    return new MemoryError(
      'session-ended',
      `the session '${session}' ended at ${row.ended_at}: start another one, or open it again first`,
      { context: { session } },
    );
  }
  const ids = new Set<string>();
  for (const { id } of events) {
    const [known] = await database.query(KEY_OF_EVENT, [tenant, id]);
    if (known || ids.has(id)) {
      return new MemoryError('exists', `there is an event '${id}' already`, {
        context: { event: id },
        cause: error,
      });
    }
    ids.add(id);
  }
  return error;
}
