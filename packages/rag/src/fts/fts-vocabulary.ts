import type { SqlExecutor } from '@vizprompt/providers';
import { bareTerm, TITLE_PREFIX, type TermEntry, type Vocabulary } from '../search/chunk-index.ts';
import { fromSql, toSql } from '../sql/sql-text.ts';
import { type FtsTables, reversed } from './fts-tables.ts';

/** Above all characters that words have. */
const HIGHEST = '\u{10FFFF}';

/** The terms of an index in a database; for one search. */
export class FtsVocabulary implements Vocabulary {
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
