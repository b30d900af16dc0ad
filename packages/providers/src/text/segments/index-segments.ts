import type { Database, Statement } from '../../storage/database.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { numberOf, numbersFor, tagTerm } from '../index-tables.ts';
import type { QueryGroup } from '../parse-query.ts';
import type { CompleteTextIndexOptions, PutRow, RowNumber } from '../text-index.ts';
import { FRESH, removalKey, settleSegments, sweepSegments } from './maintain-segments.ts';
import { SegmentsMoved } from './part-loader.ts';
import { type FreshTerms, termsText } from './row-terms.ts';
import { EVERY, SegmentSession } from './segment-session.ts';
import { readSnapshot, termsOf } from './segment-snapshot.ts';
import type { SegmentTables } from './segment-tables.ts';

/** A query that finds this multiple of the fresh rows that a writer leaves has them settled first. */
const TIMES_FRESH = 4;
/** After this many rows or characters a writer counts the fresh rows. */
const LOOK = { rows: FRESH.rows / 4, bytes: FRESH.bytes / 4 } as const;
/** So often a query begins again because segments were merged. */
const ATTEMPTS = 8;

/** The statements and searches of a text index whose postings are in segments. */
export class IndexSegments {
  readonly #database: Database;
  readonly #options: CompleteTextIndexOptions;
  readonly #tables: SegmentTables;
  /** The fresh rows of the last query, by their numbers: they never change. */
  #fresh: ReadonlyMap<number, FreshTerms> = new Map();
  /** The rows and characters that were put since this process counted the fresh rows. It has not counted yet. */
  #put = { rows: Infinity, bytes: 0 };

  constructor(database: Database, options: CompleteTextIndexOptions, tables: SegmentTables) {
    this.#database = database;
    this.#options = options;
    this.#tables = tables;
  }

  put(given: PutRow): readonly Statement[] {
    const { id, tags = [], isNew = false } = given;
    const row = numberOf(id);
    const terms = termsText(this.#options, given, tags.map(tagTerm));
    this.#put.rows++;
    this.#put.bytes += terms.length;
    return [
      ...(isNew ? [] : this.remove(id)),
      {
        sql: `INSERT INTO ${this.#tables.fresh} (id, terms) VALUES (${row.sql}, ?)`,
        params: [...row.params, terms],
      },
    ];
  }

  remove(id: RowNumber): readonly Statement[] {
    const { fresh, gone, segment, numbers } = this.#tables;
    const { sql, params } = numbersFor(id);
    const ids = typeof id === 'number' ? 'SELECT CAST(? AS BIGINT)' : sql;
    return [
      {
        // No row: the lock is taken by an insertion, as who reads the rows of a batch expects none of this.
        sql: `INSERT INTO ${gone} SELECT 0, 0 FROM (
            SELECT pg_advisory_xact_lock_shared(${removalKey(this.#tables)}) AS lock
          ) AS shared WHERE lock IS NULL`,
      },
      { sql: `DELETE FROM ${fresh} WHERE id IN (${sql})`, params },
      {
        sql: `INSERT INTO ${gone} SELECT removed.id, last.last_value
          FROM (${ids}) AS removed(id), ${numbers} AS last
          WHERE EXISTS (SELECT 1 FROM ${segment})`,
        params,
      },
    ];
  }

  /** Settles fresh rows where there are many, which it looks for after some were put. */
  async settle(): Promise<void> {
    const { rows, bytes } = this.#put;
    if (rows < LOOK.rows && bytes < LOOK.bytes) return;
    this.#put = { rows: 0, bytes: 0 };
    await settleSegments(this.#database, this.#tables);
  }

  sweep(): Promise<void> {
    return sweepSegments(this.#database, this.#tables);
  }

  /** Runs a query on a snapshot of the index. It runs again if what it reads was merged meanwhile. */
  async withSession<Result>(
    groups: readonly QueryGroup[],
    isRanked: boolean,
    run: (session: SegmentSession) => Promise<Result>,
  ): Promise<Result> {
    const terms = termsOf(groups, isRanked);
    const { table, key } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        const source = { table, key, tables: this.#tables, known: this.#fresh };
        const snapshot = await readSnapshot(this.#database, source, terms);
        this.#fresh = new Map(snapshot.fresh.map((row) => [row.no, row]));
        if (attempt === 1 && isLarge(snapshot.fresh) && (await this.#settled())) continue;
        return await run(
          new SegmentSession(this.#database, this.#tables, this.#options, snapshot, terms),
        );
      } catch (error) {
        if (!(error instanceof SegmentsMoved) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  /** Settles fresh rows where this process may write. */
  async #settled(): Promise<boolean> {
    try {
      await settleSegments(this.#database, this.#tables);
      return true;
    } catch (error) {
      // A user who may only read, or a replica: a search finds the same without it.
      if (!StorageError.isInstance(error)) throw error;
      return false;
    }
  }

  /** Returns the numbers of all rows of the index. */
  async rows(): Promise<ReadonlySet<number>> {
    return this.withSession([EVERY], false, async (session) => new Set(await session.all()));
  }
}

function isLarge(fresh: readonly FreshTerms[]): boolean {
  const bytes = fresh.reduce((sum, { size }) => sum + size, 0);
  return fresh.length > TIMES_FRESH * FRESH.rows || bytes > TIMES_FRESH * FRESH.bytes;
}
