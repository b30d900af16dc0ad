import type { SqlExecutor } from '@vizprompt/providers';
import type { SpaceNumbers } from './write-plans.ts';
import { fromSql, keyOf, toSql } from './sql-text.ts';
import {
  analyzerOf,
  formOf,
  type SpaceForm,
  type SqlTables,
  tablesOfSpaces,
  writtenBy,
} from './sql-tables.ts';

/** The row of a space, for those that write. */
export interface SpaceRow extends SpaceNumbers {
  readonly id: number;
  readonly analyzer: string;
  readonly form: SpaceForm;
  /** The last change whose dead chunks are in no postings any more. */
  readonly swept: number;
  /** The last change whose terms and documents that went have no rows any more. */
  readonly purged: number;
  /** Changes since postings were merged. */
  readonly unmerged: number;
}

interface Columns {
  readonly id: number;
  readonly analyzer: string;
  readonly revision: number;
  readonly unmerged: number;
  readonly swept: number;
  readonly purged: number;
  readonly document: number;
  readonly chunk: number;
  readonly term: number;
}

const COLUMNS = `id, analyzer, revision, unmerged, swept, purged, next_document AS document, next_chunk AS chunk,
  next_term AS term`;

function rowOf(columns: Columns | undefined): SpaceRow | undefined {
  if (!columns) return undefined;
  const { analyzer, document, chunk, term, ...row } = columns;
  return {
    ...row,
    analyzer: analyzerOf(fromSql(analyzer)),
    form: formOf(fromSql(analyzer)),
    nextDocument: document,
    nextChunk: chunk,
    nextTerm: term,
  };
}

/** Returns the space of this name, created if there is none. */
export async function openSpace(
  executor: SqlExecutor,
  tables: SqlTables,
  name: string,
  analyzer: string,
): Promise<SpaceRow> {
  // Another process may be doing the same, or delete it.
  for (;;) {
    const row = await readSpace(executor, tables, name);
    if (row) return row;
    await executor.execute(
      `INSERT INTO ${tables.space} (name, analyzer, is_current, revision, swept, purged, unmerged,
         next_document, next_chunk, next_term)
       VALUES (?, ?, 1, 0, 0, 0, 0, 1, 0, 1)
       ON CONFLICT (name) WHERE is_current = 1 DO NOTHING`,
      [keyOf(name), toSql(writtenBy(analyzer))],
    );
  }
}

/** Returns the space of this name, if there is one. */
export async function readSpace(
  executor: SqlExecutor,
  tables: SqlTables,
  name: string,
): Promise<SpaceRow | undefined> {
  const [row] = await executor.query<Columns>(
    `SELECT ${COLUMNS} FROM ${tables.space} WHERE name = ? AND is_current = 1`,
    [keyOf(name)],
  );
  return rowOf(row);
}

/** Begins a change of a space: until the transaction ends no other one can. The revision is that of the change. */
export async function lockSpace(
  tx: SqlExecutor,
  tables: SqlTables,
  name: string,
): Promise<SpaceRow | undefined> {
  const [row] = await tx.query<Columns>(
    `UPDATE ${tables.space} SET revision = revision + 1 WHERE name = ? AND is_current = 1
     RETURNING ${COLUMNS}`,
    [keyOf(name)],
  );
  return rowOf(row);
}

/** Writes which numbers are free after a change. */
export async function saveNumbers(
  tx: SqlExecutor,
  tables: SqlTables,
  space: number,
  { nextDocument, nextChunk, nextTerm }: SpaceNumbers,
): Promise<void> {
  await tx.execute(
    `UPDATE ${tables.space} SET next_document = ?, next_chunk = ?, next_term = ?,
       unmerged = unmerged + 1 WHERE id = ?`,
    [nextDocument, nextChunk, nextTerm, space],
  );
}

/** Writes that the rows of a space are in the form of this version. */
export async function saveForm(
  tx: SqlExecutor,
  tables: SqlTables,
  { id, analyzer }: Pick<SpaceRow, 'id' | 'analyzer'>,
): Promise<void> {
  await tx.execute(`UPDATE ${tables.space} SET analyzer = ? WHERE id = ?`, [
    toSql(writtenBy(analyzer)),
    id,
  ]);
}

/** Creates a space that is filled before it takes the name of another one. */
export async function createSpace(
  tx: SqlExecutor,
  tables: SqlTables,
  name: string,
  analyzer: string,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `INSERT INTO ${tables.space} (name, analyzer, is_current, revision, swept, purged, unmerged,
       next_document, next_chunk, next_term)
     VALUES (?, ?, 0, 0, 0, 0, 0, 1, 0, 1) RETURNING id`,
    [keyOf(name), toSql(writtenBy(analyzer))],
  );
  return row?.id ?? 0;
}

/** Deletes all rows of a space. */
export async function dropSpace(tx: SqlExecutor, tables: SqlTables, space: number): Promise<void> {
  for (const table of tablesOfSpaces(tables)) {
    await tx.execute(`DELETE FROM ${table} WHERE space = ?`, [space]);
  }
  await tx.execute(`DELETE FROM ${tables.space} WHERE id = ?`, [space]);
}
