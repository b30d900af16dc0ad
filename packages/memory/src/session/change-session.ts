import { type Kinds, OBJECT, optional, orNull, TEXT } from '@vizprompt/providers/config/internal';
import { checkOptions } from '../check-values.ts';
import { toKeptTime } from '../model/ids-and-times.ts';
import { WORKSPACE } from '../model/input-kinds.ts';
import type { SessionInfo, SessionMetadata } from '../model/session.ts';
import { storedWorkspace } from '../redact/redactor.ts';
import { HASH_COLUMNS, hashesOf, sweepBlobs, type Hashes } from '../store/blobs.ts';
import { EVENT_BYTES } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { findSession, getSession, sessionNotFound, toSession } from '../store/session-rows.ts';
import { cleanMetadata } from './start-session.ts';

/** The changes of a session; the rest stays. */
export interface SessionChange {
  readonly workspace?: string | undefined;
  /** ISO 8601 with offset; `null` opens an ended session again. */
  readonly endedAt?: string | null | undefined;
  /** Keys that are set replace those of the same name; `null` takes one away. */
  readonly metadata?: Readonly<Record<string, SessionMetadata[string] | null>> | undefined;
}

export const SESSION_CHANGE: Kinds<SessionChange> = {
  workspace: WORKSPACE,
  endedAt: optional(orNull(TEXT)),
  metadata: optional(OBJECT),
};

/** Ends a session and reports it; an ended one stays as it is. */
export async function endSession(context: MemoryContext, id: string): Promise<SessionInfo> {
  const before = await getSession(context, id);
  if (before.ended_at !== null) return before;
  const endedAt = new Date(context.clock()).toISOString();
  const session = await changeSession(context, id, { endedAt });
  context.events.emit('session:ended', { session });
  return session;
}

/** Changes a session and reports it. */
export async function updateSession(
  context: MemoryContext,
  id: string,
  change: SessionChange,
): Promise<SessionInfo> {
  const session = await changeSession(context, id, change);
  context.events.emit('session:updated', { session });
  return session;
}

/** @throws MemoryError `session-not-found`. */
export async function changeSession(
  context: MemoryContext,
  id: string,
  change: SessionChange,
): Promise<SessionInfo> {
  const { database, tenant, clock, redact, sessions } = context;
  checkOptions('updateSession', change, SESSION_CHANGE);
  const { workspace, endedAt, metadata } = change;
  const path = workspace === undefined ? undefined : storedWorkspace(workspace, redact);
  const ended = typeof endedAt === 'string' ? toKeptTime(endedAt, 'endedAt') : endedAt;
  const now = new Date(clock()).toISOString();
  const session = await database.transaction(async (tx) => {
    const row = await findSession(context, tx, id);
    if (!row) throw sessionNotFound(id);
    const before = toSession(row);
    const merged = { ...before.metadata, ...metadata };
    const kept = Object.entries(merged).filter(([, value]) => value !== null);
    const after: SessionInfo = {
      ...before,
      workspace_path: path ?? before.workspace_path,
      ended_at: ended === undefined ? before.ended_at : ended,
      metadata: cleanMetadata(context, Object.fromEntries(kept)),
      updated_at: now,
    };
    await tx.execute(
      `UPDATE memory_sessions SET workspace_path = ?, ended_at = ?, metadata = ?, updated_at = ?
       WHERE tenant = ? AND id = ?`,
      [
        after.workspace_path,
        after.ended_at,
        JSON.stringify(after.metadata),
        after.updated_at,
        tenant,
        id,
      ],
    );
    return after;
  });
  sessions.delete(id);
  return session;
}

/**
 * Deletes a session with its events, their words in the index, and contents that nothing else needs.
 *
 * @returns How many events it had, and how many bytes these and their contents took.
 * @throws MemoryError `session-not-found`.
 */
export async function removeSession(
  context: MemoryContext,
  id: string,
): Promise<{ readonly events: number; readonly bytes: number }> {
  const { database, index, sessions } = context;
  const row = await findSession(context, database, id);
  if (!row) throw sessionNotFound(id);
  const events = { sql: 'SELECT key FROM memory_events WHERE session_key = ?', params: [row.key] };
  const statements = [
    // A process that adds an event counts it first, and waits until this is over: no word of it may stay.
    {
      sql: 'UPDATE memory_sessions SET event_count = event_count WHERE key = ?',
      params: [row.key],
    },
    ...index.remove(events),
    { sql: DELETE_EVENTS, params: [row.key] },
    { sql: 'DELETE FROM memory_sessions WHERE key = ?', params: [row.key] },
  ];
  const rows = (await database.batchRows(statements)).flat();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only one of them gives rows
  const gone = rows as unknown as readonly DeletedRow[];
  sessions.delete(id);
  await context.settler.settle();
  const contents = await sweepBlobs(context, gone.flatMap(hashesOf));
  await context.vectors?.remove(gone);
  const bytes = gone.reduce((sum, event) => sum + event.bytes, contents);
  return { events: gone.length, bytes };
}

const DELETE_EVENTS = `DELETE FROM memory_events WHERE session_key = ?
  RETURNING key, id, ${HASH_COLUMNS.join(', ')}, ${EVENT_BYTES} AS bytes`;

interface DeletedRow extends Hashes {
  readonly key: number;
  readonly id: string;
  readonly bytes: number;
}
