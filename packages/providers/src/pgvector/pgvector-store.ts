import { messageOf } from '../errors.ts';
import type { Database, SqlExecutor } from '../storage/database.ts';
import { checkedCount, checkOptions, unitVector } from '../vector/check-vectors.ts';
import { deleteSlots, parseId, parsePayload, slotsThatFit } from '../vector/sql-records.ts';
import {
  SqlStoreTables,
  type SqlStoreOptions,
  SQL_STORE_OPTIONS,
} from '../vector/sql-store-tables.ts';
import { sqlVectorStore } from '../vector/sql-vector-store.ts';
import { VectorError } from '../vector/vector-error.ts';
import type { VectorStore } from '../vector/vector-store.ts';
import { oneOf, optional, type Kinds } from '../input/kinds.ts';
import { inParts } from '../storage/sql-statements.ts';

/** Options of {@link pgvectorStore}. */
export interface PgvectorStoreOptions extends SqlStoreOptions {
  /**
   * `'hnsw'`: a graph, fast with millions of vectors, finds nearly all of the nearest; up to 2,000
   * dimensions, pgvector 0.8 or newer. `'none'`: every vector is compared. Default: `'hnsw'` where the
   * dimensions allow it.
   */
  readonly index?: 'hnsw' | 'none' | undefined;
}

/** The most dimensions that an index of pgvector takes. */
const MAX_INDEXED = 2000;
/** How far the graph is searched at least; pgvector takes 1,000 at most. */
const MIN_SEARCHED = 200;
const MAX_SEARCHED = 1000;

interface MatchRow {
  readonly id: string;
  readonly payload: string | null;
  readonly distance: number;
}

const KINDS: Kinds<PgvectorStoreOptions> = {
  ...SQL_STORE_OPTIONS,
  index: optional(oneOf('hnsw', 'none')),
};

/**
 * Vectors in a schema of a PostgreSQL server that has the extension pgvector, which is created if the
 * user may do that.
 *
 * @throws VectorError with the code `invalid-input` if the database is not PostgreSQL, and with the
 * first call `refused` if the server has no pgvector.
 *
 * Source: https://github.com/pgvector/pgvector (iterative index scans, so that filters lose nothing).
 *
 * @example
 * ```ts
 * await using storage = await postgresStorage({ connectionString, namespace: 'my_app' });
 * const store = pgvectorStore({ database: storage.cache, dimensions: 1536 });
 * ```
 */
export function pgvectorStore(options: PgvectorStoreOptions): VectorStore {
  checkOptions('pgvectorStore', options, KINDS);
  const tables = new SqlStoreTables('pgvector', options);
  const { database, dimensions, vectors, records, place } = tables;
  const { index = dimensions <= MAX_INDEXED ? 'hnsw' : 'none' } = options;
  if (database.dialect !== 'postgres') {
    throw new VectorError(
      'invalid-input',
      `${place} needs PostgreSQL, and this database speaks ${database.dialect}; there are sqliteVecStore() and quantizedVectors()`,
    );
  }
  if (index === 'hnsw' && dimensions > MAX_INDEXED) {
    throw new VectorError(
      'invalid-input',
      `${place}: an index takes up to ${MAX_INDEXED} dimensions, not ${dimensions}: use index: 'none'`,
    );
  }
  // Where the extension lies: the search path of a storage holds its own schema only.
  let schema = '"public"';
  const distanceSql = (): string => `embedding OPERATOR(${schema}.<=>) CAST(? AS ${schema}.vector)`;
  return sqlVectorStore(tables, {
    async prepare() {
      schema = await openExtension(database, place);
    },
    async create(tx) {
      await tx.execute(
        `CREATE TABLE ${vectors}
          (slot BIGINT PRIMARY KEY, embedding ${schema}.vector(${dimensions}) NOT NULL)`,
      );
      if (index === 'none') return;
      await tx.execute(
        `CREATE INDEX ${vectors}_near ON ${vectors} USING hnsw (embedding ${schema}.vector_cosine_ops)`,
      );
    },
    async write(tx, placed) {
      for (const some of inParts(placed)) {
        const values = some.map(() => `(?, CAST(? AS ${schema}.vector))`).join(', ');
        const params = some.flatMap(({ slot, record }) => [slot, textOf(record.vector)]);
        await tx.execute(`INSERT INTO ${vectors} VALUES ${values}`, params);
      }
    },
    remove: (tx, slots) => deleteSlots(tx, vectors, slots),
    async query(vector, { limit = 10, k = limit, filter, signal }) {
      const asked = textOf(unitVector(vector, dimensions, `the question for ${place}`));
      const count = checkedCount(k, place);
      const fit = slotsThatFit(tables, filter);
      const where = fit ? `WHERE near.slot IN (${fit.sql})` : '';
      const ask = (executor: SqlExecutor): Promise<MatchRow[]> =>
        executor.query<MatchRow>(
          `SELECT record.id, record.payload, near.distance FROM (
             SELECT slot, ${distanceSql()} AS distance FROM ${vectors} AS near
             ${where} ORDER BY ${distanceSql()} LIMIT ?
           ) AS near JOIN ${records} AS record ON record.slot = near.slot
           ORDER BY near.distance, record.slot`,
          [asked, ...(fit?.params ?? []), asked, count],
        );
      const rows =
        index === 'none'
          ? await ask(database)
          : await database.transaction(
              async (tx) => {
                const searched = Math.min(MAX_SEARCHED, Math.max(MIN_SEARCHED, count * 2));
                await tx.query(
                  `SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
                          set_config('hnsw.ef_search', ?, true)`,
                  [String(searched)],
                );
                return ask(tx);
              },
              signal ? { signal } : {},
            );
      return rows.map(({ id, payload, distance }) => {
        return { id: parseId(id), score: 1 - distance, ...parsePayload(payload) };
      });
    },
  });
}

/** Makes the extension where it is missing, and returns its schema. */
async function openExtension(database: Database, place: string): Promise<string> {
  const find = (): Promise<{ schema: string }[]> =>
    database.query<{ schema: string }>(
      `SELECT quote_ident(nspname) AS schema FROM pg_extension JOIN pg_namespace AS space
       ON space.oid = extnamespace WHERE extname = 'vector'`,
    );
  const [known] = await find();
  if (known) return known.schema;
  try {
    await database.execute('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public');
  } catch (cause) {
    // If several try at once, one creates it and the others fail.
    const [made] = await find();
    if (made) return made.schema;
    throw new VectorError(
      'refused',
      `${place}: the server has no extension pgvector, or the user may not create it: ` +
        'install it (https://github.com/pgvector/pgvector) and let an administrator run ' +
        `CREATE EXTENSION vector: ${messageOf(cause)}`,
      { cause },
    );
  }
  return 'public';
}

function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
