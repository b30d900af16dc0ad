// SQLite FTS5, ranked by its bm25. What is asked for is put together with OR: with AND, questions in
// Japanese find next to nothing.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const Database = createRequire(import.meta.resolve('@vizprompt/rag'))('better-sqlite3');

const RUNS = /[\p{L}\p{N}\p{Co}]+/gu;
const runsOf = (text) => text.match(RUNS) ?? [];

/** Texts as they are, with what most tools set: a run of Japanese is one token. */
export const openUnicode61 = (given) =>
  open(given, { tokenizer: 'unicode61', stored: (text) => text, asked: runsOf });

/** English words by their stems. */
export const openPorter = (given) =>
  open(given, { tokenizer: 'porter unicode61', stored: (text) => text, asked: runsOf });

/** All pieces of three characters. */
export const openTrigram = (given) =>
  open(given, { tokenizer: 'trigram', stored: (text) => text, asked: trigramsOf });

/** The words of our analyser, written so that the tokenizer cannot cut them again. */
export function openWords(given) {
  const words = (text) => given.tokens(text).map((word) => Buffer.from(word).toString('hex'));
  const stored = (text) => words(text).join(' ');
  return open(given, { tokenizer: 'unicode61', stored, asked: words });
}

function trigramsOf(text) {
  return runsOf(text).flatMap((run) => {
    const characters = [...run];
    return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
  });
}

function open({ folder }, { tokenizer, stored, asked }) {
  const database = new Database(join(folder, 'fts5.db'));
  database.pragma('journal_mode = WAL');
  database.exec(
    'CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(' +
      `text, content='', contentless_delete=1, tokenize='${tokenizer}')`,
  );
  const insert = database.prepare('INSERT INTO texts(rowid, text) VALUES (?, ?)');
  const select = database
    .prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT ?')
    .pluck();
  const begin = () => database.inTransaction || database.exec('BEGIN');
  return {
    add(id, text) {
      begin();
      insert.run(id, stored(text));
    },
    done() {
      if (database.inTransaction) database.exec('COMMIT');
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
    search(query, k) {
      const terms = [...new Set(asked(query))].map((term) => `"${term}"`);
      return terms.length > 0 ? select.all(terms.join(' OR '), k) : [];
    },
    close: () => database.close(),
  };
}
