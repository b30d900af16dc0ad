import { randomUUID } from 'node:crypto';
import type { Database, SqlExecutor, VectorRecord, VectorStore } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import { documentKey, planUpdate, type DocumentChange } from '../contract/document-change.ts';
import type { UpdateReport } from '../contract/search-backend.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { IndexingError } from '../errors.ts';
import type { CatalogTables } from './catalog-tables.ts';
import { type Embedder, type EmbedRun, isOutage } from './embedder.ts';
import { sparseOfChunk } from './sparse-terms.ts';
import {
  chunkRow,
  chunksOf,
  fieldsOf,
  queuedChunks,
  type StoredChunk,
  takeKeys,
} from './stored-chunks.ts';
import { inParts, insertRows, placeholders } from '@vizprompt/providers/internal';

/** Chunks that are caught up with at once. */
const BATCH = 256;
/** After this time a vector without its chunk is left over from a process that died. */
const UNDERWAY_MS = 600_000;

/** The parts of a writer. */
interface VectorWriterOptions {
  readonly database: Database;
  readonly tables: CatalogTables;
  readonly store: VectorStore;
  /** The owner of the vectors, in a store that others use too. */
  readonly owner: string | undefined;
  readonly embedder: Embedder;
  /** For stores that search by words too. */
  readonly analyzer: Analyzer | undefined;
  /** True if chunks wait for a store or a model that is away; otherwise the write fails. */
  readonly mayQueue: boolean;
}

/** Vectors in the store that no search finds before they are committed. */
export interface PreparedChanges {
  readonly keys: ReadonlyMap<Chunk, string>;
  /** Why there are none, if the store or the model is away. */
  readonly outage?: unknown;
}

/** The result of a commit. */
export interface WriteReport extends UpdateReport {
  /** Chunks that wait for their vectors. */
  readonly queued: number;
}

/**
 * Writes chunks and vectors so that the database is the truth: vectors come first, under keys that the
 * database does not know yet, and one transaction brings the chunks with these keys. Vectors that a crash or a
 * change leaves in the store is noted before and removed later.
 */
export class VectorWriter {
  readonly #options: VectorWriterOptions;
  readonly #orphans: OrphanedVectors;

  constructor(options: VectorWriterOptions) {
    this.#options = options;
    this.#orphans = new OrphanedVectors(options);
  }

  /** Embeds what is new, and brings it to the store. */
  async prepare(changes: readonly DocumentChange[], run: EmbedRun): Promise<PreparedChanges> {
    const { database, tables, mayQueue } = this.#options;
    const fresh: Chunk[] = [];
    for (const change of changes) {
      const plan = planUpdate(await chunksOf(database, tables, change), change);
      for (const { chunk, id } of plan.chunks) if (id === undefined) fresh.push(chunk);
    }
    if (fresh.length === 0) return { keys: new Map() };
    const keys = new Map(fresh.map((chunk) => [chunk, randomUUID()]));
    try {
      await this.#orphans.remove(run.signal);
      const stored = [...keys].map(([chunk, key]) => ({ chunk, key }));
      const records = await this.#recordsOf(stored, run);
      await insertRows(
        database,
        tables.gone,
        stored.map(({ key }) => [key, Date.now()]),
      );
      if (records.length > 0)
        await this.#options.store.upsert(records, run.signal ? { signal: run.signal } : {});
      return { keys };
    } catch (error) {
      run.signal?.throwIfAborted();
      if (!isOutage(error)) throw error;
      if (mayQueue) return { keys: new Map(), outage: error };
      const message =
        'the chunks could not be brought to the vector store, and nothing was changed';
      throw new IndexingError(message, { cause: error });
    }
  }

  /**
   * Brings the chunks; they are found when the transaction is committed.
   *
   * @param tx - Begun with any isolation: the row of the state makes writers take turns.
   */
  async commit(
    tx: SqlExecutor,
    changes: readonly DocumentChange[],
    prepared: PreparedChanges,
  ): Promise<WriteReport> {
    const { tables } = this.#options;
    await this.#begin(tx);
    const ready = new Set(await takeKeys(tx, tables.gone, [...prepared.keys.values()]));
    const report = { added: 0, removed: 0, kept: 0, queued: 0 };
    for (const change of changes) {
      const known = await chunksOf(tx, tables, change);
      const { chunks, removed, added, kept } = planUpdate(known, change);
      const gone = removed.map(({ id }) => id);
      await takeKeys(tx, tables.chunks, gone);
      await insertRows(
        tx,
        tables.gone,
        gone.map((key) => [key, 0]),
      );
      const before = new Map(known.map(({ id, chunk }) => [id, chunk]));
      for (const { chunk, id } of chunks) {
        const old = id === undefined ? undefined : before.get(id);
        if (!old || id === undefined || fieldsOf(old) === fieldsOf(chunk)) continue;
        await tx.execute(`UPDATE ${tables.chunks} SET chunk = ?, place = ? WHERE key = ?`, [
          fieldsOf(chunk),
          chunk.chunkIndex,
          id,
        ]);
      }
      const rows = chunks.flatMap(({ chunk, id }) => {
        if (id !== undefined) return [];
        const key = prepared.keys.get(chunk);
        const isReady = key !== undefined && ready.delete(key);
        if (!isReady) report.queued++;
        return [chunkRow(isReady ? key : randomUUID(), chunk, !isReady)];
      });
      await insertRows(tx, tables.chunks, rows);
      report.added += added;
      report.removed += removed.length;
      report.kept += kept;
    }
    // Documents that another process has written meanwhile.
    await insertRows(
      tx,
      tables.gone,
      [...ready].map((key) => [key, 0]),
    );
    return report;
  }

