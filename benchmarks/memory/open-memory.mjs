// Opens a memory in a file, or on a PostgreSQL server, with a count of its statements.
import { MemoryStore } from '@vizprompt/memory';
import { postgresStorage } from '@vizprompt/providers/postgres';

/** @param {{ path?: string, url?: string }} place */
export async function openMemory({ path, url }) {
  if (url === undefined) {
    const store = await MemoryStore.open({ path });
    return { store, statements: () => 0, close: () => store.close() };
  }
  const storage = await postgresStorage({ connectionString: url, namespace: 'bench' });
  const { database } = storage;
  let count = 0;
  const counted = {
    ...database,
    query: (...args) => {
      count++;
      return database.query(...args);
    },
  };
  const store = await MemoryStore.open({ storage: { ...storage, database: counted } });
  const close = async () => {
    await store.close();
    await storage.close();
  };
  return { store, statements: () => count, close };
}
