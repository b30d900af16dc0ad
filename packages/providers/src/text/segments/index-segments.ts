import type { Database, Statement } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-statements.ts';
import { StorageError } from '../../storage/storage-error.ts';
import { numberOf, numbersFor, tagTerm } from '../index-tables.ts';
import type { QueryGroup } from '../parse-query.ts';
import type {
  CompleteTextIndexOptions,
  NewRow,
  NewRows,
  PutRow,
  RowNumber,
} from '../text-index.ts';
import {
  backlogOf,
  FRESH,
  moveFresh,
  removalKey,
  settleSegments,
  sweepSegments,
  type Backlog,
} from './maintain-segments.ts';
import { SegmentsMoved } from './part-loader.ts';
import { type FreshTerms, termsText } from './row-terms.ts';
import { EVERY, SegmentSession } from './segment-session.ts';
import { readSnapshot, termsOf } from './segment-snapshot.ts';
import type { SegmentTables } from './segment-tables.ts';

/** A query that finds this multiple of the fresh rows that a writer leaves has them settled first. */
const TIMES_FRESH = 4;
/** After this many rows or characters a writer counts the fresh rows. */
const LOOK = { rows: FRESH.rows / 4, bytes: FRESH.bytes / 4 } as const;
/** Maximum number of attempts when segments are merged meanwhile. */
const ATTEMPTS = 8;

/** The statements and searches of a text index whose postings are in segments. */
export class IndexSegments {
  readonly #database: Database;
  readonly #options: CompleteTextIndexOptions;
  readonly #tables: SegmentTables;
  /** The fresh rows of the last query, by their numbers: they never change. */
  #fresh: ReadonlyMap<number, FreshTerms> = new Map();
  /** The rows and characters that were written since this process counted the fresh rows. It has not counted yet. */
  #put = { rows: Infinity, bytes: 0 };
  /** A query of this process has read the fresh rows. */
  #isRead = false;

  constructor(database: Database, options: CompleteTextIndexOptions, tables: SegmentTables) {
    this.#database = database;
    this.#options = options;
    this.#tables = tables;
  }

  put(given: PutRow): readonly Statement[] {
    const { id, isNew = false } = given;
    const row = numberOf(id);
    const { fresh } = this.#tables;
    const terms = this.#termsOf(given);
    return [
      {
        // A transaction that puts or removes the same row is waited for, so that only one of them leaves its terms.
        sql: `INSERT INTO ${fresh} (id, terms) SELECT CAST(${row.sql} AS BIGINT), CAST(? AS TEXT)
          ${isNew ? '' : `FROM ${this.#locked()}`}
          ON CONFLICT (id) DO UPDATE SET no = excluded.no, terms = excluded.terms`,
        params: [...row.params, terms],
      },
      ...(isNew ? [] : [this.#markGone(id)]),
    ];
  }

  putNew({ ids, rows }: NewRows): readonly Statement[] {
    const terms = rows.map((row) => this.#termsOf(row));
    return [
      {
        sql: `INSERT INTO ${this.#tables.fresh} (id, terms) SELECT numbered.id, given.terms
          FROM (${ids.sql}) AS numbered
          JOIN unnest(CAST(? AS TEXT[])) WITH ORDINALITY AS given(terms, place) ON given.place = numbered.place
          ORDER BY given.place
          ON CONFLICT (id) DO UPDATE SET no = excluded.no, terms = excluded.terms`,
        params: [...(ids.params ?? []), sqlArray(terms)],
      },
    ];
  }

  /** Returns the terms of a row as text, and counts what is put. */
  #termsOf(row: NewRow): string {
    const terms = termsText(this.#options, row, (row.tags ?? []).map(tagTerm));
    this.#put.rows++;
    this.#put.bytes += terms.length;
    return terms;
  }

  remove(id: RowNumber): readonly Statement[] {
    const { fresh } = this.#tables;
    const { sql, params } = numbersFor(id);
    this.#put.rows = typeof id === 'number' ? this.#put.rows + 1 : Infinity;
    return [
      {
        // A transaction that has put the row and not ended yet is waited for: its row cannot be seen to delete it.
        sql: `INSERT INTO ${fresh} (id, terms)
          SELECT DISTINCT removed.id, '' FROM ${this.#locked()}, (${idsOf(id)}) AS removed(id)
          WHERE removed.id IS NOT NULL ORDER BY removed.id
          ON CONFLICT (id) DO UPDATE SET no = excluded.no, terms = ''`,
        params,
      },
      { sql: `DELETE FROM ${fresh} WHERE id IN (${sql})`, params },
      this.#markGone(id),
    ];
  }

  /** Returns a table of one row, with which a statement takes the lock that removals share. */
  #locked(): string {
    return `(SELECT pg_advisory_xact_lock_shared(${removalKey(this.#tables)})) AS lock`;
  }

  /** Returns the statement after which no segment so far has a row. It follows the one that waits for other writers. */
  #markGone(id: RowNumber): Statement {
    const { gone, segment, numbers } = this.#tables;
    return {
      sql: `INSERT INTO ${gone} SELECT removed.id, last.last_value
        FROM (${idsOf(id)}) AS removed(id), ${numbers} AS last
        WHERE removed.id IS NOT NULL AND EXISTS (SELECT 1 FROM ${segment})`,
      params: numbersFor(id).params,
    };
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
    if (!this.#isRead && isLarge(await backlogOf(this.#database, this.#tables))) {
      await this.#settled();
    }
    this.#isRead = true;
    for (let attempt = 1; ; attempt++) {
      try {
        const source = { table, key, tables: this.#tables, known: this.#fresh };
        const snapshot = await readSnapshot(this.#database, source, terms);
        this.#fresh = new Map(snapshot.fresh.map((row) => [row.no, row]));
        if (attempt === 1 && isLarge(sizeOf(snapshot.fresh)) && (await this.#settled())) continue;
        return await run(
          new SegmentSession(this.#database, this.#tables, this.#options, snapshot, terms),
        );
      } catch (error) {
        if (!(error instanceof SegmentsMoved)) throw error;
        if (attempt < ATTEMPTS) continue;
        throw new StorageError(
          'busy',
          `cannot search the text index '${this.#options.name}': its segments were merged during each of ` +
            `${ATTEMPTS} attempts. Try again`,
          { cause: error, context: { index: this.#options.name } },
        );
      }
    }
  }

  /** Moves fresh rows to segments where this process may write. Merging takes long, and is left to writers. */
  async #settled(): Promise<boolean> {
    try {
      await moveFresh(this.#database, this.#tables);
      return true;
    } catch (error) {
      // A read-only role or a replica: a search finds the same without it.
      if (!StorageError.isInstance(error)) throw error;
      return false;
    }
  }

  /** Returns the numbers of all rows of the index. */
  async rows(): Promise<ReadonlySet<number>> {
    return this.withSession([EVERY], false, async (session) => new Set(await session.all()));
  }
}

/** Returns the query for the number of a row, or for several. */
function idsOf(id: RowNumber): string {
  return typeof id === 'number' ? 'SELECT CAST(? AS BIGINT)' : id.sql;
}

function sizeOf(fresh: readonly FreshTerms[]): Pick<Backlog, 'fresh' | 'bytes'> {
  return { fresh: fresh.length, bytes: fresh.reduce((sum, { size }) => sum + size, 0) };
}

function isLarge({ fresh, bytes }: Pick<Backlog, 'fresh' | 'bytes'>): boolean {
  return fresh > TIMES_FRESH * FRESH.rows || bytes > TIMES_FRESH * FRESH.bytes;
}
