import { Mutex } from '../concurrency/mutex.ts';
import type { SqlExecutor } from '../storage/database.ts';
import { checkedCount, checkOptions, unitVector } from '../vector/check-vectors.ts';
import {
  deleteSlots,
  facetsOf,
  filterGroups,
  parseId,
  parsePayload,
  type PlacedRecord,
  slotsThatFit,
} from '../vector/sql-records.ts';
import {
  SqlStoreTables,
  type SqlStoreOptions,
  SQL_STORE_OPTIONS,
} from '../vector/sql-store-tables.ts';
import { sqlVectorStore } from '../vector/sql-vector-store.ts';
import type { VectorFilter, VectorMatch, VectorStore } from '../vector/vector-store.ts';
import { CodeTable, type NearCode } from './code-table.ts';
import { QuantizedTables, scaledProduct } from './quantized-tables.ts';
import { Rotation } from './rotation.ts';
import { POSITIVE, optional, type Kinds } from '../input/kinds.ts';
import { queryIn } from '../storage/sql-statements.ts';

/** Options of {@link quantizedVectors}. */
export interface QuantizedVectorsOptions extends SqlStoreOptions {
  /**
   * How many of the probably nearest are compared exactly at most: more find more of the true neighbours
   * and take longer. At least 5 for each hit that is asked for. Default: 400.
   */
  readonly candidates?: number | undefined;
}

/** Vectors that are read from the database at once. */
const ROWS = 64;
/** A vector is not compared if its estimate would have to be off by this many standard deviations. */
const SURE = 2;
/** Filters whose records are remembered. */
const FILTERS = 32;

/** The records that fit a filter. */
interface Allowed {
  readonly groups: ReturnType<typeof filterGroups>;
  readonly slots: Set<number>;
}

/** The data in memory: the codes of one revision. */
interface Loaded {
  readonly table: CodeTable;
  readonly center: Float32Array;
  readonly trained: number;
  revision: number;
  readonly allowed: Map<string, Allowed>;
}

const KINDS: Kinds<QuantizedVectorsOptions> = {
  ...SQL_STORE_OPTIONS,
  candidates: optional(POSITIVE),
};

/**
 * Vectors in any `Database`, without a native extension: each has a code of two bits a dimension in
 * memory (142 bytes at 384 dimensions) and 16-bit numbers in the database. A query looks at the signs of all
 * codes, estimates the nearest ones closer, and compares the best of these exactly, until the estimates of the
 * others say that they are too far away.
 *
 * It is crash safe as the database is, and several processes may use it; after a write by another one
 * the codes are read again.
 *
 * Source: Gao, Long: RaBitQ (SIGMOD 2024) for bits of turned, centred vectors, the estimate without bias and
 * its error.
 *
 * @example
 * ```ts
 * const store = quantizedVectors({ database: storage.cache, dimensions: 384, model: 'bge-small' });
 * const near = await store.query(question, { limit: 10 });
 * ```
 */
