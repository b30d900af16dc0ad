import { type TermTexts, type TextAnalyzer } from '../analysis/text-analyzer.ts';
import { termTexts } from '../analysis/terms.ts';
import type {
  Database,
  Migration,
  SqlExecutor,
  SqlParameter,
  Statement,
} from '../storage/database.ts';
import { DERIVED_PREFIX, DERIVED_TEXT_INDEX } from '../storage/table-info.ts';
import { StorageError } from '../storage/storage-error.ts';
import type {
  NewRow,
  RowNumber,
  TextIndex,
  CompleteTextIndexOptions,
  TextRow,
  TextSearchOptions,
} from './text-index.ts';

/** Changes when the tables of an index change their form. */
const FORM = 1;
/** How many rows a report of a check has at most, of each kind. */
export const MAX_REPORTED = 100;
/** How many rows a transaction of a rebuild holds. */
const REBUILD_BATCH = 500;

/** The tables that the indexes of all dialects have in common. */
export interface IndexTables {
  /** The name of the table of terms. */
  readonly derived: string;
  isStale(): boolean;
  rebuild(
    rows: AsyncIterable<TextRow> | Iterable<TextRow>,
    put: TextIndex['put'],
    settle: TextIndex['settle'],
  ): Promise<void>;
  countRows(where: NonNullable<TextSearchOptions['where']>, limit: number): Promise<number>;
}

/**
 * Makes the tables of an index where they are missing. If they were made for other fields or another
 * analyser, they wait for a rebuild.
 *
 * @param create - The statements that make the table of this name.
 */
export async function indexTables(
  database: Database,
  options: CompleteTextIndexOptions,
  create: (derived: string) => readonly string[],
): Promise<IndexTables> {
  const { name, fields, table, key, analyzer } = options;
  for (const identifier of [name, table, key]) assertIdentifier(identifier);
  const derived = DERIVED_PREFIX + name;
  const signature = JSON.stringify([FORM, analyzer.id, Object.keys(fields)]);

  await database.migrate('text_index', [
    {
      version: 1,
      name: 'signatures',
      up: async (tx) =>
        void (await tx.execute(
          `CREATE TABLE ${DERIVED_TEXT_INDEX} (name TEXT PRIMARY KEY, signature TEXT NOT NULL)`,
        )),
    },
  ]);
  const createAll = async (tx: SqlExecutor): Promise<void> => {
    for (const sql of create(derived)) await tx.execute(sql);
  };
  await database.migrate(`text_${name}`, [
    {
      version: 1,
      name: 'terms',
      async up(tx, dialect) {
        if (dialect === 'sqlite') await createAll(tx);
      },
    },
    ...(database.dialect === 'sqlite' ? [] : [toSegments(name, createAll)]),
  ]);

  const [known] = await database.query<{ signature: string }>(
    `SELECT signature FROM ${DERIVED_TEXT_INDEX} WHERE name = ?`,
    [name],
  );
  let isStale = known?.signature !== signature;

  return {
    derived,
    isStale: () => isStale,
    async rebuild(rows, put, settle) {
      isStale = true;
      await database.transaction(async (tx) => {
        await tx.execute(`DELETE FROM ${DERIVED_TEXT_INDEX} WHERE name = ?`, [name]);
        if (database.dialect === 'sqlite') await tx.execute(`DROP TABLE IF EXISTS ${derived}`);
        await createAll(tx);
      });
      let batch: Statement[] = [];
      let size = 0;
      for await (const row of rows) {
        // On SQLite replacing a row that the index does not have costs nothing, and no row is in it twice.
        batch.push(...put({ ...row, isNew: database.dialect !== 'sqlite' }));
        size++;
        if (size % REBUILD_BATCH !== 0) continue;
        await database.batch(batch);
        batch = [];
        await settle();
      }
      batch.push({
        // Another process may have rebuilt it at the same time.
        sql: `INSERT INTO ${DERIVED_TEXT_INDEX} VALUES (?, ?)
          ON CONFLICT (name) DO UPDATE SET signature = excluded.signature`,
        params: [name, signature],
      });
      await database.batch(batch);
      isStale = false;
    },
    async countRows({ sql, params = [] }, limit) {
      const [row] = await database.query<{ count: number }>(
        `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} WHERE (${sql}) LIMIT ?) AS found`,
        [...params, limit],
      );
      return row?.count ?? 0;
    },
  };
}

/** Returns the step that replaces the tables of former versions, which wait for a rebuild then. */
function toSegments(name: string, createAll: (tx: SqlExecutor) => Promise<void>): Migration {
  return {
    version: 2,
    name: 'segments of postings',
    async up(tx) {
      // The table of another index may have this name now.
      const former = await tx.query(
        `SELECT 1 AS found FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = ? AND udt_name = 'tsvector'`,
        [DERIVED_PREFIX + name],
      );
      if (former.length > 0) await tx.execute(`DROP TABLE ${DERIVED_PREFIX}${name}`);
      await createAll(tx);
      await tx.execute(`DELETE FROM ${DERIVED_TEXT_INDEX} WHERE name = ?`, [name]);
    },
  };
}

function assertIdentifier(identifier: string): void {
  if (/^[a-z][a-z0-9_]{0,40}$/.test(identifier)) return;
  throw new StorageError(
    'misuse',
    `'${identifier}' is no name for an index, a table or a column: use small letters, digits, '_'`,
  );
}

/** Returns the number of a row as an SQL expression. */
export function numberOf(id: RowNumber): Required<Statement> {
  if (typeof id === 'number') return { sql: '?', params: [id] };
  const params: readonly SqlParameter[] = id.params ?? [];
  return { sql: `(${id.sql})`, params };
}

/** Returns the content of the brackets of `IN` for the number of a row, or a query for several. */
export function numbersFor(id: RowNumber): Required<Statement> {
  return typeof id === 'number' ? numberOf(id) : { sql: id.sql, params: id.params ?? [] };
}

/** Returns the numbers of rows that a query joined by commas. They are JSON between brackets, which is read fastest. */
export function numbersOf(joined: string): readonly number[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the database joined integers
  return JSON.parse(`[${joined}]`) as readonly number[];
}

/** Returns the terms of a field of a row: those that were found before, then those of its text. */
export function rowTerms(
  analyzer: TextAnalyzer,
  { fields, terms = {} }: NewRow,
  name: string,
): TermTexts {
  const found = terms[name];
  const text = fields[name] ?? '';
  if (!found) return termTexts(analyzer, text);
  if (text === '') return found;
  const { line, extra } = termTexts(analyzer, text);
  return { line: [...found.line, ...line], extra: [...found.extra, ...extra] };
}

/** Begins the term of a tag: a character for private use, which no analyser gives. */
const MARK = '\ue000';

/**
 * Returns the term that a tag is indexed under.
 *
 * @throws StorageError with the code `misuse` unless it is 1 to 40 small letters and digits.
 */
export function tagTerm(tag: string): string {
  if (/^[a-z0-9]{1,40}$/.test(tag)) return MARK + tag;
  throw new StorageError(
    'misuse',
    `'${tag}' is no tag: use 1 to 40 small letters and digits, such as a hash`,
  );
}
