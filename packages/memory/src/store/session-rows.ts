import { messageOf, type SqlExecutor, type SqlParameter } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { MemoryError } from '../errors.ts';
import { isId } from '../model/ids-and-times.ts';
import type { SessionInfo, SessionMetadata } from '../model/session.ts';
import type { MemoryContext, SessionKey } from './memory-context.ts';

/** A row of `memory_sessions`. */
export interface SessionRow {
  readonly key: number;
  readonly id: string;
  readonly workspace_path: string;
  readonly home_path: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly metadata: string;
  readonly event_count: number;
  readonly updated_at: string;
}

/** Selects rows as {@link SessionRow}; a condition follows. */
export const SELECT_SESSIONS = `
  SELECT key, id, workspace_path, home_path, started_at, ended_at, metadata, event_count, updated_at
  FROM memory_sessions`;

/**
 * The session of a row.
 *
 * @throws MemoryError `corrupt` if its metadata are damaged.
 */
export function toSession(row: SessionRow): SessionInfo {
  return sessionOf(row, readMetadata(row));
}

/** Returns the same where a damaged session must not hide the others: it has no metadata, and is marked. */
export function toListedSession(row: SessionRow): SessionInfo {
  try {
    return toSession(row);
  } catch (error) {
    return { ...sessionOf(row, {}), damaged: messageOf(error) };
  }
}

function readMetadata({ id, metadata }: SessionRow): SessionMetadata {
  let value: unknown;
  try {
    value = JSON.parse(metadata);
  } catch {
    // It says less than the error below.
  }
  if (isJsonObject(value)) return value;
  throw new MemoryError(
    'corrupt',
    `the metadata of the session '${id}' are no JSON object: check() lists all that is damaged; its events can be read`,
    { context: { session: id } },
  );
}

function sessionOf(row: SessionRow, metadata: SessionMetadata): SessionInfo {
  return {
    id: row.id,
    workspace_path: row.workspace_path,
    started_at: row.started_at,
    ended_at: row.ended_at,
    metadata,
    event_count: row.event_count,
    updated_at: row.updated_at,
  };
}

/** The row of a session, if there is one. */
export async function findSession(
  { tenant }: MemoryContext,
  database: SqlExecutor,
  id: string,
): Promise<SessionRow | undefined> {
  if (!isId(id)) return undefined;
  const params: readonly SqlParameter[] = [tenant, id];
  const [row] = await database.query<SessionRow>(
    `${SELECT_SESSIONS} WHERE tenant = ? AND id = ?`,
    params,
  );
  return row;
}

/** @throws MemoryError `session-not-found`. */
export async function getSession(context: MemoryContext, id: string): Promise<SessionInfo> {
  const row = await findSession(context, context.database, id);
  if (row) return toSession(row);
  throw sessionNotFound(id);
}

/**
 * Where a session lies, from memory where it was asked for before.
 *
 * @throws MemoryError `session-not-found`.
 */
export async function resolveSession(context: MemoryContext, id: string): Promise<SessionKey> {
  const known = context.sessions.get(id);
  if (known) return known;
  const row = await findSession(context, context.database, id);
  if (!row) throw sessionNotFound(id);
  const place = { key: row.key, workspace: row.workspace_path, home: row.home_path };
  if (context.sessions.size >= 1000) context.sessions.clear();
  context.sessions.set(id, place);
  return place;
}

/** The error for a session that is not there. */
export function sessionNotFound(id: unknown): MemoryError {
  return new MemoryError('session-not-found', `there is no session '${String(id)}'`, {
    context: { session: id },
  });
}
