import { isDeepStrictEqual } from 'node:util';
import type {
  BaseCheckpointSaver,
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
  SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { LruMap } from '../collections/lru-map.ts';
import type { Database, Statement } from '../storage/database.ts';
import { StorageError } from '../storage/storage-error.ts';
import {
  type CheckpointKey,
  type CheckpointRow,
  COMPONENT,
  configOf,
  type Library,
  loadLibrary,
  migrations,
  placesJson,
  placesOf,
  readCheckpoints,
  type Reading,
} from './read-checkpoints.ts';
import { checkOptions, checkArgument } from '../input/check-input.ts';
import { having, optional, type Kinds } from '../input/kinds.ts';
import { DATABASE } from '../input/part-kinds.ts';
import { placeholders } from '../storage/sql-statements.ts';

/** Checkpoints whose places are cached: a run asks for those of the one that it wrote before. */
const CACHED = 100;

/** Checkpoints that `list` reads at once. */
const PAGE = 50;

/** Options of {@link langGraphSaver}. */
export interface LangGraphSaverOptions {
  /** Converts values to bytes. Default: LangGraph's `JsonPlusSerializer`. */
  readonly serde?: SerializerProtocol | undefined;
}

/** The part of a `RunnableConfig` that a saver reads. */
interface Config {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
}

const KINDS: Kinds<LangGraphSaverOptions> = {
  serde: optional(having('a serializer of LangGraph', 'dumpsTyped', 'loadsTyped')),
};

/**
 * Creates a checkpointer of LangGraph.js on a database: SQLite or PostgreSQL. Runs that were interrupted continue after a
 * restart, and forks of a thread keep their own values. The tables are created with the first call, and are part of backups.
 *
 * Needs `npm install @langchain/langgraph-checkpoint`.
 *
 * @throws PeerError if that package is missing; StorageError of the database.
 *
 * @example
 * ```ts
 * const storage = await openStorage('./data');
 * const graph = builder.compile({ checkpointer: await langGraphSaver(storage.database) });
 * ```
 */
export async function langGraphSaver(
  database: Database,
  options: LangGraphSaverOptions = {},
): Promise<BaseCheckpointSaver> {
  checkArgument('the database of langGraphSaver', database, DATABASE);
  checkOptions('langGraphSaver', options, KINDS);
  const library = await loadLibrary();
  await database.migrate(COMPONENT, migrations);
  return createSaver(library, database, options.serde);
}

/** The class that LangGraph's base asks for exists only where that package does. */
function createSaver(
  library: Library,
  database: Database,
  serializer: SerializerProtocol | undefined,
): BaseCheckpointSaver {
  const cached = new LruMap<string, ReturnType<typeof placesOf>>(CACHED);

  class VizPromptSaver extends library.BaseCheckpointSaver {
    get #reading(): Reading {
      return { library, database, serde: this.serde };
    }

    async getTuple(config: Config): Promise<CheckpointTuple | undefined> {
      const { configurable = {} } = config;
      const thread = nameOf(configurable['thread_id']);
      if (thread === undefined) return undefined;
      const place = [thread, nameOf(configurable['checkpoint_ns']) ?? ''];
      const wanted = nameOf(configurable['checkpoint_id']);
      const rows = await database.query<CheckpointRow>(
        `SELECT * FROM langgraph_checkpoint WHERE thread = ? AND ns = ?
          ${wanted ? 'AND id = ?' : 'ORDER BY id DESC LIMIT 1'}`,
        wanted ? [...place, wanted] : place,
      );
      const [tuple] = await readCheckpoints(this.#reading, rows);
      return tuple;
    }

    async *list(
      config: Config,
      options: CheckpointListOptions = {},
    ): AsyncGenerator<CheckpointTuple> {
      const filter = Object.entries(options.filter ?? {}).filter(
        ([, value]) => value !== undefined,
      );
      let left = options.limit ?? Infinity;
      if (left <= 0) return;
      const keys = await findKeys(config, options.before, filter.length === 0 ? left : Infinity);
      for (const page of pagesOf(keys)) {
        // oxlint-disable-next-line no-await-in-loop -- pages that no caller requests are not read
        for (const tuple of await readCheckpoints(this.#reading, await readRows(page))) {
          const { metadata } = tuple;
          const fields: Readonly<Record<string, unknown>> = { ...metadata };
          if (!filter.every(([key, value]) => isDeepStrictEqual(fields[key], value))) continue;
          yield tuple;
          left -= 1;
          if (left <= 0) return;
        }
      }
    }

    async put(
      config: Config,
      checkpoint: Checkpoint,
      metadata: CheckpointMetadata,
      newVersions: ChannelVersions,
    ): Promise<ReturnType<typeof configOf>> {
      const { thread, ns, id: parent } = targetOf(config, 'put');
      const { id } = checkpoint;
      const known = parent === undefined ? undefined : await readPlaces({ thread, ns, id: parent });
      const target = { thread, ns, id };
      // Without its parent, which was deleted in the meantime, a checkpoint shares no value.
      const hasParent =
        known !== undefined &&
        (await this.#write(target, parent, known, checkpoint, metadata, newVersions));
      if (!hasParent) {
        const all = parent === undefined ? newVersions : checkpoint.channel_versions;
        await this.#write(target, parent, undefined, checkpoint, metadata, all);
      }
      return configOf(target);
    }

    /** Writes a checkpoint. Returns `false` if it shares values of a parent, and there is none. */
    async #write(
      { thread, ns, id }: CheckpointKey,
      parent: string | undefined,
      known: ReturnType<typeof placesOf> | undefined,
      checkpoint: Checkpoint,
      metadata: CheckpointMetadata,
      newVersions: ChannelVersions,
    ): Promise<boolean> {
      const places = new Map(known);
      for (const [channel, { version }] of places) {
        const isSame = String(checkpoint.channel_versions[channel]) === version;
        if (!isSame || !Object.hasOwn(checkpoint.channel_values, channel)) places.delete(channel);
      }
      const changed = Object.entries(newVersions).filter(([channel]) =>
        Object.hasOwn(checkpoint.channel_values, channel),
      );
      const values = await Promise.all(
        changed.map(async ([channel, version]): Promise<Statement> => {
          places.set(channel, { id, version: String(version) });
          const typed = await this.serde.dumpsTyped(checkpoint.channel_values[channel]);
          return {
            sql: `INSERT INTO langgraph_value (thread, ns, id, channel, type, value) VALUES (?, ?, ?, ?, ?, ?)
              ON CONFLICT (thread, ns, id, channel) DO UPDATE SET type = excluded.type, value = excluded.value`,
            params: [thread, ns, id, channel, ...typed],
          };
        }),
      );
      const bare = { ...library.copyCheckpoint(checkpoint), channel_values: {} };
      const [typed, typedMetadata] = await Promise.all([
        this.serde.dumpsTyped(bare),
        this.serde.dumpsTyped(metadata),
      ]);
      const isShared = known !== undefined && parent !== undefined;
      const changes = await database.batch([
        ...values,
        {
          sql: `INSERT INTO langgraph_checkpoint
            (thread, ns, id, parent, places, type, checkpoint, metadata_type, metadata)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?
            WHERE ${isShared ? `EXISTS (SELECT 1 FROM langgraph_checkpoint WHERE thread = ? AND ns = ? AND id = ?)` : 'TRUE'}
            ON CONFLICT (thread, ns, id) DO UPDATE SET parent = excluded.parent, places = excluded.places,
              type = excluded.type, checkpoint = excluded.checkpoint,
              metadata_type = excluded.metadata_type, metadata = excluded.metadata`,
          params: [
            thread,
            ns,
            id,
            parent ?? null,
            placesJson(places),
            ...typed,
            ...typedMetadata,
            ...(isShared ? [thread, ns, parent] : []),
          ],
        },
      ]);
      if (changes.at(-1) === 0) return false;
      cached.set(keyOf({ thread, ns, id }), places);
      return true;
    }

    async putWrites(
      config: Config,
      writes: PendingWrite[],
      taskId: string,
      taskPath: string = '',
    ): Promise<void> {
      const { thread, ns, id } = targetOf(config, 'putWrites');
      if (id === undefined) throw missing('putWrites', 'checkpoint_id');
      const statements = writes.map(async ([channel, value], at): Promise<Statement> => {
        const typed = await this.serde.dumpsTyped(value);
        // Errors, interrupts and the like have one place for each task, and the newest counts.
        const special = Object.hasOwn(library.WRITES_IDX_MAP, channel)
          ? library.WRITES_IDX_MAP[channel]
          : undefined;
        const conflict =
          special === undefined
            ? 'NOTHING'
            : `UPDATE SET channel = excluded.channel, path = excluded.path, type = excluded.type, value = excluded.value`;
        return {
          sql: `INSERT INTO langgraph_write (thread, ns, id, task, idx, channel, path, type, value)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (thread, ns, id, task, idx) DO ${conflict}`,
          params: [thread, ns, id, taskId, special ?? at, channel, taskPath, ...typed],
        };
      });
      await database.batch(await Promise.all(statements));
    }

    async deleteThread(threadId: string): Promise<void> {
      await database.batch(
        ['langgraph_checkpoint', 'langgraph_value', 'langgraph_write'].map((table) => ({
          sql: `DELETE FROM ${table} WHERE thread = ?`,
          params: [nameOf(threadId) ?? ''],
        })),
      );
      cached.clear();
    }
  }

  async function readPlaces(key: CheckpointKey): Promise<ReturnType<typeof placesOf> | undefined> {
    const found = cached.get(keyOf(key));
    if (found) return found;
    const [row] = await database.query<Pick<CheckpointRow, 'id' | 'places'>>(
      'SELECT id, places FROM langgraph_checkpoint WHERE thread = ? AND ns = ? AND id = ?',
      [key.thread, key.ns, key.id],
    );
    return row && placesOf(row);
  }

  /** Returns the places of checkpoints, the newest first. */
  async function findKeys(
    { configurable = {} }: Config,
    before: Config | undefined,
    limit: number,
  ): Promise<readonly CheckpointKey[]> {
    const conditions = [
      ['thread = ?', configurable['thread_id']],
      ['ns = ?', configurable['checkpoint_ns']],
      ['id = ?', configurable['checkpoint_id']],
      ['id < ?', before?.configurable?.['checkpoint_id']],
    ] as const;
    const asked = conditions.flatMap(([sql, given]) => {
      const value = nameOf(given);
      return value === undefined ? [] : [{ sql, value }];
    });
    const where = asked.length > 0 ? `WHERE ${asked.map(({ sql }) => sql).join(' AND ')}` : '';
    const most = Number.isFinite(limit) ? `LIMIT ${Math.ceil(limit)}` : '';
    return database.query<CheckpointKey>(
      `SELECT thread, ns, id FROM langgraph_checkpoint ${where} ORDER BY id DESC, thread, ns ${most}`,
      asked.map(({ value }) => value),
    );
  }

  /** Returns the rows of a page, in its order, without those that were deleted in the meantime. */
  async function readRows(page: readonly CheckpointKey[]): Promise<readonly CheckpointRow[]> {
    const [first] = page;
    if (!first) return [];
    return database.query<CheckpointRow>(
      `SELECT * FROM langgraph_checkpoint WHERE thread = ? AND ns = ?
        AND id IN (${placeholders(page.length)}) ORDER BY id DESC`,
      [first.thread, first.ns, ...page.map(({ id }) => id)],
    );
  }

  return new VizPromptSaver(serializer);
}

function keyOf({ thread, ns, id }: CheckpointKey): string {
  return JSON.stringify([thread, ns, id]);
}

/** Pages of neighbors in one thread and namespace. */
function* pagesOf(keys: readonly CheckpointKey[]): Generator<readonly CheckpointKey[]> {
  let page: CheckpointKey[] = [];
  for (const key of keys) {
    const [first] = page;
    const isOther = first !== undefined && (first.thread !== key.thread || first.ns !== key.ns);
    if (isOther || page.length === PAGE) {
      yield page;
      page = [];
    }
    page.push(key);
  }
  if (page.length > 0) yield page;
}

/** Returns the place that a call writes to; throws StorageError `misuse` without a thread. */
function targetOf(
  { configurable = {} }: Config,
  method: string,
): { readonly thread: string; readonly ns: string; readonly id: string | undefined } {
  const thread = nameOf(configurable['thread_id']);
  if (!thread) throw missing(method, 'thread_id');
  return {
    thread,
    ns: nameOf(configurable['checkpoint_ns']) ?? '',
    id: nameOf(configurable['checkpoint_id']),
  };
}

/** Ids are strings; a number is one as well. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function missing(method: string, field: string): StorageError {
  const message = `${method}: expected config.configurable.${field}; pass { configurable: { ${field}: '…' } }`;
  return new StorageError('misuse', message, { context: { field } });
}
