import type { Storage } from '@vizprompt/providers';
import { onTestFinished } from 'vitest';
import { afterFile } from '../../../providers/test/support/after-file.ts';
import { onPostgres, type StorageSubject } from '../../../providers/test/support/subjects.ts';

/** Storages with the tables of a store and no rows, which another test of this file may have. */
const empty: StorageSubject[] = [];
/** The tables that record which migrations have run, and the analyzer of the empty index. */
const LASTING = ['vizprompt_migrations', 'derived_text_index'];
const TABLES = [
  ...LASTING,
  ...['fresh', 'segment', 'page', 'block', 'gone', 'merge'].map(
    (part) => `derived_memory_text__${part}`,
  ),
  'files_file',
  'memory_blobs',
  'memory_events',
  'memory_sessions',
  'memory_workspaces',
  'files_lock',
];

/** Returns an empty storage. Creating its tables takes ten times as long as most tests, so tests share them. */
export async function newPostgres(): Promise<Storage> {
  const subject = empty.pop() ?? (await open());
  onTestFinished(async () => {
    if (await deleteRows(subject.storage)) empty.push(subject);
  });
  return subject.storage;
}

async function open(): Promise<StorageSubject> {
  const subject = await onPostgres();
  afterFile(async () => {
    empty.splice(0);
    await subject.close();
  });
  return subject;
}

/** Deletes all rows, unless a test left other tables than those of a store, or closed the storage. */
async function deleteRows({ database }: Storage): Promise<boolean> {
  try {
    const tables = await database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
    );
    const names = tables.map(({ name }) => name);
    if (names.some((name) => !TABLES.includes(name))) return false;
    await database.batch(
      names
        .filter((name) => !LASTING.includes(name))
        .map((name) => ({ sql: `DELETE FROM ${name}` })),
    );
    return true;
  } catch {
    return false;
  }
}
