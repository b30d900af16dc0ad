import type { Database } from '@vizprompt/providers';
import { selectEvents, type EventRow } from '../store/event-rows.ts';
import { listOf } from '../store/sql.ts';

/** An event that may have a vector. */
export interface VectorPlace {
  readonly key: number;
  readonly id: string;
}

/** An event that has no vector yet, with all that one is made of. */
export interface UnembeddedRow extends EventRow {
  readonly session_key: number;
  readonly home_path: string;
}

/** Keys above `from`, up to `to`. */
export interface KeyRange {
  readonly from: number;
  readonly to: number;
}

/** Vectors can be made again, and so can this table: copies of a database leave such names out. */
const TABLE = 'derived_memory_vectors';

/**
 * - `BEGUN`: the vector is being written, and may be in the store
 * - `STORED`: it is in the store
 * - `REFUSED`: the model takes no such text
 * - `LEAVING`: it is being removed
 */
const STATE = { BEGUN: 0, STORED: 1, REFUSED: 2, LEAVING: 3 } as const;

/** The line of one event. */
const THIS = 'model = ? AND tenant = ? AND key = ? AND id = ?';

/** The event of the line `b` is forgotten or deleted. */
const IS_GONE = `NOT EXISTS (SELECT 1 FROM memory_events AS e
  WHERE e.key = b.key AND e.id = b.id AND e.type <> 'forgotten')`;

/**
 * Which events have a vector. A line is written before the vector is, and leaves after it, so that no
 * vector is ever in the store without one: whatever breaks off is finished later.
 */
export class VectorBook {
  readonly #database: Database;
  readonly #model: string;
  readonly #tenant: string;

  constructor(database: Database, model: string, tenant: string) {
    this.#database = database;
    this.#model = model;
    this.#tenant = tenant;
  }

