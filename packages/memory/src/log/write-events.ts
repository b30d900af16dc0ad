import { StorageError, type Row, type Statement } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import { tagsOf } from '../indexing/event-tags.ts';
import { wordsWith } from '../indexing/indexed-words.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { putBlob } from '../store/blob.ts';
import type { Content } from '../store/content.ts';
import { makeEvent } from '../store/event-rows.ts';
import type { MemoryContext, SessionPlace } from '../store/memory-context.ts';
import { findSession, sessionNotFound } from '../store/session-rows.ts';
import type { EventRecord, SessionRecords, WrittenRecords } from './event-record.ts';
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
  const own = { session, place, records: events };
  const [written] = await writeRecords(context, [own], into);
  return events.map((event, index) => asEvent(event, session, (written?.first ?? 0) + index));
}

/** The same for records of several sessions. */
export async function writeRecords<Written extends EventRecord>(
  context: MemoryContext,
  groups: readonly SessionRecords<Written>[],
  into: SessionState,
): Promise<readonly WrittenRecords<Written>[]> {
  const some = groups
    .filter(({ records }) => records.length > 0)
    // So that writers never wait for each other in a circle.
    .toSorted((a, b) => a.place.key - b.place.key);
  if (some.length === 0) return [];
  const fresh = await newContents(context, some);
  let counted: readonly (readonly Row[])[];
  try {
    counted = await context.database.batchRows(statementsFor(context, some, fresh, into));
  } catch (error) {
    throw await explain(context, some, into, error);
  }
  return some.map((group, index) => {
    const count = Number(counted[index]?.[0]?.['event_count'] ?? 0);
    return { ...group, first: count - group.records.length + 1 };
  });
}

/** What events write: first how many they are in each session, which numbers them. */
function statementsFor(
  context: MemoryContext,
  groups: readonly SessionRecords[],
  fresh: NewContents,
  into: SessionState,
): readonly Statement[] {
  const { tenant, database } = context;
  const now = new Date(context.clock()).toISOString();
  const statements: Statement[] = groups.map(({ place, records }) => {
    return { sql: COUNT[into], params: [records.length, now, place.key] };
  });
  for (const blob of fresh.blobs) statements.push(putBlob(database.dialect, tenant, blob));
  for (const { place, records } of groups) {
    for (const [index, record] of records.entries()) {
      const behind = records.length - 1 - index;
      statements.push(insertionOf(context, place, record, behind, into));
      statements.push(...wordsOf(context, place, record, fresh));
    }
  }
  return statements;
}

/** @param behind - How many events of the batch follow it in its session. */
function insertionOf(
  { tenant }: MemoryContext,
  { key }: SessionPlace,
  event: EventRecord,
  behind: number,
  into: SessionState,
): Statement {
  const { wholes } = event;
  return {
    sql: INSERT[into],
    params: [
      tenant,
      event.id,
      key,
      key,
      behind,
      event.timestamp,
      event.type,
      event.json,
      event.parent ?? null,
      event.metaJson ?? null,
      event.redactions,
      event.path ?? null,
      hashOrNull(wholes.old),
      hashOrNull(wholes.new),
      hashOrNull(wholes.diff),
      event.intention ?? null,
    ],
  };
}

/** What the index is told of the event that was inserted last. */
function wordsOf(
  { analyzer, tenant, index, database }: MemoryContext,
  { key, home }: SessionPlace,
  event: EventRecord,
  fresh: NewContents,
): readonly Statement[] {
  const id =
    database.dialect === 'sqlite' ? NEWEST_KEY : { sql: KEY_OF_EVENT, params: [tenant, event.id] };
  const { terms, characters } = wordsWith(
    event.words,
    fresh.contents.get(event.id) ?? [],
    analyzer,
  );
  const { text, path, detail } = characters;
  const all = { tenant, workspace: home, session: key, characters: text + path + detail };
  return index.put({ id, terms, fields: {}, tags: tagsOf({ ...event, ...all }), isNew: true });
}

function hashOrNull(whole: Content | undefined): string | null {
  return whole?.hash ?? null;
}

/** An event as it was prepared. */
export function asEvent(event: PreparedEvent, session: string, sequence: number): MemoryEvent {
  return makeEvent({ ...event, ...event.texts, session_id: session, sequence });
}

/** Why events were refused, if a session or an id is the reason. */
async function explain(
  context: MemoryContext,
  groups: readonly SessionRecords[],
  into: SessionState,
  error: unknown,
): Promise<unknown> {
  if (!StorageError.isInstance(error) || error.code !== 'constraint') return error;
  const { database, tenant, sessions } = context;
  for (const { session } of groups) {
    const row = await findSession(context, database, session);
    if (!row) {
      sessions.delete(session);
      return sessionNotFound(session);
    }
    if (into === 'running' && row.ended_at !== null) {
      return new MemoryError(
        'session-ended',
        `the session '${session}' ended at ${row.ended_at}: start another one, or open it again first`,
        { context: { session } },
      );
    }
  }
  const ids = new Set<string>();
  for (const { id } of groups.flatMap(({ records }) => records)) {
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
