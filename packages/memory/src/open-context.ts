import { existsSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  TypedEvents,
  type Database,
  type HeldLock,
  type Logger,
  type RedactOptions,
  type Storage,
} from '@vizprompt/providers';
import {
  ANYTHING,
  COUNT,
  FUNCTION,
  type Kind,
  type Kinds,
  listOf,
  LOGGER,
  objectOf,
  optional,
  POSITIVE,
  STORAGE,
  ANALYZER,
} from '@vizprompt/providers/config/internal';
import { silentLogger, makeFolders } from '@vizprompt/providers/internal';
import { lockFolder, sqliteDatabase } from '@vizprompt/providers/node';
import { createTextIndex, type TextAnalyzer, type TextIndex } from '@vizprompt/providers/text';
import { checkArgument, checkOptions, STORABLE } from './check-values.ts';
import { MemoryError } from './errors.ts';
import { checkListener, type MemoryEvents } from './events.ts';
import { type RetentionOptions, RETENTION_OPTIONS } from './forget/retention.ts';
import { INDEX_FIELDS, memoryAnalyzer } from './indexing/indexed-event.ts';
import { lockIndex, rebuildIndex } from './indexing/rebuild-index.ts';
import { redactionOptions } from './redact/redactor.ts';
import { IndexSettler } from './store/index-settler.ts';
import type { MemoryContext } from './store/memory-context.ts';
import { memoryComponent } from './store/schema.ts';
import { EventVectors } from './vectors/event-vectors.ts';
import {
  assertEmbeddings,
  EMBEDDING_OPTIONS,
  type EmbeddingOptions,
} from './vectors/vector-writer.ts';

/** Where the memory of this user lies, unless another path is given: `~/.ptta/ptta.db`. */
export function defaultMemoryPath(): string {
  return join(homedir(), '.ptta', 'ptta.db');
}

/** The calls of hooks that wait to be stored. */
export interface HookFiles {
  /** The folder with the files of hooks. Default: `~/.ptta`. */
  readonly folder?: string | undefined;
  /** Folders with calls that wait for this memory, besides its own. Default: none. */
  readonly spools?: readonly string[] | undefined;
  /** How long opening takes to store them, in milliseconds; the rest waits on. Default: until all are stored. */
  readonly patienceMs?: number | undefined;
}

/** Options of `MemoryStore.open`. */
export interface MemoryStoreOptions {
  /**
   * The SQLite file, made when missing so that only this user can read it; `':memory:'` for a memory that is
   * never stored. Default: `~/.ptta/ptta.db`. Not together with `storage`.
   */
  readonly path?: string | undefined;
  /** Another storage, such as `postgresStorage(...)`; the caller that opened it closes it. */
  readonly storage?: Storage | undefined;
  /**
   * Removes secrets from everything before it is stored: known formats and `<private>` parts.
   * `rules` are a list that comes on top of the default rules, or `{ add, remove }`; `false` stores everything as
   * it comes. Default: the default rules, no entropy.
   */
  readonly redact?: RedactOptions | false | undefined;
  /**
   * Applied when the store is opened, and by `applyRetention()`. Opening leaves no byte in a file of SQLite; tables of a server
   * are not rewritten by it. Default: everything stays.
   */
  readonly retention?: RetentionOptions | undefined;
  /**
   * Finds events by meaning next to words. Their vectors are made in the background, after the events are
   * stored; if the model is away, search goes by words alone, `vectors:failed` says so, and the vectors are
   * made up for later. Default: by words alone.
   */
  readonly embeddings?: EmbeddingOptions | undefined;
  /** Where `ptta hook` leaves what it was given, which opening the memory stores. */
  readonly hooks?: HookFiles | undefined;
  /** Separates the tenants of a database: none sees anything of another. Default: `''`. */
  readonly tenant?: string | undefined;
  /** How text is cut into words for the search. Default: `wordAnalyzer({ stems: 'english' })`. */
  readonly analyzer?: TextAnalyzer | undefined;
  /** The largest text of a file or event, in UTF-8 bytes. Default: 33,554,432 (32 MiB). */
  readonly maxContentBytes?: number | undefined;
  /** The largest metadata of a session, as bytes of JSON; they come with every list. Default: 1,048,576 (1 MiB). */
  readonly maxMetadataBytes?: number | undefined;
  /** Default: `() => new Date()`. */
  readonly clock?: (() => Date) | undefined;
  /** Default: a silent one. */
  readonly logger?: Logger | undefined;
}

const PATH: Kind<string> = {
  ...STORABLE,
  expected: 'the path of a file, without NUL and lone surrogates',
  accepts: (value) => STORABLE.accepts(value) && value !== '',
};
const HOOK_FILES: Kinds<HookFiles> = {
  folder: optional(PATH),
  spools: optional(listOf('paths of folders', PATH)),
  patienceMs: optional(COUNT),
};
const OPTIONS: Kinds<MemoryStoreOptions> = {
  path: optional(PATH),
  storage: optional(STORAGE),
  redact: ANYTHING,
  hooks: optional(objectOf<HookFiles>(HOOK_FILES)),
  retention: optional(objectOf<RetentionOptions>(RETENTION_OPTIONS)),
  embeddings: optional(objectOf<EmbeddingOptions>(EMBEDDING_OPTIONS)),
  tenant: optional(STORABLE),
  analyzer: optional(ANALYZER),
  maxContentBytes: optional(POSITIVE),
  maxMetadataBytes: optional(POSITIVE),
  clock: optional(FUNCTION),
  logger: optional(LOGGER),
};

