import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TITLE_PREFIX } from '../../src/chunk/chunk.ts';
import { SqlVocabulary } from '../../src/sql/sql-vocabulary.ts';
import { TermIds } from '../../src/sql/term-ids.ts';
import { TermNumbers } from '../../src/sql/term-numbers.ts';
import { applyTerms, readingHash, writeTerms } from '../../src/sql/term-rows.ts';
import { type NewTerm, TermTable } from '../../src/sql/term-table.ts';

/** Any UTF-16 code units, and words that share parts; the table ends terms with a line feed. */
const anyTerm = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 4,
  }),
  fc.string({ unit: fc.constantFrom(...Array.from('灯台守と\n𠮷a')), maxLength: 5 }),
);
const isTerm = (text: string): boolean => !text.startsWith(TITLE_PREFIX);

/** Two terms in three have a reading that others share. */
const readingsOf = (term: string): readonly string[] =>
  term.length % 3 === 0 ? [] : [`ヨミ${term.length}`, `ヨミ${term.length}`];

interface Step {
  readonly terms: readonly string[];
  readonly titles: readonly string[];
  /** Which of the known terms lose a chunk. */
  readonly fewer: readonly number[];
  /** True if all changes so far are folded into one row, without terms that no chunk has. */
  readonly isFolded: boolean;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    terms: fc.array(anyTerm.filter(isTerm), { maxLength: 12 }),
    titles: fc.array(anyTerm.filter(isTerm), { maxLength: 4 }),
    fewer: fc.array(fc.nat(), { maxLength: 6 }),
    isFolded: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Applies steps to a table by its rows, and to a plain model. */
function run(list: readonly Step[]): {
  readonly table: TermTable;
  readonly model: ReadonlyMap<string, number>;
} {
  let table = new TermTable();
  let next = 1;
  const model = new Map<string, number>();
  for (const { terms, titles, fewer, isFolded } of list) {
    const ids = new TermIds();
    const numbers = new TermNumbers(table, next, ids);
    const known = [...model.keys()].filter((key) => (model.get(key) ?? 0) > 0);
    const change = (key: string, by: number): unknown => model.set(key, (model.get(key) ?? 0) + by);
    let chunk = 0;
    for (const term of terms) {
      // The second time in one chunk counts nothing.
      for (let time = 0; time < 2; time++) numbers.count(chunk, ids.idOf(term));
      chunk++;
      change(term, 1);
    }
    for (const term of titles) {
      numbers.count(chunk++, ids.idOf(TITLE_PREFIX + term));
      change(TITLE_PREFIX + term, 1);
    }
    for (const key of new Set(fewer.flatMap((at) => known[at % known.length] ?? []))) {
      numbers.remove(table.find(key));
      change(key, -1);
    }
    const posted = numbers.postings().reduce((sum, { count }) => sum + count, 0);
    expect(posted).toBe(terms.length + titles.length);
    applyTerms(table, writeTerms(numbers.changes(readingsOf)));
    next = numbers.next;
    if (!isFolded) continue;
    const added = [...table.terms()].filter(({ chunks }) => chunks > 0);
    table = new TermTable();
    applyTerms(table, writeTerms({ added, deltas: [] }));
  }
  return { table, model };
}

test('terms are counted, and found by themselves, by each part and by their readings, whatever characters they have', () => {
  fc.assert(
    fc.property(steps, anyTerm, (list, other) => {
      const { table, model } = run(list);
      const living = [...model].filter(([, count]) => count > 0);
      for (const [key, count] of living) {
        const id = table.find(key);
        expect([table.keyOf(id), table.chunksOf(id)]).toEqual([key, count]);
      }
      const vocabulary = new SqlVocabulary(table, readingsOf);
      expect(vocabulary.entries([...model.keys()]).map((entry) => entry?.count ?? 0)).toEqual([
        ...model.values(),
      ]);
      const texts = living.flatMap(([key]) => (isTerm(key) ? [key] : []));
      const bare = new Set(living.map(([key]) => key.replace(TITLE_PREFIX, '')));
      expect(table.sizeOfTexts()).toBe(texts.length);
      const parts = [other, ...texts.flatMap((term) => [term.slice(0, 2), term.slice(-2)])];
      const sorted = (terms: Iterable<string>): readonly string[] => [...terms].toSorted();
      const those = (fits: (term: string) => boolean): readonly string[] =>
        sorted([...bare].filter(fits));
      for (const part of parts.filter((one) => one !== '' && isTerm(one))) {
        expect(sorted(vocabulary.startingWith(part))).toEqual(
          sorted(texts.filter((term) => term.startsWith(part))),
        );
        expect(sorted(vocabulary.endingWith(part))).toEqual(
          sorted(texts.filter((term) => term.endsWith(part))),
        );
        expect(sorted(vocabulary.withPart(part, 'front'))).toEqual(
          those((term) => term.startsWith(part)),
        );
        expect(sorted(vocabulary.withPart(part, 'back'))).toEqual(
          those((term) => term.endsWith(part)),
        );
        expect(sorted(vocabulary.withPart(part, 'anywhere'))).toEqual(
          those((term) => term.includes(part)),
        );
      }
      for (const reading of ['ヨミ1', 'ヨミ2', 'ヨミ9']) {
        expect(sorted(vocabulary.readAs(reading))).toEqual(
          those((term) => readingsOf(term).includes(reading)),
        );
      }
    }),
  );
});

test('what is added to a copy is not in the table, and what is added to the table is not in the copy', () => {
  const table = new TermTable();
  table.add([{ id: 3, key: '灯台', chunks: 1, readings: [readingHash('トウダイ')] }]);
  const copy = table.copy();
  copy.add([{ id: 5, key: '嵐', chunks: 1, readings: [] }]);
  copy.change(3, 4);
  table.add([{ id: 4, key: '岬', chunks: 2, readings: [7] }]);
  expect([table.find('嵐'), table.find('岬'), table.chunksOf(3)]).toEqual([0, 4, 1]);
  expect([copy.find('嵐'), copy.find('岬'), copy.chunksOf(3)]).toEqual([5, 0, 5]);
  expect([table.withReading(7), copy.withReading(7)]).toEqual([['岬'], []]);
});

test('what a change does to terms that are known takes some two bytes for each', () => {
  const deltas = Array.from(
    { length: 500 },
    (_, at) => [at * 11 + (at % 7), 1 + (at % 3)] as const,
  );
  expect(writeTerms({ added: [], deltas }).length).toBeLessThan(1000);
});

test('a table takes memory for the terms that it has, not for the numbers of those that went', () => {
  const before = process.memoryUsage().arrayBuffers;
  const table = new TermTable();
  table.add([
    { id: 9_000_000, key: '灯台', chunks: 1, readings: [readingHash('トウダイ')] },
    { id: 10_000_000, key: '嵐', chunks: 2, readings: [] },
  ]);
  table.change(9_000_000, 2);
  table.change(9_000_001, 5);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
  expect([table.find('灯台'), table.find('嵐'), table.find('岬')]).toEqual([
    9_000_000, 10_000_000, 0,
  ]);
  const numbers = [0, 1, 2, 9_000_000, 9_000_001, 10_000_000, 10_000_001];
  expect(numbers.map((id) => [table.keyOf(id), table.chunksOf(id)])).toEqual([
    [undefined, 0],
    [undefined, 0],
    [undefined, 0],
    ['灯台', 3],
    [undefined, 0],
    ['嵐', 2],
    [undefined, 0],
  ]);
  expect(table.parts('台', 'back')).toEqual(['灯台']);
  expect(table.withReading(readingHash('トウダイ'))).toEqual(['灯台']);
});

test('thousands of terms are found by their ends and readings, those that came later and those of copies too', () => {
  const marks = '灯台の海a';
  const keyOf = (id: number): string => {
    const mark = id % 11 === 0 ? TITLE_PREFIX : '';
    return `${mark}${marks.charAt(id % 5)}${id.toString(36)}${marks.charAt(id % 7)}`;
  };
  const some = (from: number, to: number): readonly NewTerm[] =>
    Array.from({ length: to - from }, (_, at) => {
      const id = from + at;
      return { id, key: keyOf(id), chunks: id % 3, readings: [id % 50, 60_000 + (id % 4)] };
    });
  const check = (table: TermTable, last: number): void => {
    const living = some(1, last).filter(({ chunks }) => chunks > 0);
    const keys = living.map(({ key }) => key);
    const bare = (key: string): string =>
      key.startsWith(TITLE_PREFIX) ? key.slice(TITLE_PREFIX.length) : key;
    for (const text of ['灯', '灯a', 'a', '台1', 'z海', '海', '']) {
      const front = keys.filter((key) => bare(key).startsWith(text));
      const back = keys.filter((key) => bare(key).endsWith(text));
      expect(table.parts(text, 'front')).toEqual(front);
      expect(table.parts(text, 'back')).toEqual(back);
    }
    for (const hash of [0, 7, 60_002, 65_535]) {
      const read = living.filter(({ readings }) => readings.includes(hash));
      expect(table.withReading(hash)).toEqual(read.map(({ key }) => key));
    }
  };
  const table = new TermTable();
  table.add(some(1, 6000));
  check(table, 6000);
  const copy = table.copy();
  table.add(some(6000, 6100));
  copy.add(some(6000, 20_000));
  check(table, 6100);
  check(copy, 20_000);
  check(table, 6100);
});

test.each([
  [['灯台', `${TITLE_PREFIX}海`, '', 'a,b', '[]', '']],
  [['']],
  [['x",', 'y', '"', '","']],
  [['灯\n台', '\\u0001', '\\', '\uD842', '\0', '海']],
])('terms are read as they were written: %j', (keys) => {
  const added = keys.map((key, at): NewTerm => {
    return { id: 3 + at * 2, key, chunks: at + 1, readings: at % 2 === 0 ? [] : [at, 65_535] };
  });
  const table = new TermTable();
  table.add([{ id: 1, key: '前', chunks: 1, readings: [] }]);
  applyTerms(table, writeTerms({ added, deltas: [[1, 2]] }));
  expect([...table.terms()]).toEqual([{ id: 1, key: '前', chunks: 3, readings: [] }, ...added]);
  for (const { key } of added) expect(keys[(table.find(key) - 3) / 2]).toBe(key);
  for (const { id, key } of added) expect(table.keyOf(id)).toBe(key);
});
