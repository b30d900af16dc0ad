import type * as SqliteVec from 'sqlite-vec';
import { toPeerError } from '../peer.ts';
import { canLoadExtensions } from '../sqlite/sqlite-driver.ts';
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
import { insertRows } from '../storage/sql-statements.ts';

/** The largest `k` in a query of sqlite-vec. */
const MAX_K = 4096;

interface MatchRow {
  readonly id: string;
  readonly payload: string | null;
  readonly distance: number;
}

/**
 * Vectors in a SQLite database, by the extension sqlite-vec: exact, as every vector is compared. 50,000
 * of 384 dimensions take some 30 ms a query, so `quantizedVectors` is for larger sets.
 *
 * @throws VectorError with the code `invalid-input` if the database is not SQLite by way of
 * `sqliteDatabase`, as those of `openStorage` are.
 * @throws PeerError with the first call if `sqlite-vec` is not installed.
 *
 * Source: https://github.com/asg017/sqlite-vec (vec0 tables, cosine distance).
 *
 * @example
 * ```ts
 * const store = sqliteVecStore({ database: storage.cache, dimensions: 384 });
 * await store.upsert([{ id: 'a', vector, payload: { kind: 'note' } }]);
 * const near = await store.query(question, { limit: 5, filter: { kind: 'note' } });
 * ```
 */
export function sqliteVecStore(options: SqlStoreOptions): VectorStore {
  checkOptions('sqliteVecStore', options, SQL_STORE_OPTIONS);
  const tables = new SqlStoreTables('sqlite-vec', options);
  const { database, dimensions, vectors, records, place } = tables;
  if (database.dialect !== 'sqlite' || !canLoadExtensions(database)) {
    throw new VectorError(
      'invalid-input',
      `${place} needs a database of sqliteDatabase() or openStorage(); for PostgreSQL there is pgvectorStore()`,
    );
  }
  return sqlVectorStore(tables, {
    async prepare() {
      const extension = await loadSqliteVec();
      await database.loadExtension(extension.getLoadablePath());
    },
    async create(tx) {
      await tx.execute(
        `CREATE VIRTUAL TABLE ${vectors} USING vec0(embedding float[${dimensions}] distance_metric=cosine)`,
      );
    },
    write: (tx, placed) =>
      insertRows(
        tx,
        `${vectors} (rowid, embedding)`,
        placed.map(({ slot, record }) => [BigInt(slot), bytesOf(record.vector)]),
      ),
    remove: (tx, slots) => deleteSlots(tx, vectors, slots, 'rowid'),
    async query(vector, { limit = 10, k = limit, filter }) {
      const asked = bytesOf(unitVector(vector, dimensions, `the question for ${place}`));
      const count = checkedCount(k, place);
      const fit = slotsThatFit(tables, filter);
      const where = fit ? `rowid IN (${fit.sql})` : '1 = 1';
      const nearest =
        count <= MAX_K
          ? `SELECT rowid, distance FROM ${vectors} WHERE embedding MATCH ? AND k = ? AND ${where}`
          : `SELECT rowid, vec_distance_cosine(embedding, ?) AS distance FROM ${vectors}
             WHERE ? > 0 AND ${where} ORDER BY distance`;
      const rows = await database.query<MatchRow>(
        `SELECT record.id, record.payload, near.distance FROM (${nearest}) AS near
         JOIN ${records} AS record ON record.slot = near.rowid ORDER BY near.distance, record.slot LIMIT ?`,
        [asked, BigInt(count), ...(fit?.params ?? []), count],
      );
      return rows.map(({ id, payload, distance }) => {
        return { id: parseId(id), score: 1 - distance, ...parsePayload(payload) };
      });
    },
  });
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** @throws PeerError if `sqlite-vec` is not installed. */
async function loadSqliteVec(): Promise<typeof SqliteVec> {
  try {
    return await import('sqlite-vec');
  } catch (error) {
    throw toPeerError(error, 'sqlite-vec');
  }
}
