import type { SqlExecutor } from '@vizprompt/providers';
import { textOfBlob, type BlobRow } from './blob.ts';

/** How many blobs one query asks for. */
const AT_ONCE = 200;

/**
 * The texts of hashes. Those that are not stored are absent.
 *
 * @param onDamaged - Receives those that are not what their hashes say. Default: they are thrown.
 */
export async function readBlobs(
  database: SqlExecutor,
  tenant: string,
  hashes: Iterable<string>,
  onDamaged: (hash: string, error: unknown) => void = (_, error) => {
    throw error;
  },
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(hashes)];
  const texts = new Map<string, string>();
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE);
    const rows = await database.query<BlobRow>(
      `SELECT hash, size, encoding, data FROM memory_blobs
       WHERE tenant = ? AND hash IN (${some.map(() => '?').join(', ')})`,
      [tenant, ...some],
    );
    for (const row of rows) {
      try {
        texts.set(row.hash, textOfBlob(row));
      } catch (error) {
        onDamaged(row.hash, error);
      }
    }
  }
  return texts;
}
