import type { Migration } from '@vizprompt/providers';

/** The names of the tables of one index. */
export interface FtsTables {
  /** One row: the analyzer, and the number of the last change. */
  readonly state: string;
  /** Documents that have chunks, and the change that touched them last. */
  readonly document: string;
  /** The columns for ranking, of every chunk; small, so that all of it is read fast. */
  readonly chunk: string;
  /** The columns of found chunks: themselves as JSON, and their words as bytes. */
  readonly text: string;
  /** The terms of chunks, and how many have each. */
  readonly term: string;
  readonly reading: string;
  /** How many chunks have each pair of characters, by hash. */
  readonly bigram: string;
  /** The full text index. Its words are the numbers of terms. */
  readonly fts: string;
  /** The postings of the full text index, word by word. */
  readonly postings: string;
}

export function ftsTables(name: string): FtsTables {
  return {
    state: `${name}_state`,
    document: `${name}_document`,
    chunk: `${name}_chunk`,
    text: `${name}_text`,
    term: `${name}_term`,
    reading: `${name}_reading`,
    bigram: `${name}_bigram`,
    fts: `${name}_fts`,
    postings: `${name}_postings`,
  };
}

/**
 * Strings that come from outside are kept as JSON, because SQLite alters lone surrogates and cannot
 * hold NUL; what FTS5 sees are numbers, which its tokenizer `ascii` leaves as they are.
 *
 * Source: https://www.sqlite.org/fts5.html, sections 4.3.2, 4.4.2 and 7.
 */
export function ftsMigrations(tables: FtsTables): readonly Migration[] {
  const statements = [
    `CREATE TABLE ${tables.state} (
      id INTEGER PRIMARY KEY CHECK (id = 1), analyzer TEXT NOT NULL, revision INTEGER NOT NULL
    )`,
    `CREATE TABLE ${tables.document} (
      id INTEGER PRIMARY KEY, novel TEXT NOT NULL, path TEXT NOT NULL, revision INTEGER NOT NULL,
      UNIQUE (novel, path)
    )`,
    `CREATE TABLE ${tables.chunk} (
      id INTEGER PRIMARY KEY, document INTEGER NOT NULL, place INTEGER NOT NULL,
      words INTEGER NOT NULL, length INTEGER NOT NULL, tags TEXT NOT NULL,
      start_line INTEGER NOT NULL, end_line INTEGER NOT NULL
    )`,
    `CREATE INDEX ${tables.chunk}_document ON ${tables.chunk} (document, place)`,
    `CREATE TABLE ${tables.text} (id INTEGER PRIMARY KEY, chunk TEXT NOT NULL, words BLOB NOT NULL)`,
    `CREATE TABLE ${tables.term} (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, reversed TEXT NOT NULL,
      chunks INTEGER NOT NULL
    )`,
    `CREATE INDEX ${tables.term}_reversed ON ${tables.term} (reversed)`,
    `CREATE TABLE ${tables.reading} (
      reading TEXT NOT NULL, term INTEGER NOT NULL, PRIMARY KEY (reading, term)
    ) WITHOUT ROWID`,
    `CREATE INDEX ${tables.reading}_term ON ${tables.reading} (term)`,
    `CREATE TABLE ${tables.bigram} (bucket INTEGER PRIMARY KEY, chunks INTEGER NOT NULL)`,
    `CREATE VIRTUAL TABLE ${tables.fts} USING fts5(
      terms, content='', contentless_delete=1, tokenize='ascii'
    )`,
    `CREATE VIRTUAL TABLE ${tables.postings} USING fts5vocab(${tables.fts}, instance)`,
  ];
  return [
    {
      version: 1,
      name: 'an index over chunks',
      async up(tx) {
        for (const sql of statements) await tx.execute(sql);
      },
    },
    {
      version: 2,
      name: 'columns of chunks',
      async up(tx) {
        await tx.execute(`ALTER TABLE ${tables.chunk} ADD COLUMN start_column INTEGER`);
      },
    },
  ];
}

/** A string from its end to its beginning, so that it is found by its end. */
export function reversed(text: string): string {
  return text.split('').toReversed().join('');
}
