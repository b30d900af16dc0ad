import type { SqlExecutor } from '@vizprompt/providers';
import { MAX_FREQUENCY } from '@vizprompt/providers/internal';
import { bareTerm, type Chunk, TITLE_PREFIX } from '../chunk/chunk.ts';
import type { DocumentRef } from '../contract/search-backend.ts';
import { RagError } from '../errors.ts';
import type {
  ChunkIndex,
  ChunkPlace,
  IndexPart,
  Neighbours,
  TermEntry,
  Vocabulary,
} from '../search/chunk-index.ts';
import { ColumnPart, type IndexedChunk } from '../search/column-part.ts';
import { bucketOf } from '../segment/format/bigrams.ts';
import { fromSql, toSql } from '../sql/sql-text.ts';
import type { FtsFacts } from './fts-facts.ts';
import { type FtsTables, reversed } from './fts-tables.ts';
import { chunksAround, chunksById } from './stored-rows.ts';
import { readWords } from './word-bytes.ts';

/** An index in a database as search sees it; for one search. */
export class FtsIndex implements ChunkIndex {
  readonly vocabulary: Vocabulary;
  readonly #executor: SqlExecutor;
  readonly #tables: FtsTables;
  readonly #facts: FtsFacts;

  constructor(executor: SqlExecutor, tables: FtsTables, facts: FtsFacts) {
    this.#executor = executor;
    this.#tables = tables;
    this.#facts = facts;
    this.vocabulary = new FtsVocabulary(executor, tables);
  }

  get size(): number {
    return this.#facts.columns.size;
  }

  get words(): number {
    return this.#facts.columns.words;
  }

  get characters(): number {
    return this.#facts.columns.characters;
  }

  document(number: number): DocumentRef | undefined {
    return this.#facts.documents.get(number);
  }

  async parts(places: readonly (readonly number[])[]): Promise<readonly IndexPart[]> {
    const postings = new Map<number, readonly number[]>();
    for (const [term = -1] of places) {
      if (!postings.has(term)) postings.set(term, await this.#postings(term));
    }
    const part = new ColumnPart({
      columns: this.#facts.columns,
      decode: (term, ...into) => countEach(postings.get(term) ?? [], ...into),
      read: (docs) => this.#read(docs),
    });
    return [part];
  }

  async bigramCounts(pairs: readonly number[]): Promise<(pair: number) => number> {
    if (pairs.length === 0) return () => 0;
    const rows = await this.#executor.query<{ bucket: number; chunks: number }>(
      `SELECT bucket, chunks FROM ${this.#tables.bigram}
       WHERE bucket IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(pairs.map(bucketOf))],
    );
    const counts = new Map(rows.map(({ bucket, chunks }) => [bucket, chunks]));
    return (pair) => counts.get(bucketOf(pair)) ?? 0;
  }

  async chunksAround({ doc }: ChunkPlace, neighbours: Neighbours): Promise<readonly Chunk[]> {
    const rows = await chunksAround(this.#executor, this.#tables, doc, neighbours);
    return rows.map(({ chunk }) => chunk);
  }

  /** One row for all postings of a term: thousands of rows would take longer than reading them. */
  async #postings(term: number): Promise<readonly number[]> {
    const [row] = await this.#executor.query<{ docs: string }>(
      `SELECT json_group_array(doc) AS docs FROM ${this.#tables.postings} WHERE term = ?`,
      [String(term)],
    );
    return JSON.parse(row?.docs ?? '[]');
  }

  async #read(docs: readonly number[]): Promise<readonly IndexedChunk[]> {
    const rows = await chunksById(this.#executor, this.#tables, docs);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return docs.map((doc) => {
      const row = byId.get(doc);
      if (!row) throw new RagError('search-failed', `chunk ${doc} of the index is gone`);
      return { chunk: row.chunk, words: readWords(row.words).words };
    });
  }
}

/** The same chunk comes once for each occurrence, one after the other. */
function countEach(
  occurrences: readonly number[],
  docs: Uint32Array,
  frequencies: Uint8Array,
): number {
  let count = 0;
  for (let at = 0; at < occurrences.length;) {
    const doc = occurrences[at] ?? 0;
    const start = at;
    while (occurrences[at] === doc) at++;
    docs[count] = doc;
    frequencies[count++] = Math.min(at - start, MAX_FREQUENCY);
  }
  return count;
}

/** Above all characters that words have. */
const HIGHEST = '\u{10FFFF}';

/** The terms of an index in a database; for one search. */
class FtsVocabulary implements Vocabulary {
  /** Asking the database whether it has any would take longer than asking for some more terms. */
  readonly hasTitles = true;
  readonly #executor: SqlExecutor;
  readonly #tables: FtsTables;
  readonly #known = new Map<string, TermEntry | undefined>();

  constructor(executor: SqlExecutor, tables: FtsTables) {
    this.#executor = executor;
    this.#tables = tables;
  }

  async entries(terms: readonly string[]): Promise<readonly (TermEntry | undefined)[]> {
    const missing = terms.filter((term) => !this.#known.has(term));
    if (missing.length > 0) await this.#look(missing);
    return terms.map((term) => this.#known.get(term));
  }

  async startingWith(text: string): Promise<readonly string[]> {
    const start = toSql(text);
    const found = await this.#keys('key >= ? AND key < ?', [start, start + HIGHEST]);
    return found.filter((term) => term.startsWith(text));
  }

  async endingWith(text: string): Promise<readonly string[]> {
    const found = await this.#endingWith(text);
    return found.filter((term) => !term.startsWith(TITLE_PREFIX));
  }

  async withPart(text: string, at: 'front' | 'back' | 'anywhere'): Promise<Iterable<string>> {
    const found =
      at === 'front'
        ? [...(await this.startingWith(text)), ...(await this.startingWith(TITLE_PREFIX + text))]
        : at === 'back'
          ? await this.#endingWith(text)
          : await this.#keys('instr(key, ?) > 0', [toSql(text)]);
    const terms = found.map(bareTerm);
    return new Set(terms.filter((term) => term.includes(text)));
  }

  async readAs(reading: string): Promise<Iterable<string>> {
    const { reading: table } = this.#tables;
    const found = await this.#keys(`id IN (SELECT term FROM ${table} WHERE reading = ?)`, [
      toSql(reading),
    ]);
    return new Set(found.map(bareTerm));
  }

  async #endingWith(text: string): Promise<readonly string[]> {
    const start = toSql(reversed(text));
    const found = await this.#keys('reversed >= ? AND reversed < ?', [start, start + HIGHEST]);
    return found.filter((term) => term.endsWith(text));
  }

  async #keys(condition: string, params: readonly string[]): Promise<readonly string[]> {
    const [row] = await this.#executor.query<{ keys: string }>(
      `SELECT json_group_array(key) AS keys FROM ${this.#tables.term} WHERE ${condition}`,
      params,
    );
    const keys: readonly string[] = JSON.parse(row?.keys ?? '[]');
    return keys.map(fromSql);
  }

  async #look(terms: readonly string[]): Promise<void> {
    for (const term of terms) this.#known.set(term, undefined);
    const rows = await this.#executor.query<{ id: number; key: string; chunks: number }>(
      `SELECT id, key, chunks FROM ${this.#tables.term}
       WHERE key IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(terms.map(toSql))],
    );
    for (const { id, key, chunks } of rows) {
      this.#known.set(fromSql(key), { count: chunks, places: [id] });
    }
  }
}
