import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { NumberTable } from '../../../src/binary/packed-tables.ts';
import { eachBigram, foldText, unitsOf } from '../../../src/rank/fold-text.ts';
import { CharacterScan } from '../../../src/rank/rerank.ts';

const PIECES = [
  '灯',
  '台',
  '守',
  'の',
  'カ',
  'Ａ',
  'a',
  '７',
  '…',
  '㍿',
  '㌔',
  'İ',
  ' ',
  '。',
  '\0',
  '々',
];
const JOINING = ['か\u3099', 'ﾊﾞ', 'e\u0301', 'ΑΣ', '𠮷', '\ud800', '\u1112\u1161'];
const text = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 200 }).map((all) => all.join(''));

/** Returns the pairs of the whole folded text, one by one. */
function pairsOf(one: string): readonly number[] {
  const pairs: number[] = [];
  eachBigram(unitsOf(foldText(one)), (pair) => pairs.push(pair));
  return pairs;
}

function numbered(all: Iterable<number>): Map<number, number> {
  return new Map(Array.from(new Set(all), (one, place) => [one, place]));
}

const KANJI = numbered(unitsOf('灯守々'));

it.each([
  ['of units that stand for themselves', text(PIECES)],
  ['with some that join their neighbours', text([...PIECES, ...JOINING])],
])('finds the pairs and kanji of a query in text after text %s', (_, texts) => {
  fc.assert(
    fc.property(texts, fc.array(texts, { minLength: 1, maxLength: 4 }), (asked, chunks) => {
      const places = numbered(pairsOf(asked));
      const scan = new CharacterScan(new NumberTable(places), new NumberTable(KANJI));
      for (const chunk of chunks) {
        const expected = new Uint16Array(places.size);
        for (const pair of pairsOf(chunk)) {
          const place = places.get(pair);
          if (place !== undefined) expected[place] = (expected[place] ?? 0) + 1;
        }
        scan.scan(unitsOf(chunk));
        expect(scan.pairs).toEqual(expected);
        const kanji = [...unitsOf(chunk).entries()].flatMap(([at, unit]) => {
          const place = KANJI.get(unit);
          return place === undefined ? [] : [[at, place]];
        });
        const found = Array.from({ length: scan.kanjiCount }, (_unused, at) => [
          scan.kanjiAt[at],
          scan.kanji[at],
        ]);
        expect(found).toEqual(kanji);
      }
    }),
    { numRuns: runs(200) },
  );
});
