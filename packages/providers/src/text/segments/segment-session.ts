import type { SqlExecutor } from '../../storage/database.ts';
import { sqlArray } from '../../storage/sql-statements.ts';
import type { ListRequest } from '../list-groups.ts';
import type { QueryGroup } from '../parse-query.ts';
import type { RankRequest, TextEngine } from '../search-plan.ts';
import type { CompleteTextIndexOptions, TextHit } from '../text-index.ts';
import { GroupRows, type RowScope, selectRows, type SortedRows, uniteRows } from './group-rows.ts';
import { PartLoader } from './part-loader.ts';
import { EVERY_ROW, EXTRA_LABEL, LABELS } from './row-terms.ts';
import type { Snapshot, WantedTerms } from './segment-snapshot.ts';
import type { SegmentTables } from './segment-tables.ts';

/** The saturation of repeated terms, and the influence of a row's length: BM25, as FTS5 of SQLite has them. */
const K1 = 1.2;
const B = 0.75;
/** How much an extra term, such as a part of an identifier, counts next to a whole one. */
const EXTRA_WEIGHT = 0.5;
/** A clause is listed whole if its rows are at most this multiple of the wanted ones. */
const FEW_TIMES = 8;
/** The parts of the rarest clause that are scanned first, and the factor by which they grow each time. */
const FIRST_PARTS = 16;
const PARTS_TIMES = 8;
/** The rows that a condition filters first, and the factor by which they grow each time. */
const FIRST_FILTERED = 1000;
const FILTERED_TIMES = 8;

/** The term of all rows, whose place is the length of a row. */
export const EVERY: QueryGroup = { terms: [{ text: EVERY_ROW, isPrefix: false }], isWeak: false };

/** Rows that have a group of each clause and none of `without`, and fulfil `where`. */
interface RowsRequest extends Pick<ListRequest, 'clauses' | 'without' | 'where'> {
  /** How many at most, the newest. */
  readonly cap: number | undefined;
}

/** Answers one query by a snapshot of an index. */
export class SegmentSession implements Pick<TextEngine, 'newest' | 'probe' | 'rank'> {
  readonly #executor: SqlExecutor;
  readonly #options: CompleteTextIndexOptions;
  readonly #snapshot: Snapshot;
  readonly #groups: GroupRows;

  constructor(
    executor: SqlExecutor,
    tables: SegmentTables,
    options: CompleteTextIndexOptions,
    snapshot: Snapshot,
    terms: readonly WantedTerms[],
  ) {
    this.#executor = executor;
    this.#options = options;
    this.#snapshot = snapshot;
    this.#groups = new GroupRows(snapshot, new PartLoader(executor, tables), terms);
  }

  async newest(): Promise<number> {
    return this.#snapshot.newest;
  }

