import type { SqlExecutor } from '@vizprompt/providers';
import { type Dialect, sqlArray } from '@vizprompt/providers/internal';
import { givenRows, isAmong } from './given-rows.ts';
import type { SpacePlace } from './space-reader.ts';
import { fromSql } from './sql-text.ts';
import { type Bucket, bucketsOfTerm } from './term-buckets.ts';

/** Terms of one row at most. */
const ROW_TERMS = 4096;
/** Rows that are merged in one transaction. */
const BUCKETS_AT_ONCE = 2000;
/** A bucket is merged if it has more rows than one for each of this many terms, plus one. */
const LEAST_TERMS: number = ROW_TERMS / 4;

/** Collects which buckets terms come into. */
export class BucketLists {
  readonly #lists = new Map<string, { readonly of: Bucket; readonly terms: number[] }>();

  /** Adds a term to its buckets; of one bucket, in the order of their numbers. */
  add(term: number, buckets: readonly Bucket[]): void {
    for (const of of buckets) {
      const key = `${of.kind} ${of.bucket}`;
      const known = this.#lists.get(key);
      if (known) known.terms.push(term);
      else this.#lists.set(key, { of, terms: [term] });
    }
  }

  async write({ executor, dialect, tables, space }: SpacePlace): Promise<void> {
    const rows = [...this.#lists.values()].flatMap(({ of: { kind, bucket }, terms }) =>
      cut(terms).map((some) => [kind, bucket, some[0] ?? 0, some.length, listOf(dialect, some)]),
    );
    if (rows.length === 0) return;
    const columns = { kind: 'int', bucket: 'int', first: 'int', n: 'int', terms: 'text' } as const;
    const given = givenRows(dialect, columns, rows);
    const terms = dialect === 'postgres' ? 'CAST(given.terms AS INT[])' : 'given.terms';
    await executor.execute(
      `INSERT INTO ${tables.bucket} SELECT CAST(? AS INTEGER), given.kind, given.bucket, given.first,
         given.n, ${terms} FROM ${given.sql}`,
      [space, ...given.params],
    );
  }
}

/** Returns the buckets that have many small rows. */
export async function manyRows({
  executor,
  tables,
  space,
}: SpacePlace): Promise<readonly Bucket[]> {
  return executor.query<{ kind: number; bucket: number }>(
    `SELECT kind, bucket FROM ${tables.bucket} WHERE space = ? GROUP BY kind, bucket
     HAVING count(*) > 1 + sum(n) / ${LEAST_TERMS} ORDER BY kind, bucket`,
    [space],
  );
}

/** Cuts a list of buckets into those of one transaction. */
export function bucketsAtOnce(buckets: readonly Bucket[]): readonly (readonly Bucket[])[] {
  const lists: Bucket[][] = [];
  for (let from = 0; from < buckets.length; from += BUCKETS_AT_ONCE) {
    lists.push(buckets.slice(from, from + BUCKETS_AT_ONCE));
  }
  return lists;
}

/** Writes the rows of buckets again, each as few as there can be, without the terms that are gone. */
export async function rewriteBuckets(
  place: SpacePlace,
  buckets: readonly Bucket[],
  gone: ReadonlySet<number> = new Set(),
): Promise<void> {
  const { executor, dialect, tables, space } = place;
  const lists = new BucketLists();
  for (const kind of new Set(buckets.map((one) => one.kind))) {
    const own = buckets.flatMap((one) => (one.kind === kind ? [one.bucket] : []));
    const among = isAmong(dialect, 'bucket', own);
    const rows = await executor.query<{ bucket: number; first: number; terms: string }>(
      `DELETE FROM ${tables.bucket} WHERE space = ? AND kind = ? AND ${among.sql}
       RETURNING bucket, first, CAST(terms AS TEXT) AS terms`,
      [space, kind, ...among.params],
    );
    for (const { bucket, terms } of rows.toSorted((a, b) => a.first - b.first)) {
      for (const term of numbersOf(terms)) if (!gone.has(term)) lists.add(term, [{ kind, bucket }]);
    }
  }
  await lists.write(place);
}

/** Deletes the rows of terms that no chunk has, and takes them out of their buckets; under the lock of the space. */
export async function deleteTerms(
  place: SpacePlace,
  readingsOf: (term: string) => readonly string[],
): Promise<void> {
  const { executor, tables, space } = place;
  const rows = await executor.query<{ id: number; key: string }>(
    `DELETE FROM ${tables.term} WHERE space = ? AND chunks <= 0
     RETURNING id, coalesce(whole, key) AS key`,
    [space],
  );
  const buckets = new Map<string, Bucket>();
  for (const { key } of rows) {
    for (const of of bucketsOfTerm(fromSql(key), readingsOf))
      buckets.set(`${of.kind} ${of.bucket}`, of);
  }
  const gone = new Set(rows.map(({ id }) => id));
  for (const some of bucketsAtOnce([...buckets.values()])) await rewriteBuckets(place, some, gone);
  await deleteBlocks(executor, place, [...gone]);
}

async function deleteBlocks(
  executor: SqlExecutor,
  { dialect, tables, space }: SpacePlace,
  terms: readonly number[],
): Promise<void> {
  if (terms.length === 0) return;
  const among = isAmong(dialect, 'term', terms);
  await executor.execute(`DELETE FROM ${tables.block} WHERE space = ? AND ${among.sql}`, [
    space,
    ...among.params,
  ]);
}

function cut(terms: readonly number[]): readonly (readonly number[])[] {
  if (terms.length <= ROW_TERMS) return [terms];
  const rows: (readonly number[])[] = [];
  for (let from = 0; from < terms.length; from += ROW_TERMS) {
    rows.push(terms.slice(from, from + ROW_TERMS));
  }
  return rows;
}

function listOf(dialect: Dialect, terms: readonly number[]): string {
  return dialect === 'postgres' ? sqlArray(terms) : JSON.stringify(terms);
}

function numbersOf(list: string): readonly number[] {
  return list
    .slice(1, -1)
    .split(',')
    .flatMap((number) => (number === '' ? [] : [Number(number)]));
}
