import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { ownSqlite } from './own-sqlite.ts';

/** Opens compressed content; each throws on anything else. */
const UNPACKERS = [brotliDecompressSync, gunzipSync, inflateSync, inflateRawSync];

/** How a word may be in a file. */
function formsOf(word: string): readonly Buffer[] {
  const utf16 = Buffer.from(word, 'utf16le');
  return [
    Buffer.from(word),
    Buffer.from(word.toLowerCase()),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(JSON.stringify(word).slice(1, -1)),
    Buffer.from(
      word
        .split('')
        .map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    ),
    Buffer.from(encodeURIComponent(word)),
    Buffer.from(Buffer.from(word).toString('base64').slice(0, -4)),
    Buffer.from(Buffer.from(word).toString('hex')),
  ];
}

/** Returns the words that some bytes hold, plain or packed. */
function wordsIn(bytes: Buffer, words: readonly string[]): readonly string[] {
  const contents = [bytes];
  for (const unpack of UNPACKERS) {
    try {
      contents.push(unpack(bytes));
    } catch {
      // It is not packed in this way.
    }
  }
  return words.filter((word) =>
    formsOf(word).some((form) => contents.some((content) => content.includes(form))),
  );
}

/**
 * Where words are in any file of a folder, hidden ones, free pages of databases and what is packed included, as
 * `FILE: WORD`.
 */
export function findWords(folder: string, words: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    for (const word of wordsIn(Buffer.from(name), words)) found.push(`${name} (its name): ${word}`);
    if (!entry.isFile()) continue;
    // SQLite deletes its log when a database is closed.
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    for (const word of wordsIn(bytes, words)) found.push(`${name}: ${word}`);
    if (bytes.subarray(0, 15).toString() !== 'SQLite format 3') continue;
    for (const blob of blobsOf(path)) {
      for (const word of wordsIn(blob, words)) found.push(`${name} (packed): ${word}`);
    }
  }
  return found;
}

/** All binary values of a database, what is only in its write-ahead log included. */
function blobsOf(path: string): readonly Buffer[] {
  const database = ownSqlite.open(path);
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
      )
      .all([]);
    return tables.flatMap(({ name }) =>
      database
        .prepare(`SELECT * FROM "${String(name)}"`)
        .all([])
        .flatMap((row) =>
          Object.values(row)
            .filter((value) => value instanceof Uint8Array)
            .map((value) => Buffer.from(value)),
        ),
    );
  } finally {
    database.close();
  }
}

/** Where words are in the files of the tables of a PostgreSQL schema, dead rows included. */
export async function findWordsInSchema(
  connectionString: string,
  schemas: readonly string[],
  words: readonly string[],
): Promise<readonly string[]> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('CHECKPOINT');
    const { rows } = await client.query<{ name: string; data: Buffer }>(
      `SELECT c.relname AS name, pg_read_binary_file(pg_relation_filepath(c.oid)) AS data
       FROM pg_class c WHERE pg_relation_filepath(c.oid) IS NOT NULL AND (
         c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY($1)) OR c.oid IN (
           SELECT t.reltoastrelid FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
           WHERE n.nspname = ANY($1)))`,
      [schemas],
    );
    return rows.flatMap(({ name, data }) => wordsIn(data, words).map((word) => `${name}: ${word}`));
  } finally {
    await client.end();
  }
}
