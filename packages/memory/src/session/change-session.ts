import type { SessionInfo } from '../model/session.ts';
import { Cleaner } from '../redact/clean-json.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { toKeptTime } from '../store/times.ts';
import { assertKnownKeys } from '../known-keys.ts';
import { storedWorkspace } from '../workspace/stored-path.ts';
import type { SessionChange } from './session-options.ts';
import { findSession, sessionNotFound, toSession } from './session-rows.ts';
import { cleanMetadata } from './start-session.ts';

/** @throws MemoryError `session-not-found`. */
export async function changeSession(
  context: MemoryContext,
  id: string,
  change: SessionChange,
): Promise<SessionInfo> {
  const { database, tenant, clock, redact, sessions } = context;
  assertKnownKeys('updateSession', change, ['workspace', 'endedAt', 'metadata']);
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
      metadata: cleanMetadata(new Cleaner(redact), Object.fromEntries(kept)),
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
