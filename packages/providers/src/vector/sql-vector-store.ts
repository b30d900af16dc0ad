import { checkArgument, checkCall, checkedRecords, checkQuery } from './check-vectors.ts';
import { countRecords, deleteRecords, type PlacedRecord, writeRecords } from './sql-records.ts';
import type { SqlStoreTables } from './sql-store-tables.ts';
import { VectorError } from './vector-error.ts';
import type { VectorMatch, VectorQueryOptions, VectorStore } from './vector-store.ts';
import type { SqlExecutor } from '../storage/database.ts';
import { TEXTS } from '../input/kinds.ts';
import { inParts } from '../storage/sql-statements.ts';

/** Records of one transaction. */
const BATCH = 500;

/** How a store keeps vectors next to the records. */
export interface SqlVectors {
  /** Makes the table; runs once for each store. */
  create(tx: SqlExecutor): Promise<void>;
  /** Prepares the first call, each time the store is opened. */
  prepare?(): Promise<void>;
  write(tx: SqlExecutor, placed: readonly PlacedRecord[]): Promise<void>;
  remove(tx: SqlExecutor, slots: readonly number[]): Promise<void>;
  /** Called when a change is committed. */
  committed?(change: CommittedChange): void;
  query(vector: Float32Array, options: VectorQueryOptions): Promise<readonly VectorMatch[]>;
  close?(): void;
}

/** The result of a transaction. */
interface CommittedChange {
  readonly revision: number;
  readonly placed: readonly PlacedRecord[];
  readonly gone: readonly number[];
}

/** Returns a vector store whose records are in tables: what all of them have in common. */
export function sqlVectorStore(tables: SqlStoreTables, vectors: SqlVectors): VectorStore {
  let opening: Promise<void> | undefined;
  let isClosed = false;

  async function open(): Promise<void> {
    await vectors.prepare?.();
    await tables.open((tx) => vectors.create(tx));
  }

  async function run<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    if (isClosed) throw new VectorError('closed', `${tables.place} is closed`);
    try {
      opening ??= open();
      await opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      signal?.throwIfAborted();
      const result = await work();
      signal?.throwIfAborted();
      return result;
    } catch (error) {
      throw tables.failure(error, signal);
    }
  }

  async function change(
    signal: AbortSignal | undefined,
    work: (tx: SqlExecutor) => Promise<Omit<CommittedChange, 'revision'>>,
  ): Promise<void> {
    signal?.throwIfAborted();
    const done = await tables.database.transaction(
      async (tx) => ({ ...(await work(tx)), revision: await tables.raiseRevision(tx) }),
      signal ? { signal } : {},
    );
    vectors.committed?.(done);
  }

  return {
    specVersion: 1,
    dimensions: tables.dimensions,

    async upsert(records, options) {
      const { signal } = checkCall('upsert', options);
      const checked = checkedRecords(records, tables.dimensions, tables.place);
      await run(async () => {
        for (const some of inParts(checked, BATCH)) {
          await change(signal, async (tx) => {
            const { placed, gone } = await writeRecords(tx, tables, some);
            await vectors.remove(tx, gone);
            await vectors.write(tx, placed);
            return { placed, gone };
          });
        }
      }, signal);
    },

    async delete(ids, options) {
      checkArgument('the ids of delete', ids, TEXTS);
      const { signal } = checkCall('delete', options);
      await run(async () => {
        for (const some of inParts(ids, BATCH)) {
          await change(signal, async (tx) => {
            const gone = await deleteRecords(tx, tables, some);
            await vectors.remove(tx, gone);
            return { placed: [], gone };
          });
        }
      }, signal);
    },

    async query(vector, options) {
      const checked = checkQuery(options);
      return run(() => vectors.query(vector, checked), checked.signal);
    },
    async count(filter, options) {
      return run(() => countRecords(tables, filter), checkCall('count', options).signal);
    },

    async purge() {
      await tables.database.purge?.();
    },

    async close() {
      if (!isClosed) vectors.close?.();
      isClosed = true;
    },
  };
}
