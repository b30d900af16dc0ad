// #region chunks
import type { Database, Migration, Statement } from '@vizprompt/providers';
import { Chunk, type ChunkFields, type DocumentChange, type DocumentRef } from '@vizprompt/rag';

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'chunks',
    async up(tx) {
      await tx.execute(
        `CREATE TABLE stored_chunk (
          document TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (document, id)
        )`,
      );
    },
  },
];

/** JSON escapes what no database takes: NUL, and halves of surrogate pairs. */
const keyOf = ({ novelId, filePath }: DocumentRef): string => JSON.stringify([novelId, filePath]);

export function statementsOf(change: DocumentChange): readonly Statement[] {
  const document = keyOf(change);
  const clear = { sql: 'DELETE FROM stored_chunk WHERE document = ?', params: [document] };
  const rows = change.chunks.map((chunk) => ({
    sql: `INSERT INTO stored_chunk VALUES (?, ?, ?)
          ON CONFLICT (document, id) DO UPDATE SET body = excluded.body`,
    params: [document, JSON.stringify(chunk.id), JSON.stringify(chunk)],
  }));
  return change.isAddition ? rows : [clear, ...rows];
}

export async function chunksIn(database: Database, document?: DocumentRef): Promise<Chunk[]> {
  const where = document ? ' WHERE document = ?' : '';
  const rows = await database.query<{ body: string }>(
    `SELECT body FROM stored_chunk${where}`,
    document ? [keyOf(document)] : [],
  );
  return rows.map(({ body }) => {
    const fields = JSON.parse(body) as ChunkFields & { readonly ordinal: number };
    return new Chunk(fields, fields.ordinal);
  });
}

/** Returns the documents of some changes as they are stored. */
export function restore(
  database: Database,
  changes: readonly DocumentChange[],
): Promise<readonly DocumentChange[]> {
  return Promise.all(
    changes.map(async ({ novelId, filePath }) => {
      const chunks = await chunksIn(database, { novelId, filePath });
      return { novelId, filePath, chunks };
    }),
  );
}
// #endregion chunks
