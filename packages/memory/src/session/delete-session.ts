import { sweepBlobs } from '../blob/sweep-blobs.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { findSession, sessionNotFound } from './session-rows.ts';

/**
 * Deletes a session with its events, their words in the index, and contents that nothing else needs.
 *
 * @returns How many events it had.
 * @throws MemoryError `session-not-found`.
 */
export async function deleteSession(context: MemoryContext, id: string): Promise<number> {
  const { database, index, sessions } = context;
  const row = await findSession(context, database, id);
  if (!row) throw sessionNotFound(id);
  // Events that another process adds meanwhile go, too: the index must not keep words of what is gone.
  const events = await database.transaction(async (tx) => {
    const gone = await tx.query<{ key: number; id: string } & Hashes>(
      `DELETE FROM memory_events WHERE session_key = ?
       RETURNING key, id, old_hash, new_hash, diff_hash`,
      [row.key],
    );
    for (const { sql, params } of gone.flatMap(({ key }) => index.remove(key))) {
      await tx.execute(sql, params);
    }
    await tx.execute('DELETE FROM memory_sessions WHERE key = ?', [row.key]);
    return gone;
  });
  sessions.delete(id);
  await sweepBlobs(context, events.flatMap(hashesOf));
  await context.vectors?.remove(events);
  return events.length;
}

interface Hashes {
  readonly old_hash: string | null;
  readonly new_hash: string | null;
  readonly diff_hash: string | null;
}

/** The contents that an event refers to. */
export function hashesOf({ old_hash, new_hash, diff_hash }: Hashes): string[] {
  return [old_hash, new_hash, diff_hash].filter((hash) => hash !== null);
}
