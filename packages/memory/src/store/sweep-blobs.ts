import type { MemoryContext } from './memory-context.ts';

/** How many contents one transaction looks at. */
const AT_ONCE = 200;

const SWEEP = `DELETE FROM memory_blobs WHERE tenant = ? AND hash = ?
  AND NOT EXISTS (SELECT 1 FROM memory_events WHERE old_hash = memory_blobs.hash)
  AND NOT EXISTS (SELECT 1 FROM memory_events WHERE new_hash = memory_blobs.hash)
  AND NOT EXISTS (SELECT 1 FROM memory_events WHERE diff_hash = memory_blobs.hash)`;

/** Deletes those of some contents that no event refers to any more. */
export async function sweepBlobs(
  { database, tenant }: MemoryContext,
  hashes: Iterable<string>,
): Promise<void> {
  const candidates = [...new Set(hashes)].toSorted();
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    await database.batch(
      candidates.slice(at, at + AT_ONCE).flatMap((hash) => {
        const params = [tenant, hash];
        // Locked first: the deletion then sees the events of those who held the lock before.
        const lock = {
          sql: 'UPDATE memory_blobs SET size = size WHERE tenant = ? AND hash = ?',
          params,
        };
        const sweep = { sql: SWEEP, params };
        return database.dialect === 'sqlite' ? [sweep] : [lock, sweep];
      }),
    );
  }
}
