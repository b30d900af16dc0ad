import { sweepBlobs } from '../store/blobs.ts';
import { hashesOf, type Hashes } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { findSession, sessionNotFound } from '../store/session-rows.ts';

/**
 * Deletes a session with its events, their words in the index, and contents that nothing else needs.
 *
 * @returns How many events it had.
 * @throws MemoryError `session-not-found`.
 */
export async function removeSession(context: MemoryContext, id: string): Promise<number> {
  const { database, index, sessions } = context;
  const row = await findSession(context, database, id);
  if (!row) throw sessionNotFound(id);
  const events = { sql: 'SELECT key FROM memory_events WHERE session_key = ?', params: [row.key] };
  const statements = [
    // Whoever adds an event counts it first, and waits until this is over: no word of it may stay.
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
  await sweepBlobs(context, gone.flatMap(hashesOf));
  await context.vectors?.remove(gone);
  return gone.length;
}

const DELETE_EVENTS = `DELETE FROM memory_events WHERE session_key = ?
  RETURNING key, id, old_hash, new_hash, diff_hash`;

interface DeletedRow extends Hashes {
  readonly key: number;
  readonly id: string;
}
