import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Storage } from '@vizprompt/providers';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { WorkflowEngine, type WorkflowEngineOptions } from '@vizprompt/workflow';
import { onTestFinished } from 'vitest';

/** Opens an engine that is closed when the test ends. */
export type OpenEngine = (options: WorkflowEngineOptions) => Promise<WorkflowEngine>;

/** Opens several engines on one journal. */
export type OpenJournal = () => Promise<OpenEngine>;

/** Opens an engine whose journal is in memory. */
export const openInMemory: OpenEngine = async (options) => {
  const engine = await WorkflowEngine.open(options);
  onTestFinished(() => engine.close());
  return engine;
};

/** Creates a folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-workflow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a storage in a folder of its own. */
export async function sqliteStorage(): Promise<Storage> {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  return storage;
}

/** Opens an engine whose journal is a new SQLite database, unless a storage is given. */
export const openOnSqlite: OpenEngine = async (options) => {
  // Which engines find their runs again is tested on files.
  const storage = await inMemoryStorage();
  onTestFinished(() => storage.close());
  return openInMemory({ storage, ...options });
};

/** Opens engines on one SQLite file. */
export const sharedSqlite: OpenJournal = async () => {
  const storage = await sqliteStorage();
  return (options) => openInMemory({ storage, ...options });
};
