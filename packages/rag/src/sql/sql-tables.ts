import type { Migration } from '@vizprompt/providers';
import type { Dialect } from '@vizprompt/providers/internal';
import { typeOf } from './given-rows.ts';

/** The names of the tables of the indexes in one database. Every key begins with the number of a space. */
export interface SqlTables {
  /** A row for each space: its name, its analyzer, the numbers that are free, and its last change. */
  readonly space: string;
  /** Documents with the facts of their chunks as bytes; none for a document that went. */
  readonly document: string;
  /** The effect of each change on the counts of pairs of characters. */
  readonly sketch: string;
  /** Chunks that can be found, some neighbours a row: their texts and the terms of their words, as bytes. */
  readonly text: string;
  /** The effect of each change on the terms that chunks are found by, and on how many chunks have each. */
  readonly vocabulary: string;
  /** The terms of spaces of an older form, a row each. */
  readonly term: string;
  /** Their ends and readings. */
  readonly bucket: string;
  /** The postings of terms, up to `BLOCK` of them a row; those of rare terms share rows. */
  readonly block: string;
  /** Which pairs of characters the chunks of a page may have. */
  readonly signature: string;
}

/** Returns the names of tables that begin with `name`. */
export function sqlTables(name: string): SqlTables {
  return {
    space: `${name}_space`,
    document: `${name}_document`,
    sketch: `${name}_sketch`,
    text: `${name}_text`,
    vocabulary: `${name}_vocabulary`,
    term: `${name}_term`,
    bucket: `${name}_bucket`,
    block: `${name}_block`,
    signature: `${name}_signature`,
  };
}

/** The tables that hold rows of a space. */
export function tablesOfSpaces({ space: _, ...tables }: SqlTables): readonly string[] {
  return Object.values(tables);
}

/** The table of the first version that had the ends and the readings of terms, a row each. */
function lookupOf({ bucket }: SqlTables): string {
  return bucket.replace(/_bucket$/, '_lookup');
}

/** The form of the rows of a space: the first had a row for each text, the second one for each term. */
export type SpaceForm = 1 | 2 | 3;

/** The form that this version writes. Programs of the first form, which has no number, refuse the spaces of others. */
export const FORM: SpaceForm = 3;

/** Returns what the row of a space says about its words: the form of its rows, and the analyzer. */
export function writtenBy(analyzer: string, form: SpaceForm = FORM): string {
  return form === 1 ? analyzer : `${form} ${analyzer}`;
}

/** Returns the form of a space, by what its row says. */
export function formOf(written: string): SpaceForm {
  if (written.startsWith('3 ')) return 3;
  return written.startsWith('2 ') ? 2 : 1;
}

/** Returns the analyzer of a space, by what its row says. */
export function analyzerOf(written: string): string {
  return formOf(written) === 1 ? written : written.slice(2);
}

/** Returns the migrations of the tables. */
export function sqlMigrations(tables: SqlTables): readonly Migration[] {
  return [
    {
      version: 1,
      name: 'indexes of chunks as blocks of postings',
      async up(tx, dialect) {
        for (const sql of statementsOf(tables, dialect)) await tx.execute(sql);
      },
    },
    {
      version: 2,
      name: 'buckets of terms, and texts of neighbours in one row',
      async up(tx, dialect) {
        const isPostgres = dialect === 'postgres';
        const [terms, missing] = isPostgres ? ['INTEGER[]', 'IF NOT EXISTS'] : ['TEXT', ''];
        for (const sql of [
          `DROP TABLE IF EXISTS ${lookupOf(tables)}`,
          `ALTER TABLE ${tables.text} ADD COLUMN ${missing} n INTEGER NOT NULL DEFAULT 1`,
          `CREATE TABLE IF NOT EXISTS ${tables.bucket} (
            space INTEGER NOT NULL, kind INTEGER NOT NULL, bucket INTEGER NOT NULL,
            first INTEGER NOT NULL, n INTEGER NOT NULL, terms ${terms} NOT NULL,
            PRIMARY KEY (space, kind, bucket, first)
          )${isPostgres ? '' : ' WITHOUT ROWID'}`,
        ]) {
          await tx.execute(sql);
        }
      },
    },
    {
      version: 3,
      name: 'terms as what each change did to them',
      async up(tx, dialect) {
        const isPostgres = dialect === 'postgres';
        await tx.execute(
          `CREATE TABLE IF NOT EXISTS ${tables.vocabulary} (
            space INTEGER NOT NULL, revision INTEGER NOT NULL, is_sum INTEGER NOT NULL,
            data ${typeOf(dialect, 'bytes')} NOT NULL, PRIMARY KEY (space, revision)
          )${isPostgres ? '' : ' WITHOUT ROWID'}`,
        );
        if (!isPostgres) return;
        await tx.execute(`ALTER TABLE ${tables.vocabulary} ALTER data SET STORAGE EXTERNAL`);
      },
    },
  ];
}

