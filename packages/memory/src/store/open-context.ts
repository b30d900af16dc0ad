import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { silentLogger, TypedEvents, type Database, type HeldLock } from '@vizprompt/providers';
import { lockFolder, sqliteDatabase } from '@vizprompt/providers/node';
import { makeFolders } from '@vizprompt/providers/internal';
import { createTextIndex } from '@vizprompt/providers/text';
import { assertStorable } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryEvents } from '../events.ts';
import { applyRetention, assertRetention } from '../forget/retention.ts';
import { assertKnownKeys } from '../known-keys.ts';
import type { MemoryStoreOptions, RetentionOptions } from '../options.ts';
import { redactionOptions } from '../redact/redaction-options.ts';
import { INDEX_FIELDS } from '../search/indexed-fields.ts';
import { memoryAnalyzer } from '../search/memory-analyzer.ts';
import { rebuildIndex } from '../search/rebuild-index.ts';
import { EventVectors } from '../vectors/event-vectors.ts';
import { assertEmbeddings } from '../vectors/vector-options.ts';
import type { MemoryContext } from './memory-context.ts';
import { memoryComponent } from './schema.ts';

/** Where the memory of this user lies, unless another path is given: `~/.ptta/ptta.db`. */
export function defaultMemoryPath(): string {
  return join(homedir(), '.ptta', 'ptta.db');
}

const OPTIONS: readonly (keyof MemoryStoreOptions)[] = [
  'path',
  'storage',
  'redact',
  'retention',
  'embeddings',
  'tenant',
  'analyzer',
  'maxContentBytes',
  'clock',
  'logger',
];

const MAX_CONTENT_BYTES = 32 * 1024 * 1024;

/** A context, and how to give back what was opened for it. */
export interface OpenedContext {
  readonly context: MemoryContext;
  readonly retention: RetentionOptions;
  close(): Promise<void>;
}

/** A search reads a page here and there of a file that may have a gigabyte. */
const MAP_BYTES = 2 ** 31;

/** What nobody else could want to hold. */
const UNSHARED: HeldLock = { lost: new AbortController().signal, release: async () => {} };

/** Makes the file if there is none, so that others cannot read it; SQLite gives its logs the same mode. */
async function makePrivate(file: string): Promise<void> {
  if (existsSync(file)) return;
  try {
    makeFolders(dirname(file));
    await (await open(file, 'ax', 0o600)).close();
  } catch {
    // It is there, or cannot be made, which the database tells better.
  }
}

/** Opens the database, brings its tables up to date and its index, where that is stale. */
export async function openContext(options: MemoryStoreOptions): Promise<OpenedContext> {
  assertKnownKeys('MemoryStore.open', options, OPTIONS);
  const { storage, path, tenant = '', logger = silentLogger, retention = {}, clock } = options;
  assertStorable(tenant, 'the tenant');
  if (path !== undefined) assertStorable(path, 'the path of the memory');
  if (path === '') throw new MemoryError('invalid-input', 'the path of the memory is empty');
  assertRetention(retention);
  if (options.embeddings) assertEmbeddings(options.embeddings);
  const redact = redactionOptions(options.redact);
  if (storage && path !== undefined) {
    throw new MemoryError('invalid-input', "give either 'path' or 'storage', not both");
  }
  const { maxContentBytes = MAX_CONTENT_BYTES } = options;
  if (!Number.isSafeInteger(maxContentBytes) || maxContentBytes <= 0) {
    throw new MemoryError(
      'invalid-input',
      `maxContentBytes is ${maxContentBytes}: it must be above 0`,
    );
  }
  // What was said is nobody else's business.
  if (!storage && path === undefined && !existsSync(dirname(defaultMemoryPath()))) {
    makeFolders(dirname(defaultMemoryPath()), 0o700);
  }
  const isInMemory = path === ':memory:';
  const file = storage || isInMemory ? undefined : resolve(path ?? defaultMemoryPath());
  if (file !== undefined) await makePrivate(file);
  const opened = storage
    ? undefined
    : sqliteDatabase({ path: file ?? ':memory:', mapBytes: MAP_BYTES });
  const database: Database | undefined = storage?.database ?? opened;
  if (!database) throw new MemoryError('invalid-input', 'there is no database');
  // Those who share a file share its locks; a memory that is never stored is shared by nobody.
  const locks = file === undefined ? undefined : lockFolder(`${file}-locks`);
  const lock: MemoryContext['lock'] = (name, how) => {
    if (storage) return storage.files.lock(name, how);
    return locks ? locks.lock(name, how) : Promise.resolve(UNSHARED);
  };
  const close = async (): Promise<void> => {
    await locks?.close();
    await opened?.close();
  };
  try {
    await database.migrate(memoryComponent.name, memoryComponent.migrations);
    const analyzer = options.analyzer ?? memoryAnalyzer();
    const index = await createTextIndex(database, {
      name: 'memory_text',
      table: 'memory_events',
      key: 'key',
      fields: INDEX_FIELDS,
      analyzer,
    });
    const context: MemoryContext = {
      database,
      index,
      analyzer,
      tenant,
      ...(file === undefined ? {} : { file }),
      lock,
      redact,
      maxContentBytes,
      clock: clock ? () => clock().getTime() : Date.now,
      logger,
      events: new TypedEvents<MemoryEvents>({ logger }),
      sessions: new Map(),
    };
    if (index.isStale) await rebuildIndex(context);
    await applyRetention(context, retention);
    if (!options.embeddings) return { context, retention, close };
    const vectors = await EventVectors.open(context, options.embeddings);
    return {
      context: { ...context, vectors },
      retention,
      async close() {
        await vectors.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
