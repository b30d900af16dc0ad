import { join } from 'node:path';
import { inMemoryStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { sqliteVecStore } from '@vizprompt/providers/sqlite-vec';
import { testVectorStore, type VectorStoreSubject } from '@vizprompt/providers/testing';
import type { Database, VectorStore } from '@vizprompt/providers';
import { describe, it } from 'vitest';
import { temporaryFolder } from '../support/subjects.ts';

const runner = { describe, it };
const MADE = { dimensions: 8, model: 'suite' };

type Open = (options: typeof MADE & { database: Database }) => VectorStore;

/** Opens handles with as many databases, on the same file. */
async function inFile(
  open: Open,
): Promise<{ subject: VectorStoreSubject; close(): Promise<void> }> {
  const folder = await temporaryFolder();
  const databases: { close(): Promise<void> }[] = [];
  const handle = (made = {}): VectorStore => {
    const database = sqliteDatabase({ path: join(folder.path, 'v.db'), durability: 'normal' });
    databases.push(database);
    return open({ ...MADE, ...made, database });
  };
  return {
    subject: { store: handle(), another: async (made) => handle(made) },
    async close() {
      await Promise.all(databases.map((database) => database.close()));
      await folder.remove();
    },
  };
}

testVectorStore({ name: 'sqlite-vec', runner, open: () => inFile(sqliteVecStore) });
testVectorStore({ name: 'quantized, in a file', runner, open: () => inFile(quantizedVectors) });
testVectorStore({
  name: 'quantized, in memory, few candidates',
  runner,
  open: async () => {
    const storage = await inMemoryStorage();
    const database = storage.cache;
    const store = quantizedVectors({ ...MADE, database, candidates: 300 });
    return {
      subject: {
        store,
        another: async (made) => quantizedVectors({ ...MADE, ...made, database }),
      },
      close: () => storage.close(),
    };
  },
});
