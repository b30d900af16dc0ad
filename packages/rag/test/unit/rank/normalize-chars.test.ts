import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../providers/test/support/fuzz.ts';
import { foldText, normalizeChars, unitsOf } from '../../../src/rank/fold-text.ts';

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
const JOINING = [
  'か\u3099',
  'ﾊﾞ',
  'e\u0301',
  'ΑΣ',
  '𠮷',
  '\ud800',
  '\u1112\u1161',
  'ㅎㅏ',
  'ﾡￂ',
  '㉮ㄱ',
  'ΑϹ',
];

function textOf(units: Uint16Array): string {
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}

const text = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join(''));

it('knows of each unit that it joins one before or after it', () => {
  const wrong: string[] = [];
  for (let unit = 1; unit < 65_536; unit++) {
    // Kanji and syllables are the same in any place.
    if (unit === 0x3400) unit = 0xd7a4;
    const character = String.fromCharCode(unit);
    // A vowel or final of Hangul joins what is before it, an initial what follows; a letter before makes a last sigma.
    for (const one of [`하${character}`, `${character}ㅏ`, `Α${character}`]) {
      const right = foldText(one);
      if (textOf(normalizeChars(unitsOf(one))) !== right) wrong.push(one);
    }
  }
  expect(wrong).toEqual([]);
});

it.each([
  ['of units that stand for themselves', text(PIECES)],
  ['with some that join their neighbours', text([...PIECES, ...JOINING])],
])('folds a text %s as strings are folded', (_, texts) => {
  fc.assert(
    fc.property(texts, (one) => {
      expect(normalizeChars(unitsOf(one))).toEqual(unitsOf(foldText(one)));
    }),
    { numRuns: runs(100) },
  );
});
