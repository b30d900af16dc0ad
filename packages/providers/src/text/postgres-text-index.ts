import type { Database, SqlParameter, Statement } from '../storage/database.ts';
import { StorageError } from '../storage/storage-error.ts';
import { buildTextIndex } from './build-text-index.ts';
import { indexTables, numberOf, numbersFor, numbersOf, rowTerms, tagTerm } from './index-tables.ts';
import type { ListRequest } from './list-groups.ts';
import type { QueryGroup } from './parse-query.ts';
import { listStatement, queryOf, quote } from './postgres-lists.ts';
import type { RankRequest, TextEngine } from './search-plan.ts';
import type {
  PutRow,
  RowNumber,
  TextHit,
  TextIndex,
  CompleteTextIndexOptions,
} from './text-index.ts';

/**
 * Terms in one row. A `tsvector` keeps 256 positions of a term, positions up to 16,383 and 1 MB in
 * all; longer texts are cut into parts.
 *
 * Source: https://www.postgresql.org/docs/current/textsearch-limitations.html
 */
const PART_TERMS = 2000;
/** Terms that a part repeats from the one before, so that no phrase is cut. */
const OVERLAP = 64;
/** Between the positions of two fields, so that no phrase goes from one to the next. */
const GAP = 2;
/** The labels of the first two fields, the further ones and the extra terms. */
const LABELS = ['A', 'B', 'C'] as const;
const EXTRA_LABEL = 'D';
const EXTRA_WEIGHT = 0.5;

/** The protocol has 16 bits for how many a statement has, and each of them takes time to plan. */
const MAX_PARAMETERS = 30_000;

interface PlacedTerm {
  readonly text: string;
  readonly position: number;
  readonly label: string;
}

/** Returns the index on PostgreSQL: `tsvector` values made of the analyser's terms, under a GIN index. */
export async function postgresTextIndex(
  database: Database,
  options: CompleteTextIndexOptions,
): Promise<TextIndex> {
  const { fields, table, key, analyzer } = options;
  const tables = await indexTables(database, options, (name) => [
    `CREATE TABLE ${name} (
      id BIGINT NOT NULL, part BIGINT NOT NULL, terms TSVECTOR NOT NULL, PRIMARY KEY (id, part)
    )`,
    `CREATE INDEX ${name}_terms ON ${name} USING GIN (terms)`,
    indexOfLong(name),
  ]);
  const { derived } = tables;
  await addIndexOfLong(database, derived);
  const weights = `'{${rankWeights(Object.values(fields)).join(',')}}'`;

  function put(given: PutRow): readonly Statement[] {
    const { id, tags = [], isNew = false } = given;
    const row = numberOf(id);
    const parts = partsOf(placeTerms(given, tags.map(tagTerm), Object.keys(fields), analyzer));
    return [
      ...(isNew ? [] : remove(id)),
      ...parts.map((terms, part) => ({
        sql: `INSERT INTO ${derived} VALUES (${row.sql}, ?, ?::tsvector)`,
        params: [...row.params, part, terms.map(formatTerm).join(' ')],
      })),
    ];
  }

  function remove(id: RowNumber): readonly Statement[] {
    const rows = numbersFor(id);
    return [{ sql: `DELETE FROM ${derived} WHERE id IN (${rows.sql})`, params: rows.params }];
  }

  async function rank(request: RankRequest): Promise<readonly TextHit[]> {
    const { required, match, scored, where, cap } = request;
    const filter = where ? `WHERE id IN (SELECT ${key} FROM ${table} WHERE (${where.sql}))` : '';
    const ids = required.map(() => `SELECT id FROM ${derived} WHERE terms @@ ?::tsquery`);
    const score = scored.map(() => `?::float8 * ts_rank(${weights}, terms, ?::tsquery, 1)`);
    const params: SqlParameter[] = [
      ...required.map(queryOf),
      ...(where?.params ?? []),
      cap,
      ...scored.flatMap((group) => [group.idf, queryOf(group)]),
    ];
    return database.query<{ id: number; score: number }>(
      `WITH candidate AS (
         SELECT id FROM (${ids.join(match === 'all' ? ' INTERSECT ' : ' UNION ')}) AS ids
         ${filter} ORDER BY id DESC LIMIT ?
       )
       SELECT id, sum(${score.join(' + ')}) AS score
       FROM candidate JOIN ${derived} USING (id) GROUP BY id`,
      params,
    );
  }

  async function probe(group: QueryGroup, cap: number): ReturnType<TextEngine['probe']> {
    const [row] = await database.query<{ count: number; oldest: number | null }>(
      `SELECT count(*) AS count, min(id) AS oldest FROM (
         SELECT DISTINCT id FROM ${derived} WHERE terms @@ ?::tsquery ORDER BY id DESC LIMIT ?
       ) AS newest`,
      [queryOf(group), cap],
    );
    return { count: row?.count ?? 0, oldest: row?.oldest ?? 0 };
  }

  async function lists(requests: readonly ListRequest[]): Promise<readonly (readonly number[])[]> {
    const statements = requests.map((request) => listStatement({ derived, table, key }, request));
    const found: string[] = [];
    for (const some of withFewParameters(statements)) {
      const [row = {}] = await database.query<Record<string, string | null>>(
        `SELECT ${some.map(({ sql }, at) => `(${sql}) AS ids${at}`).join(', ')}`,
        some.flatMap(({ params }) => params),
      );
      for (const at of some.keys()) found.push(row[`ids${at}`] ?? '');
    }
    return requests.map(({ cap }, at) => {
      const ids = numbersOf(found[at] ?? '').toSorted((a, b) => b - a);
      return ids.slice(0, cap);
    });
  }

  const optimize = async (): Promise<void> => {
    // VACUUM is not part of a transaction, so it needs the schema by name.
    const [row] = await database.query<{ schema: string }>(
      'SELECT quote_ident(current_schema()) AS schema',
    );
    if (row) await database.execute(`VACUUM ${row.schema}.${derived}`);
  };

  return buildTextIndex(database, options, tables, {
    put,
    remove,
    optimize,
    number: 'id',
    probe,
    rank,
    lists,
  });
}

