import { defaultRedactionRules } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LastBefore } from '../../../src/redact/rules/text-before.ts';
import { beginningOf } from '../../../src/redact/rules/keywords-of.ts';
import { decodeText } from '../../../src/redact/scan/decoded-text.ts';

const skimmed = defaultRedactionRules.filter(({ skim }) => skim !== undefined);
const BEFORE = [
  '',
  ' ',
  'a',
  '/',
  '+',
  'a+',
  '/+',
  ' +',
  '-',
  'Z',
  '0',
  '猫',
  ';',
  '; ',
  ';\u00a0',
  ';abc_',
  '; abcdefghijkl',
  ';abcdefghijklm',
  ';  ',
];
/** The text that the patterns of these rules distinguish after a keyword. */
const BEHIND =
  ` |  |=|:|::|=>|==|:=|"|'|\`|)|]|?|,|>|<|</key>|<string>|：|＝|　|\u00a0|\n|\t|_|-|.|a|b|f|r|u|@|string|str|&str|char*|` +
  'value|default|prod|test|v2|12|key|s|w|word|phrase|code|base64|te|st|li|ke|va|de|b6|v|is|of|api|access_|secret|K|D|' +
  '{|+|→|z|Q7|/|$|\\|&|;|         |live_|aB3dE6gH9jK2|aB3dE6gH9jK2m|aB3dE6gH9jK2mN5pQ8sT';

describe('rules that skim', () => {
  it('are there', () => {
    expect(skimmed.map(({ name }) => name)).toEqual([
      'url-password',
      'url-token',
      'connection-string',
      'key',
      'assignment',
      'table-column',
      'key',
    ]);
  });

  it.each(skimmed)('say what the pattern says: $what', ({ skim, pattern, keywords = [] }) => {
    const parts = fc.record({
      before: fc.constantFrom(...BEFORE),
      keyword: fc.constantFrom(...keywords, ...keywords.map((word) => word.toUpperCase())),
      behind: fc.array(fc.constantFrom(...BEHIND.split('|'), '|', '||'), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(parts, ({ before, keyword, behind }) => {
        const text = before + keyword + behind.join('');
        const start = before.length;
        const end = skim?.(text, start, start + keyword.length);
        if (end === undefined) return;
        // A longer keyword at the same place says more.
        const rest = text.slice(start).toLowerCase();
        if (keywords.some((other) => other.length > keyword.length && rest.startsWith(other)))
          return;
        pattern.lastIndex = start;
        expect(end).toBe(pattern.test(text) ? pattern.lastIndex : -1);
      }),
      { numRuns: 4000 },
    );
  });
});

describe('a heading of a column', () => {
  const rule = skimmed.find(({ name }) => name === 'table-column');

  it('is asked for only where the pattern may match', () => {
    const word = fc.constantFrom('pass', 'password', 'PWD', 'token', 'secret', 'private', 'api');
    const rest = fc.constantFrom(
      ' key',
      '_key',
      'Key',
      ' k',
      '"',
      '*',
      ' ',
      '\t',
      ',',
      '|',
      ';',
      ')',
      '\r\n',
      'x',
      ' '.repeat(59),
    );
    fc.assert(
      fc.property(word, fc.array(rest, { maxLength: 6 }), (start, behind) => {
        const text = start + behind.join('');
        if (rule?.skim?.(text, 0, start.length) === undefined) return;
        rule.pattern.lastIndex = 0;
        expect(rule.pattern.test(text)).toBe(false);
      }),
      { numRuns: 4000 },
    );
    expect(rule?.skim?.('password is', 0, 8)).toBe(-1);
  });
});

describe('beginningOf', () => {
  it.each([
    [/gh[po]_[A-Za-z\d]{36,40}/, ['ghp_', 'gho_'], 36],
    [/(?:live|test)_\w+(?!\w)/, ['live_', 'test_'], 1],
    [/(?<!a|b)sk-[\da-f]/, ['sk-'], 1],
    [/key-[a-z]{0,3}x/, ['key-'], undefined],
    [/key-[a-z]?x/, ['key-'], undefined],
    [/key-[^a]{3}/, ['key-'], undefined],
    [/key-[\s\w]{3}/, ['key-'], undefined],
    [/key-[猫a]{3}/, ['key-'], undefined],
    [/key-\d{3}|key/, ['key-'], undefined],
  ])('reads %s', (pattern, texts, count) => {
    const beginning = beginningOf(pattern);
    expect(beginning.texts).toEqual(texts);
    expect(beginning.next?.count).toBe(count);
  });
});

describe('LastBefore', () => {
  it('says what a search in the characters before a place says', () => {
    const piece = fc.constantFrom('ab', 'b', ' ', 'x'.repeat(30), ' '.repeat(300));
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 1, max: 90 }),
        (pieces, step) => {
          const text = pieces.join('');
          const matches = new LastBefore(/ab/, 100);
          const begins = [...text.matchAll(/ab/g)].map(({ index }) => index);
          for (let place = 0; place <= text.length; place += step) {
            const wanted = begins.some((at) => at < place && at >= place - 100);
            expect(matches.isBefore(text, place)).toBe(wanted);
          }
        },
      ),
    );
  });
});

describe('decodeText', () => {
  it('finds the parts that are far from escapes', () => {
    const text = `${'a'.repeat(20)}%41${'b'.repeat(9)}\\n${'c'.repeat(30)}`;
    const parts: string[] = [];
    decodeText(text)?.eachPlainPart(3, 7, (start, end) => parts.push(text.slice(start, end)));
    expect(parts).toEqual(['a'.repeat(13), 'c'.repeat(27)]);
  });
});