  /** Returns the rows of each request, the newest first. */
  async lists(requests: readonly ListRequest[]): Promise<readonly (readonly number[])[]> {
    return Promise.all(requests.map(async (request) => [...(await this.#newestRows(request))]));
  }

  /** Returns the numbers of all rows; the query is to ask for {@link EVERY}. */
  async all(): Promise<readonly number[]> {
    return [...(await this.#groups.rowsOf(EVERY, { above: -Infinity }))];
  }

  async probe(group: QueryGroup, cap: number): ReturnType<TextEngine['probe']> {
    const rows = await this.#newestRows({ clauses: [[group]], where: undefined, cap });
    return { count: rows.length, oldest: rows.at(-1) ?? 0 };
  }

  async rank({ required, match, scored, where, cap }: RankRequest): Promise<readonly TextHit[]> {
    const clauses = match === 'all' ? required.map((group) => [group]) : [required];
    const rows = (await this.#newestRows({ clauses, where, cap })).toSorted();
    const [lengths, ...found] = await Promise.all(
      [EVERY, ...scored].map((group) => this.#groups.placesIn(group, rows)),
    );
    const mean = this.#meanLength();
    return Array.from(rows, (id) => {
      const length = lengths?.get(id)?.[0] ?? mean;
      const score = scored.reduce((sum, { idf }, at) => {
        const often = this.#weightOf(found[at]?.get(id) ?? []);
        return sum + (idf * often * (K1 + 1)) / (often + K1 * (1 - B + (B * length) / mean));
      }, 0);
      return { id, score };
    });
  }

  #weightOf(places: readonly number[]): number {
    const weights = Object.values(this.#options.fields);
    return places.reduce((sum, place) => {
      const label = place % LABELS;
      return sum + (label === EXTRA_LABEL ? EXTRA_WEIGHT : (weights[label] ?? 1));
    }, 0);
  }

  #meanLength(): number {
    const { segments } = this.#snapshot;
    const docs = segments.reduce((sum, segment) => sum + segment.docs, 0);
    const words = segments.reduce((sum, segment) => sum + segment.words, 0);
    return docs === 0 ? MEAN_LENGTH : Math.max(1, words / docs);
  }

  /** Returns the newest rows first. */
  async #newestRows({ clauses, without, where, cap }: RowsRequest): Promise<Float64Array> {
    if (cap === 0 || clauses.length === 0) return new Float64Array(0);
    const all = [...clauses.flat(), ...(without ? [without] : [])];
    const rarest = clauses.toSorted((a, b) => this.#countOf(a) - this.#countOf(b));
    const [first = []] = rarest;
    const find = async (above: number): Promise<Float64Array> => {
      const rows = await this.#rowsWithin(rarest, without, above);
      return where ? this.#filtered(rows.toReversed(), where, cap) : rows.toReversed();
    };
    let above =
      cap === undefined || this.#countOf(first) <= FEW_TIMES * cap
        ? -Infinity
        : this.#groups.loadedAbove(all);
    for (let parts = FIRST_PARTS; ; parts *= PARTS_TIMES) {
      const found = await find(above);
      if (above === -Infinity || found.length >= (cap ?? Infinity)) return found.subarray(0, cap);
      above = Math.min(above, this.#groups.aboveOf(first, parts));
    }
  }

  #countOf(clause: readonly QueryGroup[]): number {
    return clause.reduce((sum, group) => sum + this.#groups.count(group), 0);
  }

  async #rowsWithin(
    clauses: readonly (readonly QueryGroup[])[],
    without: QueryGroup | undefined,
    above: number,
  ): Promise<SortedRows> {
    let scope: RowScope = { above };
    for (const clause of clauses) {
      const within = scope;
      const found = await Promise.all(clause.map((group) => this.#groups.rowsOf(group, within)));
      scope = { above, among: uniteRows(found) };
    }
    const rows = scope.among ?? new Float64Array(0);
    return without ? selectRows(rows, await this.#groups.rowsOf(without, scope), false) : rows;
  }

  /** Returns the newest of some rows that fulfil a condition, as many as are wanted or more. */
  async #filtered(
    rows: Float64Array,
    where: NonNullable<ListRequest['where']>,
    cap = Infinity,
  ): Promise<Float64Array> {
    const { table, key } = this.#options;
    const found: number[] = [];
    let size = FIRST_FILTERED;
    for (
      let from = 0;
      from < rows.length && found.length < cap;
      from += size, size *= FILTERED_TIMES
    ) {
      const some = rows.subarray(from, from + size);
      const kept = await this.#executor.query<{ id: number }>(
        `SELECT ${key} AS id FROM ${table} WHERE ${key} = ANY(CAST(? AS BIGINT[])) AND (${where.sql})`,
        [sqlArray([...some]), ...(where.params ?? [])],
      );
      const ids = new Set(kept.map(({ id }) => id));
      for (const row of some) if (ids.has(row)) found.push(row);
    }
    return Float64Array.from(found);
  }
}

/** How long a row is where no segment says it. */
const MEAN_LENGTH = 50;
