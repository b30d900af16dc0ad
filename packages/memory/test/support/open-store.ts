import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore, type MemoryStoreOptions } from '@vizprompt/memory';
import type { Storage } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { inject, onTestFinished } from 'vitest';
import { newPostgres } from './postgres-storages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    database: 'SQLite' | 'PostgreSQL';
    databaseUrl: string;
  }
}

/** True if the tests run on PostgreSQL. */
export const ON_POSTGRES: boolean = inject('database') === 'PostgreSQL';

/** Returns a folder that lives as long as the test. */
export async function temporaryFolder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'vizprompt-memory-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Returns an empty storage of the kind that is tested. */
export async function newStorage(): Promise<Storage> {
  if (!ON_POSTGRES) {
    const storage = await inMemoryStorage();
    onTestFinished(() => storage.close());
    return storage;
  }
  return newPostgres();
}

/** Returns an empty store of the kind that is tested. */
export async function newStore(options: Partial<MemoryStoreOptions> = {}): Promise<MemoryStore> {
  const given = options.storage || options.path ? {} : { storage: await newStorage() };
  const store = await MemoryStore.open({ ...given, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Returns how many random cases to try: `FUZZ_FACTOR` times as many as usual. */
export function randomRuns(runs: number): number {
  return Math.ceil(runs * Number(process.env['FUZZ_FACTOR'] ?? 1));
}

/** Everything that a stream of pieces gives. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** All of a list. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