  /**
   * Removes unneeded vectors from the store, and brings waiting ones.
   *
   * @returns How many chunks got their vectors.
   */
  async catchUp(run: EmbedRun): Promise<number> {
    await this.#orphans.remove(run.signal);
    await this.#sweep(run.signal);
    const { database, tables, store } = this.#options;
    let count = 0;
    for (;;) {
      run.signal?.throwIfAborted();
      const queued = await queuedChunks(database, tables, BATCH);
      if (queued.length === 0) return count;
      const records = await this.#recordsOf(queued, run);
      if (records.length > 0) await store.upsert(records, run.signal ? { signal: run.signal } : {});
      const lost: string[] = [];
      await database.transaction(async (tx) => {
        lost.length = 0;
        await this.#begin(tx);
        for (const { key } of queued) {
          const sql = `UPDATE ${tables.chunks} SET is_queued = 0 WHERE key = ?`;
          if ((await tx.execute(sql, [key])).changes === 0) lost.push(key);
        }
      });
      // Chunks that went while their vectors were made.
      if (lost.length > 0) await store.delete(lost);
      count += queued.length - lost.length;
    }
  }

  /** Before all else, so that no two writers wait for each other. */
  async #begin(tx: SqlExecutor): Promise<void> {
    await tx.execute(`UPDATE ${this.#options.tables.state} SET revision = revision + 1`);
  }

  async #sweep(signal: AbortSignal | undefined): Promise<void> {
    const { database, tables, store } = this.#options;
    const rows = await database.query<{ key: string }>(
      `SELECT key FROM ${tables.gone} WHERE since < ?`,
      [Date.now() - UNDERWAY_MS],
    );
    const keys = rows.map(({ key }) => key);
    for (const some of inParts(keys, BATCH)) {
      signal?.throwIfAborted();
      // A writer that takes a key has it alone: a commit that misses one of its own queues the chunk.
      const taken = await database.transaction((tx) => takeKeys(tx, tables.gone, some));
      try {
        await store.delete(taken, signal ? { signal } : {});
      } catch (error) {
        await insertRows(
          database,
          tables.gone,
          taken.map((key) => [key, 0]),
        );
        throw error;
      }
    }
  }

  async #recordsOf(
    stored: readonly StoredChunk[],
    run: EmbedRun,
  ): Promise<readonly VectorRecord[]> {
    const { embedder, analyzer, owner } = this.#options;
    const vectors = await embedder.embedChunks(
      stored.map(({ chunk }) => chunk),
      run,
    );
    // A text that the model refuses has no vector.
    const taken = [...stored.entries()].filter(([at]) => (vectors[at]?.length ?? 0) > 0);
    return taken.map(([at, { key, chunk }]) => ({
      id: key,
      vector: vectors[at] ?? new Float32Array(),
      payload: {
        ...(owner === undefined ? {} : { owner }),
        project: chunk.novelId,
        document: documentKey(chunk),
        tags: chunk.tags.map((tag) => tag.normalize('NFKC').toLowerCase()),
      },
      ...(analyzer ? { sparse: sparseOfChunk(analyzer, chunk) } : {}),
    }));
  }
}

/** Vectors that are asked for at once. */
const PAGE = 1000;

/** The parts that are needed to find them. */
interface OrphanParts {
  readonly database: Database;
  readonly tables: CatalogTables;
  readonly store: VectorStore;
  readonly owner: string | undefined;
}

/**
 * Vectors of an index whose database was deleted: their keys are unknown, and they would be
 * in the store for ever. Removed by the index that is made in its place, before it brings its own.
 */
class OrphanedVectors {
  readonly #parts: OrphanParts;
  #isClean: boolean;

  constructor(parts: OrphanParts) {
    this.#parts = parts;
    this.#isClean = parts.owner === undefined;
  }

  /** Does nothing from the second time on, in this process or another. */
  async remove(signal: AbortSignal | undefined): Promise<void> {
    if (this.#isClean) return;
    const { database, tables } = this.#parts;
    const [state] = await database.query<{ is_clean: number }>(
      `SELECT is_clean FROM ${tables.state}`,
    );
    if (state?.is_clean === 0) {
      await this.#removeAll(signal);
      await database.execute(`UPDATE ${tables.state} SET is_clean = 1`);
    }
    this.#isClean = true;
  }

  async #removeAll(signal: AbortSignal | undefined): Promise<void> {
    const { store, owner = '' } = this.#parts;
    const options = signal ? { signal } : {};
    // Which is near does not matter; stores have no other way to list what they hold.
    const anywhere = new Float32Array(store.dimensions).fill(1);
    for (;;) {
      signal?.throwIfAborted();
      const matches = await store.query(anywhere, {
        limit: PAGE,
        k: PAGE,
        filter: { owner },
        ...options,
      });
      const known = await this.#known(matches.map(({ id }) => id));
      const orphans = matches.flatMap(({ id }) => (known.has(id) ? [] : [id]));
      // Another process, which was faster, may have brought vectors already.
      if (orphans.length === 0) return;
      await store.delete(orphans, options);
    }
  }

  /** Returns the keys that the index has, or that another process is about to bring. */
  async #known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const { database, tables } = this.#parts;
    const known = new Set<string>();
    for (const some of inParts(keys)) {
      for (const table of [tables.chunks, tables.gone]) {
        const rows = await database.query<{ key: string }>(
          `SELECT key FROM ${table} WHERE key IN (${placeholders(some.length)})`,
          some,
        );
        for (const { key } of rows) known.add(key);
      }
    }
    return known;
  }
}
