import type { ChunkTerms } from '../analyze/analyze-chunk.ts';
import { bareTerm, TITLE_PREFIX } from '../search/chunk-index.ts';
import { givenRows } from './given-rows.ts';
import type { SpacePlace } from './space-reader.ts';
import { fromSql, isCut, keyOf, toSql } from './sql-text.ts';
import { LOOKUP } from './sql-tables.ts';
import { endingsOf } from './term-endings.ts';

/** Returns what a chunk is found by, as often as it has it. */
export function keysOf({ words, titles }: ChunkTerms): readonly string[] {
  return [...words.flatMap(({ terms }) => terms), ...titles.map((term) => TITLE_PREFIX + term)];
}

/** The numbers of the terms of one change; writes those that are new, and how many chunks have each. */
export class TermNumbers {
  /** The first number that is free. */
  next: number;
  readonly #place: SpacePlace;
  readonly #readingsOf: (term: string) => readonly string[];
  readonly #numbers = new Map<string, number>();
  readonly #fresh: string[] = [];

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  constructor(place: SpacePlace, next: number, readingsOf: (term: string) => readonly string[]) {
    this.#place = place;
    this.next = next;
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
      const lookups = givenRows(
        dialect,
        { kind: 'int', text: 'text', term: 'int' },
        this.#fresh.flatMap((key) => this.#lookupsOf(key)),
      );
      await executor.execute(
        `INSERT INTO ${tables.lookup} SELECT CAST(? AS INTEGER), given.kind, given.text, given.term
         FROM ${lookups.sql}`,
        [space, ...lookups.params],
      );
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

  #lookupsOf(key: string): readonly (readonly [kind: number, text: string, term: number])[] {
    const term = this.of(key);
    const row = (kind: number) => (text: string) => [kind, keyOf(text), term] as const;
    return [
      ...Array.from(endingsOf(key), row(LOOKUP.ending)),
      ...Array.from(new Set(this.#readingsOf(bareTerm(key))), row(LOOKUP.reading)),
    ];
  }
}
