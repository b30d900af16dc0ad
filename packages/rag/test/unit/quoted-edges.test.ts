import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import { parseQuery } from '../../src/query/parse-query.ts';
import { textConditions } from '../../src/search/answer-query.ts';
import { openBackend } from '../support/search-index.ts';

/** The first and last characters of each class that pairs are made of, and those next to them; Hangul and surrogates. */
const ENDS = Array.from('09azぁゖァヺー々㐀鿿`{゠・〆㏿ꀀ가뀀뀁덂힣𠮟豈');
/** Frequent pieces, and pairs of Hangul and kanji that look like their codes. */
const PIECES = [
  'て来',
  'の中',
  'して',
  'ている',
  'そうして',
  'ぁぁ',
  '널墝',
  '냙덐',
  '낣췽',
  '냦먹',
];
const text = fc
  .array(fc.constantFrom(...ENDS, ...PIECES), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''));

/** Every text of one to four of a character. */
const REPEATED = ENDS.flatMap((one) => [1, 2, 3, 4].map((count) => one.repeat(count)));

/** Which texts have a piece, by their numbers. */
type Found = readonly (readonly [piece: string, texts: readonly number[]])[];

async function searched(texts: readonly string[], pieces: readonly string[]): Promise<Found> {
  const backend = await openBackend();
  await backend.index(texts.map((one, at) => ({ novelId: 'n', filePath: `${at}.txt`, text: one })));
  const found: [string, number[]][] = [];
  for (const piece of pieces) {
    const { hits } = await backend.search(`"${piece}"`, { k: texts.length });
    const numbers = hits.map(({ payload }) => Number.parseInt(payload.file, 10));
    found.push([piece, numbers.toSorted((a, b) => a - b)]);
  }
  await backend.close();
  return found;
}

async function scanned(texts: readonly string[], pieces: readonly string[]): Promise<Found> {
  const found: [string, number[]][] = [];
  for (const piece of pieces) {
    const { accepts } = await textConditions(parseQuery(`"${piece}"`));
    const isThere = (at: number): boolean => accepts?.(texts[at] ?? '', []) ?? false;
    found.push([piece, [...texts.keys()].filter(isThere)]);
  }
  return found;
}

it('finds quoted characters at the ends of their classes as a scan of the texts does', async () => {
  const texts = [...REPEATED, ...PIECES, ...ENDS.map((one, at) => `${one}${ENDS.at(at - 1)}`)];
  expect(await searched(texts, texts)).toEqual(await scanned(texts, texts));
});

it('finds quoted pieces of random texts of such characters as a scan does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 20 }),
      fc.array(text, { minLength: 1, maxLength: 10 }),
      async (texts, others) => {
        const parts = texts.map((one) => Array.from(one).slice(0, 4).join(''));
        const pieces = [...parts, ...PIECES, ...others];
        expect(await searched(texts, pieces)).toEqual(await scanned(texts, pieces));
      },
    ),
    { numRuns: runs(10) },
  );
});
