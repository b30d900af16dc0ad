import { randomBytes } from 'node:crypto';
import { pgvectorStore } from '@vizprompt/providers/pgvector';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { sqliteDatabase } from '@vizprompt/providers/node';
import {
  testVectorStore,
  type OpenedSubject,
  type VectorStoreSubject,
} from '@vizprompt/providers/testing';
import type { Database, VectorStore } from '@vizprompt/providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pgPool, type PgPool } from '../../src/postgres/pg-pool.ts';
import { postgresDatabase } from '../../src/postgres/postgres-database.ts';
import { storageKinds } from '../support/subjects.ts';
import { startPglite, type PgliteServer } from '../support/pglite-server.ts';

const MADE = { dimensions: 8, model: 'suite' };
let server: PgliteServer;
beforeAll(async () => {
  server = await startPglite();
}, 120_000);
afterAll(() => server.close());

/** Returns the database of a storage, without its locks: they keep a transaction open, and PGlite has one session. */
async function openDatabase(): Promise<{ database: Database; pool: PgPool }> {
  const schema = `test_${randomBytes(4).toString('hex')}`;
  const target = {
    connectionString: server.connectionString,
    schema,
    maxConnections: 1,
    isDurable: true,
    connectTimeoutMs: 10_000,
  };
  const pool = pgPool(target);
  await pool.withClient(async (client) => {
    await client.query(`CREATE SCHEMA "${schema}"`);
  });
  return { database: postgresDatabase(pool, target, { isReplica: false }), pool };
}

for (const index of ['none', 'hnsw'] as const) {
  testVectorStore({
    name: `pgvector, index ${index}`,
    runner: { describe, it },
    open: async (): Promise<OpenedSubject<VectorStoreSubject>> => {
      const { database, pool } = await openDatabase();
      const open = (made = {}): VectorStore => pgvectorStore({ ...MADE, ...made, database, index });
      return {
        subject: { store: open(), another: async (made) => open(made) },
        close: () => pool.close(),
      };
    },
  });
}

describe('a store on pgvector', () => {
  it('names the command for the administrator where the server has no pgvector', async () => {
    const { storage, close } = await storageKinds['PostgreSQL']!();
    const failing = pgvectorStore({ ...MADE, database: storage.database }).count();
    await expect(failing).rejects.toMatchObject({ code: 'refused' });
    await expect(failing).rejects.toThrow('CREATE EXTENSION vector');
    await close();
  });

  it('wants PostgreSQL, and an index only where pgvector takes it', async () => {
    const sqlite = sqliteDatabase({ path: ':memory:' });
    expect(() => pgvectorStore({ ...MADE, database: sqlite })).toThrow('quantizedVectors()');
    const { database, pool } = await openDatabase();
    const wide = { database, dimensions: 3072 };
    expect(() => pgvectorStore({ ...wide, index: 'hnsw' })).toThrow("index: 'none'");
    const store = pgvectorStore({ ...wide, name: 'wide' });
    await store.upsert([{ id: 'a', vector: new Float32Array(3072).fill(1) }]);
    expect(await store.count()).toBe(1);
    await expect(quantizedVectors({ ...wide, name: 'wide' }).count()).rejects.toMatchObject({
      code: 'dimension-mismatch',
    });
    await pool.close();
    await sqlite.close();
  });
});
