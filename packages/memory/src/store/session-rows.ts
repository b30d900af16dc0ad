import type { SqlExecutor, SqlParameter } from '@vizprompt/providers';
import { damageOf, isIsoTime, StoredRow } from '@vizprompt/providers/internal';
import { shownValue } from '@vizprompt/providers/config/internal';
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
 * Returns the session of a row.
 *
 * @throws StorageError `corrupt` with the place, if a field is not what was written.
 */
export function toSession(row: SessionRow): SessionInfo {
  const stored = new StoredRow('memory_sessions', row.id);
  return {
    id: stored.text('id', row.id),
    workspace_path: stored.text('workspace_path', row.workspace_path),
    started_at: stored.isoTime('started_at', row.started_at),
    ended_at: row.ended_at === null ? null : stored.isoTime('ended_at', row.ended_at),
    metadata: metadataOf(stored, row.metadata),
    event_count: eventCountOf(row),
    updated_at: stored.isoTime('updated_at', row.updated_at),
  };
}

/** @throws StorageError `corrupt`. */
export function eventCountOf({ id, event_count: count }: SessionRow): number {
  return new StoredRow('memory_sessions', id).whole('event_count', count);
}

/** Returns the same where a damaged session must not hide the others: it is marked, and has what can be read. */
export function toListedSession(row: SessionRow): SessionInfo {
  try {
    return toSession(row);
  } catch (error) {
    const damage = damageOf(error);
    if (!damage) throw error;
    const { field, problem } = damage;
    const time = (value: string): string => (isIsoTime(value) ? value : LOST_TIME);
    return {
      id: row.id,
      workspace_path: typeof row.workspace_path === 'string' ? row.workspace_path : '',
      started_at: time(row.started_at),
      ended_at: row.ended_at === null ? null : time(row.ended_at),
      metadata: readableMetadata(row),
      event_count: Number.isSafeInteger(row.event_count) ? row.event_count : 0,
      updated_at: time(row.updated_at),
      damaged: `${field}: ${problem}`,
    };
  }
}

/** Shown for a time that is damaged, so that lists and exports of the session can be read. */
const LOST_TIME = new Date(0).toISOString();

/** Returns the metadata of a session, or none if they are damaged. */
function readableMetadata({ id, metadata }: Pick<SessionRow, 'id' | 'metadata'>): SessionMetadata {
  try {
    return metadataOf(new StoredRow('memory_sessions', id), metadata);
  } catch (error) {
    if (!damageOf(error)) throw error;
    return {};
  }
}

function metadataOf(stored: StoredRow, json: string): SessionMetadata {
  const all = stored.object('metadata', json);
  const { branch, initial_context: initial, tags, user, room, ...more } = all;
  return {
    ...more,
    ...(branch === undefined ? {} : { branch: stored.text('metadata.branch', branch) }),
    ...(initial === undefined
      ? {}
      : { initial_context: stored.text('metadata.initial_context', initial) }),
    ...(user === undefined ? {} : { user: stored.text('metadata.user', user) }),
    ...(room === undefined ? {} : { room: stored.text('metadata.room', room) }),
    ...(tags === undefined ? {} : { tags: stored.textList('metadata.tags', tags) }),
  };
}

/** Returns the row of a session, if there is one. */
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

/** Returns the error for a session that is not there. */
export function sessionNotFound(id: unknown): MemoryError {
  const message =
    typeof id === 'string'
      ? `there is no session '${id}'`
      : `the session: expected its id, as session.id, got ${shownValue(id)}`;
  return new MemoryError('session-not-found', message, { context: { session: id } });
}
