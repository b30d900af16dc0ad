import type { ChunkTerms } from '../analyze/analyze-chunk.ts';
import { TITLE_PREFIX } from '../search/chunk-index.ts';
import { givenRows } from './given-rows.ts';
import type { SpacePlace } from './space-reader.ts';
import { BucketLists } from './bucket-rows.ts';
import { fromSql, isCut, keyOf, toSql } from './sql-text.ts';
import { bucketsOfTerm } from './term-buckets.ts';

/** Adds what a chunk is found by. */
export function addKeys(keys: Set<string>, { words, titles }: ChunkTerms): void {
  for (const { terms } of words) for (const term of terms) keys.add(term);
  for (const term of titles) keys.add(TITLE_PREFIX + term);
}

/** The numbers of the terms of one change; writes those that are new, and how many chunks have each. */
export class TermNumbers {
  /** The first number that is free. */
  next: number;
  readonly #place: SpacePlace;
  readonly #readingsOf: (term: string) => readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #fresh: string[] = [];
  readonly #firstNew: number;

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  constructor(place: SpacePlace, next: number, readingsOf: (term: string) => readonly string[]) {
    this.#place = place;
    this.next = next;
    this.#firstNew = next;
    this.#readingsOf = readingsOf;
  }

  /** Gives a number to each of these keys. */
  async number(keys: ReadonlySet<string>): Promise<void> {
    if (keys.size === 0) return;
    const { executor, dialect, tables, space } = this.#place;
    const given = givenRows(
      dialect,
      { key: 'text' },
      Array.from(keys, (key) => [keyOf(key)]),
    );
    const known = await executor.query<{ id: number; key: string }>(
      `SELECT t.id, coalesce(t.whole, t.key) AS key FROM ${given.sql} CROSS JOIN ${tables.term} t
       WHERE t.space = ? AND t.key = given.key`,
      [...given.params, space],
    );
    for (const { id, key } of known) this.#numbers.set(fromSql(key), id);
    for (const key of keys) {
      if (this.#numbers.has(key)) continue;
      this.#numbers.set(key, this.next++);
      this.#fresh.push(key);
    }
  }

  of(term: string, isTitle = false): number {
    return this.#numbers.get(isTitle ? TITLE_PREFIX + term : term) ?? 0;
  }

  /** Checks whether a term was not in the space before. */
  isNew(term: number): boolean {
    return term >= this.#firstNew;
  }

  /** @param changes - By how much the chunks of terms have become more or fewer, by their numbers. */
  async write(changes: ReadonlyMap<number, number>): Promise<void> {
    const { executor, dialect, tables, space } = this.#place;
    const fresh = new Set<number>();
    if (this.#fresh.length > 0) {
      const rows = this.#fresh.map((key) => {
        const id = this.of(key);
        fresh.add(id);
        return [id, keyOf(key), isCut(key) ? toSql(key) : null, changes.get(id) ?? 0] as const;
      });
      const columns = { id: 'int', key: 'text', whole: 'text', chunks: 'int' } as const;
      const terms = givenRows(dialect, columns, rows);
      await executor.execute(
        `INSERT INTO ${tables.term} SELECT CAST(? AS INTEGER), given.id, given.key, given.whole,
           given.chunks FROM ${terms.sql}`,
        [space, ...terms.params],
      );
      const lists = new BucketLists();
      for (const key of this.#fresh) {
        lists.add(this.of(key), bucketsOfTerm(key, this.#readingsOf));
      }
      await lists.write(this.#place);
    }
    const others = [...changes].filter(([id, change]) => change !== 0 && !fresh.has(id));
    if (others.length === 0) return;
    const given = givenRows(dialect, { id: 'int', delta: 'int' }, others);
    await executor.execute(
      `UPDATE ${tables.term} SET chunks = chunks + given.delta FROM ${given.sql}
       WHERE ${tables.term}.space = ? AND ${tables.term}.id = given.id`,
      [...given.params, space],
    );
  }
}
