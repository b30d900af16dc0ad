import { beforeAll, expect, inject, test } from 'vitest';
import { dictionaryMorphology, type DictionaryMorphology } from '../../src/analyze/lattice.ts';
import { openDictionary } from '../../src/dictionary/open-dictionary.ts';

let morphology: DictionaryMorphology;

beforeAll(async () => {
  const cacheFolder = inject('dictionaryFolder');
  morphology = dictionaryMorphology((await openDictionary({ cacheFolder })).dictionary);
});

function nodesFor(text: string): number {
  const before = morphology.nodeCount;
  const morphemes = morphology.cut(text);
  expect(morphemes.map(({ surface }) => surface).join('') === text).toBe(true);
  return morphology.nodeCount - before;
}

test.each([
  '句読点のない長い文章がどこまでも続いていくので',
  'ア',
  'あ',
  '東',
  'x',
  '♪',
  '9',
  '𠮷',
  'ヌメラポン',
])('100,000 characters of %s without punctuation take ten times the nodes of 10,000', (piece) => {
  const long = (length: number): string => piece.repeat(Math.ceil(length / piece.length));
  const [short, tenfold] = [nodesFor(long(10_000)), nodesFor(long(100_000))];
  expect(tenfold).toBeLessThan(short * 11);
  expect(tenfold).toBeLessThan(100_000 * 20);
});

test('a long sentence is cut as a short one, but for the places where it was cut in pieces', () => {
  const piece = '句読点のない長い文章がどこまでも続いていくので読む人は息をつく暇もないのだが';
  const expected = morphology.cut(piece).map(({ surface }) => surface);
  const found = morphology.cut(piece.repeat(200)).map(({ surface }) => surface);
  const same = found.filter((surface, index) => surface === expected[index % expected.length]);
  expect(same.length / found.length).toBeGreaterThan(0.99);
});
