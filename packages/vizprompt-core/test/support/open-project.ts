import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { VizPrompt, type OpenOptions, type VizPromptEvents } from '@vizprompt/core';
import type { Storage } from '@vizprompt/providers';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { postgresStorage, type PostgresStorageOptions } from '@vizprompt/providers/postgres';
import { inject, onTestFinished } from 'vitest';

/** Returns a folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-core-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Takes what is to be done when a storage is no longer needed. Default: it is done when the test ends. */
type AtEnd = (end: () => Promise<void>) => void;

/** Returns a schema of the server of the tests that is dropped when the test ends. */
function temporarySchema(name: string, atEnd: AtEnd = onTestFinished): PostgresStorageOptions {
  const connectionString = inject('databaseUrl');
  atEnd(async () => {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`DROP SCHEMA IF EXISTS "${name}", "${name}.cache" CASCADE`);
    await client.end();
  });
  return { connectionString, namespace: name };
}

/** All of a storage on PostgreSQL, files too. */
export function storageOnPostgres(atEnd?: AtEnd): Promise<Storage> {
  return postgresStorage(temporarySchema(`core_${randomBytes(6).toString('hex')}`, atEnd));
}

/** Returns a storage that is thrown away: in memory, or on PostgreSQL where the tests run on it. */
export function anyStorage(atEnd?: AtEnd): Promise<Storage> {
  return inject('database') === 'PostgreSQL' ? storageOnPostgres(atEnd) : inMemoryStorage();
}

/**
 * Returns how many random cases to try: `FUZZ_FACTOR` times as many as usual, and on PostgreSQL, where each
 * takes a new schema, a third of them.
 */
export function randomRuns(runs: number): number {
  const share = inject('database') === 'PostgreSQL' ? 1 / 3 : 1;
  return Math.ceil(runs * share * Number(process.env['FUZZ_FACTOR'] ?? 1));
}

/** Returns the database of a folder, if the tests run on PostgreSQL. Projects that are opened there share it. */
export function databaseOf(folder: string): PostgresStorageOptions | undefined {
  if (inject('database') !== 'PostgreSQL') return undefined;
  const known = schemas.get(folder);
  if (known) return known;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const schema = temporarySchema(`core_${name}`);
  schemas.set(folder, schema);
  return schema;
}

const schemas = new Map<string, PostgresStorageOptions>();

/** Opens the files of a folder, with SQLite or with PostgreSQL. */
export async function storageAt(folder: string): Promise<Storage> {
  const local = await openStorage(folder);
  const database = databaseOf(folder);
  if (!database) return local;
  const server = await postgresStorage(database);
  const close = async (): Promise<void> => {
    await Promise.all([local.close(), server.close()]);
  };
  return { ...server, files: local.files, close, [Symbol.asyncDispose]: close };
}

/** A project in a folder of its own. */
export interface TestProject {
  readonly folder: string;
  readonly vizprompt: VizPrompt;
  /** Closes it and its storage, which writes what it had left for later. */
  close(): Promise<void>;
  /** Closes it and opens it again. */
  reopen(options?: Omit<OpenOptions, 'storage'>): Promise<VizPrompt>;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
}

/** Opens a project without a folder, which is closed when the test ends. Prefer it where no file is tested: it takes a third of the time. */
export async function openProject(options: Omit<OpenOptions, 'storage'> = {}): Promise<VizPrompt> {
  const storage = await anyStorage();
  const vizprompt = await VizPrompt.open({ ...options, storage });
  onTestFinished(async () => {
    await vizprompt.close();
    await storage.close();
  });
  return vizprompt;
}

/** Opens a project in a folder of its own. */
export async function testProject(
  options: Omit<OpenOptions, 'storage'> = {},
): Promise<TestProject> {
  const folder = await temporaryFolder();
  let storage = await storageAt(folder);
  let vizprompt = await VizPrompt.open({ ...options, storage });
  const close = async (): Promise<void> => {
    await vizprompt.close();
    await storage.close();
  };
  onTestFinished(close);
  return {
    folder,
    get vizprompt() {
      return vizprompt;
    },
    close,
    async reopen(again = options) {
      await close();
      storage = await storageAt(folder);
      vizprompt = await VizPrompt.open({ ...again, storage });
      return vizprompt;
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    async write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    },
  };
}

/** Everything that a project said, in order. */
export function record(): {
  readonly heard: [name: string, payload: unknown][];
  readonly on: NonNullable<OpenOptions['on']>;
} {
  const heard: [string, unknown][] = [];
  const names: (keyof VizPromptEvents)[] = [
    'node:created',
    'node:updated',
    'node:deleted',
    'node:collided',
    'flow:created',
    'flow:updated',
    'flow:deleted',
    'problem:found',
    'index:progress',
    'map:repaired',
    'import:progress',
    'import:skipped',
    'build:progress',
    'build:failed',
  ];
  const on = Object.fromEntries(
    names.map((name) => [name, (payload: unknown) => heard.push([name, payload])]),
  );
  return { heard, on };
}

/** Returns the graph of the first flow, by prompts and responses. */
export async function shapeOf(vizprompt: VizPrompt): Promise<{ nodes: string[]; edges: string[] }> {
  const [summary] = await vizprompt.listFlows();
  const flow = await vizprompt.getFlow(summary?.id);
  const names = new Map<string, string>();
  for (const { id } of flow.nodes) {
    const { prompt, response } = await vizprompt.getNode(id);
    names.set(id, `${prompt} / ${response}`);
  }
  return {
    nodes: [...names.values()],
    edges: flow.connections.map(({ from, to }) => `${names.get(from)} → ${names.get(to)}`),
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
    /** The database of the tests' projects. Default: SQLite. */
    database?: 'PostgreSQL';
  }
}
