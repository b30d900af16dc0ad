import { MemoryStore } from '@vizprompt/memory';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { pgvectorStore } from '@vizprompt/providers/pgvector';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { expect, test } from 'vitest';
import { pgPool } from '../../../providers/src/postgres/pg-pool.ts';
import { postgresDatabase } from '../../../providers/src/postgres/postgres-database.ts';
import { startPglite } from '../../../providers/test/support/pglite-server.ts';

test('a memory on PostgreSQL finds events by meaning with pgvector', async () => {
  const server = await startPglite();
  const { connectionString } = server;
  const target = {
    connectionString,
    schema: 'public',
    maxConnections: 1,
    isDurable: true,
    connectTimeoutMs: 10_000,
  };
  const pool = pgPool(target);
  const database = postgresDatabase(pool, target, { isReplica: false });
  const local = await inMemoryStorage();
  try {
    const storage = { ...local, database, cache: database };
    const model = hashEmbeddings({ dimensions: 64 });
    const vectors = pgvectorStore({ database, dimensions: 64 });
    await using store = await MemoryStore.open({ storage, embeddings: { model, vectors } });
    const { id } = await store.startSession({ workspace: '/home/ann/app' });
    const other = await store.startSession({ workspace: '/home/ann/other' });
    await store.log(other.id, 'user_message', { content: 'authentcatoin' });
    const { id: event } = await store.log(id, 'thinking', { content: 'authentication' });
    await store.embedEvents();
    expect(await vectors.count()).toBe(2);
    const hits = await store.search('authentcatoins', { workspace: '/home/ann/app' });
    expect(hits.map((hit) => hit.event.id)).toEqual([event]);
    await store.forget({ event });
    expect(await vectors.count()).toBe(1);
  } finally {
    await local.close();
    await pool.close();
    await server.close();
  }
});
