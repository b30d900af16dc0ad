import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { normalizeChars, unitsOf } from '../../../src/rank/normalize-chars.ts';

/** Characters of one unit, of several, and those that join their neighbours. */
const PIECES = [
  '灯',
  '台',
  'の',
  'カ',
  'Ａ',
  'A',
  '７',
  '…',
  '㍿',
  '㌔',
  '½',
  'ﬁ',
  'İ',
  '゛',
  ' ',
  '。',
];
const JOINING = ['か\u3099', 'ﾊﾞ', 'e\u0301', 'ΑΣ', '𠮷', '\ud800', '\u1112\u1161'];
const text = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(''));

it.each([
  ['of units that stand for themselves', text(PIECES)],
  ['with some that join their neighbours', text([...PIECES, ...JOINING])],
])('folds a text %s as strings are folded', (_, texts) => {
  fc.assert(
    fc.property(texts, (one) => {
      expect(normalizeChars(unitsOf(one))).toEqual(unitsOf(one.normalize('NFKC').toLowerCase()));
    }),
    { numRuns: runs(100) },
  );
});
