import type { SqlExecutor } from '@vizprompt/providers';
import type { ChunkTerms } from '../analyze/analyze-chunk.ts';
import { bareTerm, TITLE_PREFIX } from '../search/chunk-index.ts';
import { bucketsOf } from '../segment/format/bigram-sketch.ts';
import { fromSql, toSql } from '../sql/sql-text.ts';
import { type FtsTables, reversed } from './fts-tables.ts';
import { readWords } from './word-bytes.ts';

/** Counts what comes and goes in one change, and then writes all of it at once. */
export class TermCounts {
  readonly #executor: SqlExecutor;
  readonly #tables: FtsTables;
  readonly #readingsOf: (term: string) => readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #terms = new Map<number, number>();
  readonly #buckets = new Map<number, number>();

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  constructor(
    executor: SqlExecutor,
    tables: FtsTables,
    readingsOf: (term: string) => readonly string[],
  ) {
    this.#executor = executor;
    this.#tables = tables;
    this.#readingsOf = readingsOf;
  }

  /** Gives numbers to the terms of chunks that come. */
  async number(chunks: readonly ChunkTerms[]): Promise<void> {
    const { term } = this.#tables;
    const keys = [...new Set(chunks.flatMap((chunk) => keysOf(chunk)))];
    const rows = keys.map((key) => [toSql(key), toSql(reversed(key))]);
    const fresh = await this.#executor.query<{ id: number; key: string }>(
      `INSERT INTO ${term} (key, reversed, chunks)
       SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), 0 FROM json_each(?)
       WHERE true ON CONFLICT (key) DO NOTHING RETURNING id, key`,
      [JSON.stringify(rows)],
    );
    const all = await this.#executor.query<{ id: number; key: string }>(
      `SELECT id, key FROM ${term} WHERE key IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(keys.map(toSql))],
    );
    for (const { id, key } of all) this.#numbers.set(fromSql(key), id);
    await this.#addReadings(fresh.map(({ id, key }) => [id, fromSql(key)] as const));
  }

  numberOf(term: string, isTitle = false): number {
    return this.#numbers.get(isTitle ? TITLE_PREFIX + term : term) ?? 0;
  }

  /** A chunk came. */
  add(text: string, terms: ChunkTerms): void {
    for (const key of new Set(keysOf(terms))) count(this.#terms, this.numberOf(key), 1);
    for (const bucket of bucketsOf(text)) count(this.#buckets, bucket, 1);
  }

  /** A chunk went. */
  remove(text: string, words: Uint8Array): void {
    const { words: body, titles } = readWords(words);
    const numbers = new Set([...body.flatMap(({ terms }) => terms), ...titles]);
    for (const number of numbers) count(this.#terms, number, -1);
    for (const bucket of bucketsOf(text)) count(this.#buckets, bucket, -1);
  }

  /** Writes the counts, and removes the terms that no chunk has any more. */
  async write(): Promise<void> {
    const { term, reading, bigram } = this.#tables;
    const changed = [...this.#terms].filter(([, change]) => change !== 0);
    await this.#executor.execute(
      `UPDATE ${term} SET chunks = chunks + change.by FROM (
         SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS by
         FROM json_each(?)
       ) AS change WHERE ${term}.id = change.id`,
      [JSON.stringify(changed)],
    );
    const touched = JSON.stringify(changed.filter(([, by]) => by < 0).map(([id]) => id));
    const gone = `SELECT id FROM ${term}
      WHERE chunks = 0 AND id IN (SELECT value FROM json_each(?))`;
    await this.#executor.execute(`DELETE FROM ${reading} WHERE term IN (${gone})`, [touched]);
    await this.#executor.execute(`DELETE FROM ${term} WHERE id IN (${gone})`, [touched]);
    const buckets = [...this.#buckets].filter(([, change]) => change !== 0);
    await this.#executor.execute(
      `INSERT INTO ${bigram} (bucket, chunks)
       SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)
       WHERE true ON CONFLICT (bucket) DO UPDATE SET chunks = chunks + excluded.chunks`,
      [JSON.stringify(buckets)],
    );
  }

  async #addReadings(terms: readonly (readonly [id: number, term: string])[]): Promise<void> {
    const rows = terms.flatMap(([id, term]) =>
      this.#readingsOf(bareTerm(term)).map((reading) => [toSql(reading), id] as const),
    );
    await this.#executor.execute(
      `INSERT OR IGNORE INTO ${this.#tables.reading} (reading, term)
       SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
      [JSON.stringify(rows)],
    );
  }
}

function keysOf({ words, titles }: ChunkTerms): readonly string[] {
  return [...words.flatMap(({ terms }) => terms), ...titles.map((term) => TITLE_PREFIX + term)];
}

function count(counts: Map<number, number>, key: number, by: 1 | -1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