/**
 * Strings that come from outside are stored by `toSql`. They are compared by their bytes, so that the strings with a
 * common prefix are a range. A string that is too long for a key is in `whole`. We compress bytes where that pays, and
 * PostgreSQL does not, so it can read a part of them without the rest.
 *
 * Source: https://www.postgresql.org/docs/current/storage-toast.html
 */
function statementsOf(tables: SqlTables, dialect: Dialect): readonly string[] {
  const isPostgres = dialect === 'postgres';
  const text = isPostgres ? 'TEXT COLLATE "C"' : 'TEXT';
  const bytes = typeOf(dialect, 'bytes');
  // The number of a deleted space is never used again: other processes may still have its facts.
  const number = isPostgres
    ? 'INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY'
    : 'INTEGER PRIMARY KEY AUTOINCREMENT';
  const clustered = isPostgres ? '' : ' WITHOUT ROWID';
  return [
    `CREATE TABLE IF NOT EXISTS ${tables.space} (
      id ${number}, name ${text} NOT NULL, analyzer ${text} NOT NULL,
      is_current INTEGER NOT NULL, revision INTEGER NOT NULL, swept INTEGER NOT NULL,
      purged INTEGER NOT NULL, unmerged INTEGER NOT NULL, next_document INTEGER NOT NULL,
      next_chunk INTEGER NOT NULL, next_term INTEGER NOT NULL
    )`,
    `CREATE UNIQUE INDEX IF NOT EXISTS ${tables.space}_name ON ${tables.space} (name) WHERE is_current = 1`,
    `CREATE TABLE IF NOT EXISTS ${tables.document} (
      space INTEGER NOT NULL, id INTEGER NOT NULL, name ${text} NOT NULL, novel ${text} NOT NULL,
      path ${text} NOT NULL, stamp ${text}, revision INTEGER NOT NULL, facts ${bytes} NOT NULL,
      PRIMARY KEY (space, id), UNIQUE (space, name)
    )${clustered}`,
    `CREATE INDEX IF NOT EXISTS ${tables.document}_revision ON ${tables.document} (space, revision)`,
    `CREATE TABLE IF NOT EXISTS ${tables.sketch} (
      space INTEGER NOT NULL, revision INTEGER NOT NULL, is_sum INTEGER NOT NULL,
      data ${bytes} NOT NULL, PRIMARY KEY (space, revision)
    )${clustered}`,
    `CREATE TABLE IF NOT EXISTS ${tables.text} (
      space INTEGER NOT NULL, chunk INTEGER NOT NULL, data ${bytes} NOT NULL,
      PRIMARY KEY (space, chunk)
    )${clustered}`,
    `CREATE TABLE IF NOT EXISTS ${tables.term} (
      space INTEGER NOT NULL, id INTEGER NOT NULL, key ${text} NOT NULL, whole ${text},
      chunks INTEGER NOT NULL, PRIMARY KEY (space, id), UNIQUE (space, key)
    )${clustered}`,
    `CREATE TABLE IF NOT EXISTS ${lookupOf(tables)} (
      space INTEGER NOT NULL, kind INTEGER NOT NULL, text ${text} NOT NULL, term INTEGER NOT NULL,
      PRIMARY KEY (space, kind, text, term)
    )${clustered}`,
    `CREATE TABLE IF NOT EXISTS ${tables.block} (
      space INTEGER NOT NULL, term INTEGER NOT NULL, first INTEGER NOT NULL, n INTEGER NOT NULL,
      data ${bytes} NOT NULL, PRIMARY KEY (space, term, first)
    )${clustered}`,
    `CREATE TABLE IF NOT EXISTS ${tables.signature} (
      space INTEGER NOT NULL, page INTEGER NOT NULL, data ${bytes} NOT NULL,
      PRIMARY KEY (space, page)
    )`,
    ...(isPostgres
      ? [tables.text, tables.block, tables.signature].map(
          (table) => `ALTER TABLE ${table} ALTER data SET STORAGE EXTERNAL`,
        )
      : []),
  ];
}