const MAX_CONTENT_BYTES = 32 * 1024 * 1024;
const MAX_METADATA_BYTES = 1024 * 1024;

/** A context, and how to give back what was opened for it. */
export interface OpenedContext {
  readonly context: MemoryContext;
  readonly retention: RetentionOptions;
  close(): Promise<void>;
}

/** A search reads a page here and there of a file that may have a gigabyte. */
const MAP_BYTES = 2 ** 31;

/** A lock that no other process could want to hold. */
const UNSHARED: HeldLock = { lost: new AbortController().signal, release: async () => {} };

/** Makes the file if there is none, so that others cannot read it; SQLite gives its logs the same mode. */
async function makePrivate(file: string): Promise<void> {
  if (existsSync(file)) return;
  try {
    makeFolders(dirname(file));
    await (await open(file, 'ax', 0o600)).close();
  } catch {
    // It is there, or cannot be created, which the database reports better.
  }
}

async function hasEvents(database: Database): Promise<boolean> {
  return (await database.query('SELECT 1 AS found FROM memory_events LIMIT 1')).length > 0;
}

/** Opens the database, brings its tables up to date and its index, where that is stale. */
export async function openContext(options: MemoryStoreOptions): Promise<OpenedContext> {
  checkOptions('MemoryStore.open', options, OPTIONS);
  const { storage, path, tenant = '', logger = silentLogger, retention = {}, clock } = options;
  if (options.embeddings) assertEmbeddings(options.embeddings);
  const redact = redactionOptions(options.redact);
  if (storage && path !== undefined) {
    throw new MemoryError('invalid-input', "give either 'path' or 'storage', not both");
  }
  const { maxContentBytes = MAX_CONTENT_BYTES, maxMetadataBytes = MAX_METADATA_BYTES } = options;
  // The conversations are private.
  if (!storage && path === undefined && !existsSync(dirname(defaultMemoryPath()))) {
    makeFolders(dirname(defaultMemoryPath()), 0o700);
  }
  const isInMemory = path === ':memory:';
  const { folder: hooks = join(homedir(), '.ptta'), spools = [] } = options.hooks ?? {};
  const file = storage || isInMemory ? undefined : resolve(path ?? defaultMemoryPath());
  if (file !== undefined) await makePrivate(file);
  const opened = storage
    ? undefined
    : sqliteDatabase({ path: file ?? ':memory:', mapBytes: MAP_BYTES });
  const database: Database | undefined = storage?.database ?? opened;
  if (!database) throw new MemoryError('invalid-input', 'there is no database');
  // Stores that share a file share its locks; a memory that is never stored is not shared.
  const locks = file === undefined ? undefined : lockFolder(`${file}-locks`);
  const lock: MemoryContext['lock'] = (name, how) => {
    if (storage) return storage.files.lock(name, how);
    return locks ? locks.lock(name, how) : Promise.resolve(UNSHARED);
  };
  let held: HeldLock | undefined;
  const close = async (): Promise<void> => {
    await locks?.close();
    await opened?.close();
  };
  try {
    await database.migrate(memoryComponent.name, memoryComponent.migrations);
    const analyzer = options.analyzer ?? memoryAnalyzer();
    const openIndex = (): Promise<TextIndex> =>
      createTextIndex(database, {
        name: 'memory_text',
        table: 'memory_events',
        key: 'key',
        fields: INDEX_FIELDS,
        analyzer,
      });
    let index = await openIndex();
    // The index of a new memory is stale, too: nothing is in it that another process could drop.
    if (index.isStale && (await hasEvents(database))) {
      held = await lockIndex({ lock });
      // Another process may have rebuilt it.
      index = await openIndex();
    }
    const settler = new IndexSettler(index, logger);
    const end = async (): Promise<void> => {
      await settler.end();
      await close();
    };
    const context: MemoryContext = {
      database,
      index,
      settler,
      analyzer,
      tenant,
      ...(file === undefined ? {} : { file }),
      hooks: resolve(hooks),
      spools,
      lock,
      redact,
      maxContentBytes,
      maxMetadataBytes,
      clock: clock ? () => clock().getTime() : Date.now,
      logger,
      events: new TypedEvents<MemoryEvents>({ logger, check: checkListener }),
      sessions: new Map(),
    };
    if (index.isStale) {
      logger.info('the text index is new or was made in another way: it is built from all events');
      await rebuildIndex(context);
    }
    await held?.release();
    if (!options.embeddings) return { context, retention, close: end };
    const vectors = await EventVectors.open(context, options.embeddings);
    return {
      context: { ...context, vectors },
      retention,
      async close() {
        await vectors.close();
        await end();
      },
    };
  } catch (error) {
    await held?.release();
    await close();
    throw error;
  }
}

/** Writes a consistent copy of the database that only this user can read. */
export async function backUp(
  { database }: Pick<MemoryContext, 'database'>,
  path: string,
): Promise<void> {
  checkArgument('the path of the backup', path, STORABLE);
  await database.backup(path);
  await chmod(path, 0o600);
}