export function quantizedVectors(options: QuantizedVectorsOptions): VectorStore {
  checkOptions('quantizedVectors', options, KINDS);
  const { candidates = 400 } = options;
  const tables = new SqlStoreTables('quantized', options);
  const rotation = new Rotation(tables.dimensions);
  const data = new QuantizedTables(tables, rotation);
  const { database, records, vectors, place } = tables;
  const loading = new Mutex();
  let loaded: Loaded | undefined;

  /** Returns the codes as the database has them now. */
  async function current(): Promise<Loaded> {
    const revision = await tables.readRevision();
    if (loaded?.revision === revision) return loaded;
    return loading.run(async () => {
      const newest = await tables.readRevision();
      if (loaded?.revision !== newest) loaded = await database.transaction(load);
      return loaded;
    });
  }

  async function load(tx: SqlExecutor): Promise<Loaded> {
    const table = new CodeTable(rotation.words);
    const revision = await tables.readRevision(tx);
    const { vector: center, trained } = await data.readCenter(tx);
    for await (const rows of data.codes(tx)) {
      for (const { slot, code } of rows) table.add(slot, wordsOf(code));
    }
    return { table, center, trained, revision, allowed: new Map() };
  }

  async function allowedBy(
    filter: VectorFilter | undefined,
    { allowed }: Loaded,
  ): Promise<ReadonlySet<number> | undefined> {
    const fit = slotsThatFit(tables, filter);
    if (!fit) return undefined;
    const key = JSON.stringify([fit.sql, fit.params]);
    const known = allowed.get(key);
    if (known) return known.slots;
    const rows = await database.query<{ slot: number }>(fit.sql, fit.params);
    const slots = new Set(rows.map(({ slot }) => slot));
    const [oldest] = allowed.keys();
    if (allowed.size >= FILTERS && oldest !== undefined) allowed.delete(oldest);
    allowed.set(key, { groups: filterGroups(filter), slots });
    return slots;
  }

  /** Compares exactly, until the rest is too far away by its estimate. */
  async function compare(
    asked: Float32Array,
    { near, offset }: { readonly near: readonly NearCode[]; readonly offset: number },
    k: number,
  ): Promise<readonly VectorMatch[]> {
    const scored: { slot: number; score: number }[] = [];
    for (let left = near; left.length > 0;) {
      const slots = left.slice(0, ROWS).map(({ slot }) => slot);
      for (const row of await data.vectorsAt(database, slots)) {
        scored.push({ slot: row.slot, score: scaledProduct(asked, row) });
      }
      scored.sort((a, b) => b.score - a.score || a.slot - b.slot);
      const least = scored[k - 1]?.score ?? Number.NEGATIVE_INFINITY;
      left = left.slice(ROWS).filter(({ estimate, deviation }) => {
        return (estimate + SURE * deviation) / rotation.scale + offset > least;
      });
    }
    const best = scored.slice(0, k);
    const matches = new Map<number, { id: string; payload: string | null }>();
    const rows = await queryIn<{ slot: number; id: string; payload: string | null }>(
      database,
      `SELECT slot, id, payload FROM ${records} WHERE slot IN`,
      best.map(({ slot }) => slot),
    );
    for (const row of rows) matches.set(row.slot, row);
    return best.flatMap(({ slot, score }) => {
      const match = matches.get(slot);
      return match ? [{ id: parseId(match.id), score, ...parsePayload(match.payload) }] : [];
    });
  }

  return sqlVectorStore(tables, {
    create: (tx) => data.create(tx),
    write: (tx, placed) => data.write(tx, placed),
    remove: (tx, slots) => deleteSlots(tx, vectors, slots),
    committed({ revision, placed, gone }) {
      // Changes that are not known here, such as another middle, are read again with the next query.
      if (!loaded || loaded.revision !== revision - 1 || isTrained(loaded, placed.length)) return;
      loaded.table.remove(gone);
      for (const { slot, record } of placed) {
        loaded.table.add(slot, rotation.encode(record.vector, loaded.center));
      }
      for (const one of loaded.allowed.values()) follow(one, placed, gone);
      loaded.revision = revision;
    },
    async query(vector, { limit = 10, k = limit, filter, signal }) {
      const asked = unitVector(vector, tables.dimensions, `the question for ${place}`);
      const count = checkedCount(k, place);
      const now = await current();
      const allowed = await allowedBy(filter, now);
      signal?.throwIfAborted();
      if (now.table.size === 0 || allowed?.size === 0) return [];
      const wanted = Math.max(candidates, count * 5);
      const near = now.table.nearest(
        { code: rotation.encode(asked, now.center), turned: rotation.turn(asked) },
        wanted,
        allowed,
      );
      return compare(asked, { near, offset: product(asked, now.center) }, count);
    },
    close() {
      loaded = undefined;
    },
  });
}

/** Keeps the records that fit a filter as a change leaves them. */
function follow(
  { groups, slots }: Allowed,
  placed: readonly PlacedRecord[],
  gone: readonly number[],
): void {
  for (const slot of gone) slots.delete(slot);
  for (const { slot, record } of placed) {
    const own = new Set(facetsOf(record.payload));
    if (groups.every((group) => group.some((token) => own.has(token)))) slots.add(slot);
  }
}

/** Checks whether this many more may have led to another middle. */
function isTrained({ table, trained }: Loaded, added: number): boolean {
  const size = table.size + added;
  return trained === 0 ? size >= 256 : size >= trained * 16;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function wordsOf(code: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(code).buffer);
}
