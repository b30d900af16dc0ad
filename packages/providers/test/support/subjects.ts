import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';
import type { Storage } from '@vizprompt/providers';
import type Pg from 'pg';
import { afterAll, inject } from 'vitest';

/** A storage for one test, and a way to open it a second time. */
export interface StorageSubject {
  readonly storage: Storage;
  reopen(): Promise<Storage>;
  /** Closes what was opened and deletes the data. */
  close(): Promise<void>;
}

/** Returns a temporary folder that lives as long as `work`. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'vizprompt-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

async function subjectFrom(
  open: () => Promise<Storage>,
  cleanUp: () => Promise<void>,
): Promise<StorageSubject> {
  const opened: Storage[] = [];
  const reopen = async (): Promise<Storage> => {
    const storage = await open();
    opened.push(storage);
    return storage;
  };
  return {
    storage: await reopen(),
    reopen,
    async close() {
      await Promise.all(opened.map((storage) => storage.close()));
      await cleanUp();
    },
  };
}

export async function onDisk(): Promise<StorageSubject> {
  const folder = await temporaryFolder();
  return subjectFrom(() => openStorage(folder.path), folder.remove);
}

export async function inMemory(): Promise<StorageSubject> {
  const storage = await inMemoryStorage();
  return { storage, reopen: async () => storage, close: () => storage.close() };
}

export async function onPostgres(): Promise<StorageSubject> {
  const connectionString = inject('databaseUrl');
  const namespace = `test_${randomBytes(6).toString('hex')}`;
  const open = (): Promise<Storage> => postgresStorage({ connectionString, namespace });
  return subjectFrom(open, () => dropNamespace(connectionString, namespace));
}

/**
 * Returns how to open one storage of PostgreSQL test after test, empty each time: a namespace of its own takes
 * longer than most tests. For tests that do not close their storage.
 */
export function emptiedPostgres(): () => Promise<StorageSubject> {
  let opening: Promise<StorageSubject> | undefined;
  let opened: StorageSubject | undefined;
  let another: Promise<Storage> | undefined;
  afterAll(() => opened?.close());
  return async () => {
    opened = await (opening ??= onPostgres());
    const { storage, reopen } = opened;
    const empty = async (): Promise<void> => {
      for (const database of [storage.database, storage.cache]) await database.execute(EMPTY);
    };
    return { storage, reopen: () => (another ??= reopen()), close: empty };
  };
}

/** Drops all tables of a schema but those of files, which only opening creates. */
const EMPTY = `DO $$
  DECLARE name TEXT;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
      IF name LIKE 'files%' THEN EXECUTE format('DELETE FROM %I', name);
      ELSE EXECUTE format('DROP TABLE %I CASCADE', name);
      END IF;
    END LOOP;
  END $$`;

/** One connection for each server, which serves test after test: a new one takes longer than what it is for. */
const administrators = new Map<string, Promise<Pg.Pool>>();

/** Deletes the schemas of a namespace. */
export async function dropNamespace(connectionString: string, namespace: string): Promise<void> {
  let administrator = administrators.get(connectionString);
  if (!administrator) {
    administrator = import('pg').then(({ default: pg }) => {
      const pool = new pg.Pool({ connectionString, max: 1, allowExitOnIdle: true });
      // The server may stop, or be started again, between two tests.
      return pool.on('error', () => undefined);
    });
    administrators.set(connectionString, administrator);
  }
  const pool = await administrator;
  await pool.query(`DROP SCHEMA IF EXISTS "${namespace}", "${namespace}.cache" CASCADE`);
}

/** Every kind of storage there is. */
export const storageKinds: Readonly<Record<string, () => Promise<StorageSubject>>> = {
  'files and SQLite': onDisk,
  'in memory': inMemory,
  PostgreSQL: onPostgres,
};