/** Divides statements into parts that can be one each: mostly a single part, as only long filters have many parameters. */
function withFewParameters(
  statements: readonly Required<Statement>[],
): readonly (readonly Required<Statement>[])[] {
  const parts: Required<Statement>[][] = [];
  let count = Infinity;
  for (const statement of statements) {
    count += statement.params.length;
    if (count > MAX_PARAMETERS) {
      parts.push([]);
      count = statement.params.length;
    }
    parts.at(-1)?.push(statement);
  }
  return parts;
}

/** Rows with several parts are few, and each search asks for them. */
function indexOfLong(derived: string): string {
  return `CREATE INDEX IF NOT EXISTS ${derived}_long ON ${derived} (id) WHERE part = 1`;
}

/** Adds an index that tables of former versions lack. No migration, which would shut those versions out. */
async function addIndexOfLong(database: Database, derived: string): Promise<void> {
  const [row] = await database.query<{ name: string | null }>(
    'SELECT CAST(to_regclass(?) AS TEXT) AS name',
    [`${derived}_long`],
  );
  if (row?.name !== null) return;
  try {
    await database.execute(indexOfLong(derived));
  } catch (error) {
    // A user who may not create it, a replica, or another process that was faster: searches find the same without it.
    if (!StorageError.isInstance(error)) throw error;
  }
}

/** Weights of the labels D, C, B and A, scaled so that the largest is 1. */
function rankWeights(fieldWeights: readonly number[]): number[] {
  const [a = 1, b = 1, c = 1] = fieldWeights;
  const largest = Math.max(a, b, c, EXTRA_WEIGHT);
  return [EXTRA_WEIGHT, c, b, a].map((weight) => weight / largest);
}

/** All terms of a row: those of its fields one field after the other, then the extra ones. */
function placeTerms(
  row: PutRow,
  tags: readonly string[],
  names: readonly string[],
  analyzer: TextIndex['analyzer'],
): PlacedTerm[] {
  const placed: PlacedTerm[] = [];
  const extra = [...tags];
  let position = 0;
  for (const [index, name] of names.entries()) {
    const label = LABELS[Math.min(index, LABELS.length - 1)] ?? 'C';
    const terms = rowTerms(analyzer, row, name);
    for (const text of eachOf(terms.line)) placed.push({ text, position: position++, label });
    for (const text of eachOf(terms.extra)) extra.push(text);
    position += GAP;
  }
  for (const text of extra) placed.push({ text, position: position++, label: EXTRA_LABEL });
  return placed;
}

/** Terms one by one, of which an item may hold several. */
function eachOf(items: readonly string[]): readonly string[] {
  return items.flatMap((item) => item.split(' '));
}

/** Parts of bounded length; positions begin again in each. */
function partsOf(terms: readonly PlacedTerm[]): PlacedTerm[][] {
  const parts: PlacedTerm[][] = [];
  for (let from = 0; from < terms.length; from += PART_TERMS) {
    const start = Math.max(0, from - OVERLAP);
    const first = terms[start]?.position ?? 0;
    const part = terms.slice(start, from + PART_TERMS);
    parts.push(part.map((term) => ({ ...term, position: term.position - first + 1 })));
  }
  // A row without words has a part, too, so that it is known to be indexed.
  return parts.length > 0 ? parts : [[]];
}

function formatTerm({ text, position, label }: PlacedTerm): string {
  return `${quote(text)}:${position}${label}`;
}
