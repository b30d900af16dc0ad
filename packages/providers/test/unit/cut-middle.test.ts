import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenEstimator } from '../../src/index.ts';
import { cutMiddle, isCharacterBorder } from '../../src/strings/cut-middle.ts';

/** Each is one character for those who read it. */
const CHARACTERS = [
  'a',
  '猫',
  'が',
  'か\u3099',
  'e\u0301',
  '👍🏽',
  '👩‍👩‍👧‍👦',
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  '🇯🇵',
  '각',
  '\u1100\u1161\u11a8',
  'नि',
  'ש\u05c1',
  '🧑🏾‍🚀',
  '❤️',
  '\n',
  'ｶﾞ',
  '葛\u{e0100}',
  '𠮷',
];

const texts = fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 60 });

describe('isCharacterBorder', () => {
  it('never takes a character apart', () => {
    fc.assert(
      fc.property(texts, (characters) => {
        const text = characters.join('');
        const borders = new Set([0, text.length]);
        for (const { index } of new Intl.Segmenter().segment(text)) borders.add(index);
        for (let at = 0; at <= text.length; at++) {
          const isBorder = isCharacterBorder(text, at);
          expect(isBorder && !borders.has(at), `${at} of ${JSON.stringify(text)}`).toBe(false);
        }
      }),
    );
  });

  it('finds one between characters that are not joined', () => {
    expect([0, 1, 2, 3, 5, 6].map((at) => isCharacterBorder('猫が👍a', at))).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
    ]);
  });
});

describe('cutMiddle', () => {
  it('keeps the ends of a text, its room and whole characters', () => {
    const counter = createTokenEstimator();
    fc.assert(
      fc.property(texts, fc.integer({ min: 10, max: 60 }), (characters, room) => {
        const text = characters.join('').repeat(20);
        const fits = (shown: string): boolean => counter.count(shown).tokens <= room;
        const cut = cutMiddle(text, fits, () => '<cut>');
        expect(fits(cut)).toBe(true);
        const [head = '', tail = ''] = cut.split('<cut>');
        expect(text.startsWith(head)).toBe(true);
        expect(cut === text || cut === '…' || text.endsWith(tail)).toBe(true);
        for (const at of [head.length, text.length - tail.length]) {
          expect(isCharacterBorder(text, at)).toBe(true);
        }
      }),
    );
  });

  it('gives a text that fits as it is, and says how much is left out of another', () => {
    const short = (text: string): boolean => text.length <= 20;
    const mark = (left: number): string => `(${left})`;
    expect(cutMiddle('灯台の朝', short, mark)).toBe('灯台の朝');
    expect(cutMiddle('a'.repeat(100), short, mark)).toBe(`${'a'.repeat(8)}(84)${'a'.repeat(8)}`);
    expect(cutMiddle('a'.repeat(100), (text) => text.length < 2, mark)).toBe('…');
  });
});
