import { randomBytes } from 'node:crypto';
import type { Storage } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { openInMemory, type OpenEngine, type OpenJournal } from './open-engine.ts';

/** Opens a storage in a schema of its own. */
export async function postgres(): Promise<Storage> {
  const connectionString = inject('databaseUrl');
  const namespace = `flow_${randomBytes(6).toString('hex')}`;
  const storage = await postgresStorage({ connectionString, namespace });
  onTestFinished(async () => {
    await storage.close();
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`DROP SCHEMA IF EXISTS "${namespace}", "${namespace}.cache" CASCADE`);
    await client.end();
  });
  return storage;
}

/** Opens an engine whose journal is in PostgreSQL. */
export const openOnPostgres: OpenEngine = async (options) =>
  openInMemory({ storage: await postgres(), ...options });

/** Opens engines on one schema of PostgreSQL. */
export const sharedPostgres: OpenJournal = async () => {
  const storage = await postgres();
  return (options) => openInMemory({ storage, ...options });
};

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}
