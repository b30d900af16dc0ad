import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { anyString, runs } from '../../../providers/test/support/fuzz.ts';
import { bigramAnalyzer, segmenterAnalyzer, type Analyzer } from '../../src/index.ts';
import { openCompact } from '../support/compact-analyzer.ts';

const analyzers: Analyzer[] = [segmenterAnalyzer(), bigramAnalyzer()];

beforeAll(async () => {
  analyzers.unshift(await openCompact());
});

/** Texts that fail first: marks, joiners, halves of pairs, markup that does not end. */
const piece = fc.oneof(
  fc.constantFrom(
    '｜',
    '|',
    '《',
    '》',
    '［＃',
    '］',
    'ゝ',
    'ゞ',
    'ヾ',
    '々',
    'ー',
    '―',
    '～',
    '\u3099',
    '\uff9e',
    '\u0301',
    '\u200d',
    '\ufe0f',
    '\u{e0100}',
    '\ud83d',
    '\udc08',
    '\0',
    '\r\n',
    '\u2028',
    '\u2028\u3099',
    '\ufeff',
    '\u202e',
    '\u3000',
    'ｶﾞ',
    'ﾊﾟ',
    '㈱',
    '①',
    'ﬁ',
    '…',
    '½',
    'İ',
    'ß',
    '🐈',
    '👩‍👩‍👧',
    '🇯🇵',
    '𠮷',
    '葛󠄀',
    'がか\u3099',
    'שלום',
    'مرحبا',
    '한국어',
    'ภาษาไทย',
    '東京',
    'とうきょう',
    'サーバー',
    '行なった',
    '2,026',
    'v2.0',
    "don't",
    'e-mail',
    'camelCase',
    '。',
    '、',
    ' ',
  ),
  anyString({ maxLength: 3 }),
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
);
const anyText = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));

test('words are substrings of the original, in its order, and cut no character in two', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const analyzer of analyzers) {
        const mayOverlap = analyzer.id.startsWith('bigram');
        let reached = 0;
        for (const word of analyzer.words(text)) {
          expect(word.start).toBeLessThan(word.end);
          expect(word.end).toBeLessThanOrEqual(text.length);
          expect(word.start).toBeGreaterThanOrEqual(reached);
          expect(text.slice(word.start, word.end).isWellFormed()).toBe(true);
          reached = mayOverlap ? word.start : word.end;
          for (const term of [word.basic, ...(word.extra ?? [])]) {
            expect(term).toMatch(/^\S+$/);
            expect(term.isWellFormed()).toBe(true);
          }
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

test('a word is found again by its own piece of the original', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const [analyzer] = analyzers;
      if (!analyzer) throw new Error('no analyser');
      for (const word of analyzer.words(`山田《やまだ》の${text}`).slice(0, 1)) {
        expect(word.basic).toBe('山田');
      }
    }),
    { numRuns: runs(20) },
  );
});