  /** Makes the table where it is missing. */
  async open(): Promise<void> {
    const isSqlite = this.#database.dialect === 'sqlite';
    await this.#database.migrate('memory_vectors', [
      {
        version: 1,
        name: 'which events have a vector',
        async up(tx) {
          await tx.execute(`CREATE TABLE ${TABLE} (
            model TEXT NOT NULL, tenant TEXT NOT NULL, key BIGINT NOT NULL, id TEXT NOT NULL,
            state BIGINT NOT NULL, PRIMARY KEY (model, tenant, key, id))${isSqlite ? ' WITHOUT ROWID' : ''}`);
        },
      },
    ]);
  }

  /** Returns the largest keys of an event and of a line. */
  async lastKeys(): Promise<{ readonly event: number; readonly line: number }> {
    const [row] = await this.#database.query<{ event: number | null; line: number | null }>(
      `SELECT (SELECT MAX(key) FROM memory_events) AS event,
         (SELECT MAX(key) FROM ${TABLE} WHERE model = ? AND tenant = ?) AS line`,
      [this.#model, this.#tenant],
    );
    return { event: row?.event ?? 0, line: row?.line ?? 0 };
  }

  /** How many vectors the store must have. */
  async countStored(): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(
      `SELECT COUNT(*) AS count FROM ${TABLE} WHERE model = ? AND tenant = ? AND state = ?`,
      [this.#model, this.#tenant, STATE.STORED],
    );
    return row?.count ?? 0;
  }

  /** Forgets all lines: every event is to be embedded again. */
  async clear(): Promise<void> {
    await this.#database.execute(`DELETE FROM ${TABLE} WHERE model = ? AND tenant = ?`, [
      this.#model,
      this.#tenant,
    ]);
  }

  /** Forgets which texts were refused, so that they are tried again. */
  async clearRefused(): Promise<void> {
    await this.#database.execute(
      `DELETE FROM ${TABLE} WHERE model = ? AND tenant = ? AND state = ${STATE.REFUSED}`,
      [this.#model, this.#tenant],
    );
  }

  /** Events that need a vector, the newest first. */
  async missing({ from, to }: KeyRange, limit: number): Promise<readonly UnembeddedRow[]> {
    return this.#database.query<UnembeddedRow>(
      `${selectEvents(', e.session_key, s.home_path')}
       WHERE e.key > ? AND e.key <= ? AND COALESCE(e.tenant, '') = ? AND e.type <> 'forgotten'
         AND NOT EXISTS (SELECT 1 FROM ${TABLE} AS b WHERE b.model = ? AND b.tenant = ?
           AND b.key = e.key AND b.id = e.id AND b.state IN (${STATE.STORED}, ${STATE.REFUSED}))
       ORDER BY e.key DESC LIMIT ?`,
      [from, to, this.#tenant, this.#model, this.#tenant, limit],
    );
  }

  /** Lines of events that are forgotten or deleted. */
  async gone({ from, to }: KeyRange): Promise<readonly VectorPlace[]> {
    return this.#database.query<VectorPlace>(
      `SELECT b.key, b.id FROM ${TABLE} AS b WHERE b.model = ? AND b.tenant = ?
         AND b.key > ? AND b.key <= ? AND ${IS_GONE}`,
      [this.#model, this.#tenant, from, to],
    );
  }

  /** The vectors of these events are about to be written. */
  async begin(places: readonly VectorPlace[]): Promise<void> {
    await this.#put(places, STATE.BEGUN);
  }

  /**
   * The vectors of these events are written.
   *
   * @returns Those whose events are gone by now.
   */
  async settle(places: readonly VectorPlace[]): Promise<readonly VectorPlace[]> {
    const sql = `UPDATE ${TABLE} AS b SET state = ${STATE.STORED} WHERE ${THIS} AND NOT ${IS_GONE}`;
    await this.#each(sql, places);
    const rows = await this.#database.query<VectorPlace>(
      `SELECT key, id FROM ${TABLE} WHERE model = ? AND tenant = ? AND state = ${STATE.STORED}
         AND key IN ${listOf(places)}`,
      [this.#model, this.#tenant, ...places.map(({ key }) => key)],
    );
    return places.filter(({ key, id }) => !rows.some((row) => row.key === key && row.id === id));
  }

  /** The model takes no text of this event. */
  async refuse(place: VectorPlace): Promise<void> {
    await this.#put([place], STATE.REFUSED);
  }

  /** The vectors of these events are about to be removed. One that is just being written has its writer. */
  async leave(places: readonly VectorPlace[]): Promise<void> {
    const sql = `UPDATE ${TABLE} SET state = ${STATE.LEAVING}
      WHERE ${THIS} AND state <> ${STATE.BEGUN}`;
    await this.#each(sql, places);
  }

  /** They are out; with `'all'` also those that were begun. */
  async strike(places: readonly VectorPlace[], which: 'left' | 'all'): Promise<void> {
    const left = which === 'left' ? ` AND state = ${STATE.LEAVING}` : '';
    await this.#each(`DELETE FROM ${TABLE} WHERE ${THIS}${left}`, places);
  }

  async #put(places: readonly VectorPlace[], state: number): Promise<void> {
    const sql = `INSERT INTO ${TABLE} (model, tenant, key, id, state) VALUES (?, ?, ?, ?, ${state})
      ON CONFLICT (model, tenant, key, id) DO UPDATE SET state = excluded.state`;
    await this.#each(sql, places);
  }

  async #each(sql: string, places: readonly VectorPlace[]): Promise<void> {
    await this.#database.batch(
      places.map(({ key, id }) => ({ sql, params: [this.#model, this.#tenant, key, id] })),
    );
  }
}

/**
 * Marks the vectors of events as stale, whichever model made them: they are removed and made again when the
 * memory is next opened with that model.
 */
export async function markStale(
  database: Database,
  tenant: string,
  places: readonly VectorPlace[],
): Promise<void> {
  if (places.length === 0 || !(await hasBook(database))) return;
  await database.batch(
    places.map(({ key, id }) => ({
      sql: `UPDATE ${TABLE} SET state = ${STATE.LEAVING}
        WHERE tenant = ? AND key = ? AND id = ? AND state <> ${STATE.BEGUN}`,
      params: [tenant, key, id],
    })),
  );
}

async function hasBook(database: Database): Promise<boolean> {
  const sql =
    database.dialect === 'sqlite'
      ? `SELECT 1 FROM sqlite_master WHERE name = ?`
      : `SELECT 1 FROM information_schema.tables WHERE table_name = ? AND table_schema = CURRENT_SCHEMA()`;
  return (await database.query(sql, [TABLE])).length > 0;
}
