import { messageOf } from '../errors.ts';
import { PeerError } from '../peer.ts';
import type { Database, SqlExecutor } from '../storage/database.ts';
import { DERIVED_PREFIX } from '../storage/table-info.ts';
import { StorageError } from '../storage/storage-error.ts';
import { VectorError } from './vector-error.ts';
import { type Kinds, optional, POSITIVE, TEXT } from '../input/kinds.ts';
import { DATABASE } from '../input/part-kinds.ts';

/** The common options of the stores in databases. */
export interface SqlStoreOptions {
  /** Stays open when the store is closed. Vectors can be made again, so `storage.cache` is the place. */
  readonly database: Database;
  /** The length of the vectors. */
  readonly dimensions: number;
  /** Begins the names of its tables: small letters, digits, `_`. Default: `vectors`. */
  readonly name?: string | undefined;
  /** Which model makes the vectors; one that was made with another is refused. Default: not checked. */
  readonly model?: string | undefined;
}

/** The kinds of these options. */
export const SQL_STORE_OPTIONS: Kinds<SqlStoreOptions> = {
  database: DATABASE,
  dimensions: POSITIVE,
  name: optional(TEXT),
  model: optional(TEXT),
};

const NAME = /^[a-z][a-z0-9_]{0,30}$/;
const STORES = `${DERIVED_PREFIX}vector_store`;

/** One store among the tables of a database. */
export class SqlStoreTables {
  readonly database: Database;
  readonly dimensions: number;
  /** The store, as messages name it. */
  readonly place: string;
  readonly records: string;
  readonly facets: string;
  /** For the vectors themselves. */
  readonly vectors: string;
  readonly #name: string;
  readonly #model: string;
  readonly #kind: string;

  constructor(kind: string, { database, dimensions, name = 'vectors', model }: SqlStoreOptions) {
    this.place = `the vector store '${name}' (${kind}) in the database`;
    if (!NAME.test(name)) {
      throw new VectorError(
        'invalid-input',
        `a vector store cannot be named '${name}': use small letters, digits and '_', a letter first`,
      );
    }
    if (!Number.isInteger(dimensions) || dimensions < 1) {
      throw new VectorError('invalid-input', `${this.place} cannot have ${dimensions} dimensions`);
    }
    this.database = database;
    this.dimensions = dimensions;
    this.#name = name;
    this.#model = model ?? '';
    this.#kind = kind;
    const prefix = `${DERIVED_PREFIX}vector_${name}`;
    this.records = `${prefix}_record`;
    this.facets = `${prefix}_facet`;
    this.vectors = `${prefix}_data`;
  }

  /**
   * Makes the tables where they are missing, and compares what they were made for.
   *
   * @param vectorColumns - Makes the table of the vectors.
   */
  async open(makeVectors: (tx: SqlExecutor) => Promise<void>): Promise<void> {
    await this.database.migrate('vector_stores', [{ version: 1, name: 'stores', up: makeStores }]);
    await this.database.migrate(`vector_${this.#name}`, [
      {
        version: 1,
        name: 'records',
        up: async (tx) => {
          await tx.execute(`INSERT INTO ${STORES} VALUES (?, ?, ?, ?, 0)`, [
            this.#name,
            this.#kind,
            this.dimensions,
            this.#model,
          ]);
          await tx.execute(
            `CREATE TABLE ${this.records} (slot ${this.rowKey}, id TEXT NOT NULL UNIQUE, payload TEXT)`,
          );
          await tx.execute(
            `CREATE TABLE ${this.facets} (token TEXT, slot BIGINT, PRIMARY KEY (token, slot))`,
          );
          await tx.execute(`CREATE INDEX ${this.facets}_slot ON ${this.facets} (slot)`);
          await makeVectors(tx);
        },
      },
    ]);
    await this.#compare();
  }

  /** The type of `slot`; in SQLite the number of the row itself, so that no index is needed. */
  get rowKey(): string {
    return this.database.dialect === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'BIGINT PRIMARY KEY';
  }

  /** Counts the writes, so that others see that there was one. */
  async readRevision(executor: SqlExecutor = this.database): Promise<number> {
    const [row] = await executor.query<{ revision: number }>(
      `SELECT revision FROM ${STORES} WHERE name = ?`,
      [this.#name],
    );
    return row?.revision ?? 0;
  }

  async raiseRevision(tx: SqlExecutor): Promise<number> {
    const [row] = await tx.query<{ revision: number }>(
      `UPDATE ${STORES} SET revision = revision + 1 WHERE name = ? RETURNING revision`,
      [this.#name],
    );
    return row?.revision ?? 0;
  }

  /** Returns an error as a store reports it. */
  failure(error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (VectorError.isInstance(error) || PeerError.isInstance(error)) return error;
    const code = StorageError.isInstance(error) ? error.code : 'sql';
    const isAway = code === 'connection' || code === 'busy' || code === 'io';
    return new VectorError(
      code === 'closed' ? 'closed' : isAway ? 'unavailable' : 'refused',
      `${this.place} failed: ${messageOf(error)}`,
      { cause: error, context: { store: this.#name } },
    );
  }

  async #compare(): Promise<void> {
    const [made] = await this.database.query<{ kind: string; dimensions: number; model: string }>(
      `SELECT kind, dimensions, model FROM ${STORES} WHERE name = ?`,
      [this.#name],
    );
    if (!made) return;
    const wayOut = `: give this one another name, or delete the tables of the old one`;
    if (made.kind !== this.#kind || made.dimensions !== this.dimensions) {
      throw new VectorError(
        'dimension-mismatch',
        `${this.place} was made for ${made.dimensions} dimensions as ${made.kind}, not for ` +
          `${this.dimensions}${wayOut}`,
        { context: { made: made.dimensions, wanted: this.dimensions } },
      );
    }
    if (made.model !== '' && this.#model !== '' && made.model !== this.#model) {
      throw new VectorError(
        'model-mismatch',
        `${this.place} holds vectors of the model '${made.model}', not '${this.#model}'${wayOut}`,
        { context: { made: made.model, wanted: this.#model } },
      );
    }
  }
}

async function makeStores(tx: SqlExecutor): Promise<void> {
  await tx.execute(
    `CREATE TABLE ${STORES} (name TEXT PRIMARY KEY, kind TEXT NOT NULL, dimensions BIGINT NOT NULL,
      model TEXT NOT NULL, revision BIGINT NOT NULL)`,
  );
}
