import { createId, StorageError } from '@vizprompt/providers';
import { type Kinds, OBJECT, oneOf, optional, TEXT } from '@vizprompt/providers/config/internal';
import { omitUndefined } from '@vizprompt/providers/internal';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { assertId, toKeptTime } from '../model/ids-and-times.ts';
import { WORKSPACE } from '../model/input-kinds.ts';
import type { SessionInfo, SessionMetadata } from '../model/session.ts';
import { assertCleanId, Redactor, storedWorkspace } from '../redact/redactor.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { findSession, toSession } from '../store/session-rows.ts';
import { AUDIENCE, type Audience } from './audience.ts';
import { joinRepository } from './workspaces.ts';

/** A session that is to be started. */
export interface NewSession extends Audience {
  /** Default: a new UUID of version 7. */
  readonly id?: string | undefined;
  /** The folder that is worked in; a relative one is taken from the current one. Default: that one. */
  readonly workspace?: string | undefined;
  /** ISO 8601 with offset. Default: now. */
  readonly startedAt?: string | undefined;
  /** Title, tags, branch and the like, and whatever else is JSON. */
  readonly metadata?: SessionMetadata | undefined;
  /** The action if there is a session with this id: fail with `exists`, or return that one. Default: `'fail'`. */
  readonly ifExists?: 'fail' | 'keep' | undefined;
}

export const NEW_SESSION: Kinds<NewSession> = {
  id: optional(TEXT, { en: 'Default: a new UUID of version 7' }),
  workspace: WORKSPACE,
  startedAt: optional(TEXT, { en: 'Default: now' }),
  metadata: optional(OBJECT),
  ifExists: optional(oneOf('fail', 'keep')),
  ...AUDIENCE,
};

/** Starts a session and reports it, if it is new. */
export async function startSession(
  context: MemoryContext,
  session: NewSession,
): Promise<SessionInfo> {
  checkOptions('startSession', session, NEW_SESSION);
  const added = await addSession(context, session);
  if (added.isNew) {
    await joinRepository(context, added.session.workspace_path);
    context.events.emit('session:started', { session: added.session });
  }
  return added.session;
}

/** Returns the session with an id, added if it is new. */
export async function addSession(
  context: MemoryContext,
  { id, workspace, startedAt, metadata = {}, ifExists = 'fail', user, room }: NewSession,
): Promise<{ readonly session: SessionInfo; readonly isNew: boolean }> {
  const { database, tenant, clock, redact } = context;
  if (id !== undefined) assertId(id, 'the id of a session');
  assertCleanId(id, 'the id of a session', redact);
  const now = new Date(clock()).toISOString();
  const session: SessionInfo = {
    id: id ?? createId(clock()),
    workspace_path: storedWorkspace(workspace, redact),
    started_at: startedAt === undefined ? now : toKeptTime(startedAt, 'startedAt'),
    ended_at: null,
    metadata: cleanMetadata(context, { ...metadata, ...omitUndefined({ user, room }) }),
    event_count: 0,
    updated_at: now,
  };
  try {
    await database.execute(
      `INSERT INTO memory_sessions (tenant, id, workspace_path, home_path, started_at, ended_at,
         metadata, event_count, updated_at) VALUES (?, ?, ?, ?, ?, NULL, ?, 0, ?)`,
      [
        tenant,
        session.id,
        session.workspace_path,
        session.workspace_path,
        session.started_at,
        JSON.stringify(session.metadata),
        now,
      ],
    );
    return { session, isNew: true };
  } catch (error) {
    if (!StorageError.isInstance(error) || error.code !== 'constraint') throw error;
    const row = await findSession(context, database, session.id);
    if (!row) throw error;
    if (ifExists === 'keep') return { session: toSession(row), isNew: false };
    throw new MemoryError('exists', `there is a session '${session.id}' already`, {
      context: { session: session.id },
    });
  }
}

/** Metadata that is checked and holds no secrets. */
export function cleanMetadata(
  { redact, maxMetadataBytes: most }: Pick<MemoryContext, 'redact' | 'maxMetadataBytes'>,
  metadata: unknown,
): SessionMetadata {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw new MemoryError('invalid-input', 'the metadata of a session must be an object');
  }
  const clean = new Redactor(redact).object(metadata, 'metadata');
  const bytes = Buffer.byteLength(JSON.stringify(clean));
  if (bytes > most) {
    throw new MemoryError(
      'too-large',
      `the metadata of a session take ${bytes} bytes and at most ${most} are stored: log what is long as events, ` +
        `or raise maxMetadataBytes`,
    );
  }
  const { tags, branch, initial_context: initial, user, room } = clean;
  const isTags = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  for (const [name, isFine, wanted] of [
    ['tags', tags === undefined || isTags, 'a list of texts'],
    ['branch', branch === undefined || typeof branch === 'string', 'a text'],
    ['initial_context', initial === undefined || typeof initial === 'string', 'a text'],
    ['user', user === undefined || typeof user === 'string', 'a text'],
    ['room', room === undefined || typeof room === 'string', 'a text'],
  ] as const) {
    if (isFine) continue;
    throw new MemoryError('invalid-input', `the ${name} in the metadata must be ${wanted}`);
  }
  return clean;
}
