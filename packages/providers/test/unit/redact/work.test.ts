import { defaultRedactionRules, redact } from '@vizprompt/providers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runs } from '../../support/fuzz.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { decodeText } from '../../../src/redact/scan/decoded-text.ts';
import { KeywordRules } from '../../../src/redact/scan/keyword-rules.ts';

const SIZE = 400;
const fill = (unit: string): string => unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);
const keyed = defaultRedactionRules.filter(({ keywords }) => keywords !== undefined);
const keywords = [...new Set(keyed.flatMap((rule) => rule.keywords ?? []))];

/** How often patterns are tried: each of them is bounded, so that this bounds the time. */
describe('the work of redaction', () => {
  let tries = 0;
  const { exec } = RegExp.prototype;
  beforeEach(() => {
    tries = 0;
    // A mock would store each of the calls.
    Reflect.set(RegExp.prototype, 'exec', function (this: RegExp, text: string) {
      if (this.sticky) tries++;
      return exec.call(this, text);
    });
  });
  afterEach(() => {
    Reflect.set(RegExp.prototype, 'exec', exec);
  });

  it.each(['', '-', ' ', '1a', '="', ': ', '=1aB2', '\n', 'a'.repeat(40)])(
    'is in line with the text for each keyword, repeated with %j',
    (tail) => {
      for (const keyword of keywords) {
        tries = 0;
        redact(fill(keyword + tail));
        // Several rules begin with the same keyword.
        expect(tries / SIZE).toBeLessThan(1.5);
      }
    },
  );

  it('grows with the text, whatever is repeated in whatever envelope', () => {
    const texts = hostileTexts(keywords, runs(50)).filter(
      ({ kind }) => !kind.startsWith('keyword'),
    );
    expect(texts.length).toBeGreaterThan(900);
    const wrong: string[] = [];
    for (const text of texts) {
      const counts = [SIZE, 3 * SIZE].map((size) => {
        tries = 0;
        redact(text.fill(size));
        return tries;
      });
      const [once = 0, thrice = 0] = counts;
      // Units that are cut, and decoding that begins late, make it more than three times as much for short texts.
      if (once < 1.2 * SIZE && thrice < 3.6 * SIZE && thrice < 4 * once + 60) continue;
      wrong.push(`${text.kind}: ${JSON.stringify(text.unit)} ${counts.join()}`);
    }
    expect(wrong).toEqual([]);
  });

  it('is little for runs of keywords without a space', () => {
    for (const unit of [
      'eyJ-',
      'sk-',
      'ghp_',
      'a.',
      'SG.',
      '://',
      'password=',
      `${'eyJ-'.repeat(500)}.`,
    ]) {
      tries = 0;
      redact(fill(unit));
      expect(tries).toBeLessThan(150);
    }
  });
});

describe('redaction', () => {
  it('finds with all rules at once what each finds alone', () => {
    const all = new KeywordRules(keyed);
    const pieces = [
      ...keywords,
      'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7',
      ' ',
      '=',
      ': ',
      '"',
      '\n',
      '.',
      '0123456789abcdef',
    ];
    // Where they overlap, a rule need not say again what another has found.
    const found = (rules: KeywordRules, text: string): Set<number> => {
      const places = new Set<number>();
      rules.find(text, (_, start, end) => {
        for (let at = start; at < end; at++) places.add(at);
      });
      return places;
    };
    const alone = keyed.map((rule) => new KeywordRules([rule]));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const each = new Set(alone.flatMap((rules) => [...found(rules, text)]));
        expect(found(all, text)).toEqual(each);
      }),
      { numRuns: runs(20) },
    );
  });

  it('changes nothing the second time, whatever the text', () => {
    const pieces = [
      ...keywords,
      'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7',
      'hunter2',
      ' ',
      '=',
      ': ',
      '"',
      "'",
      '\n',
      '\\n',
      '%3D',
      '@',
      '猫',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (parts) => {
        const { text } = redact(parts.join(''));
        expect(redact(text).text).toBe(text);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('decodeText', () => {
  it.each([
    [String.raw`a\nb\"c\\\"d\/e`, 'a\nb"c"d/e'],
    ['a%3Db%2', 'a=b%2'],
    ['\u001b[01;31m\u001b[Kab\u001b[mc', 'abc'],
    [String.raw`\u001b[32ma\x3db\u003dc`, 'a=b=c'],
    ['&quot;a&#61;b&amp;', '"a=b&'],
    ['😀%41\ud83d', '😀A\ufffd'],
  ])('decodes %j', (given, text) => {
    expect(decodeText(given)?.text).toBe(text);
  });

  it('knows where each character comes from', () => {
    const piece = fc.constantFrom('a', '%41', '\\n', '\u001b[1m', '&amp;', '\\\\"', '猫', 'xyz');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const given = pieces.join('');
        const decoded = decodeText(given);
        if (!decoded) return;
        let last = 0;
        for (let at = 0; at < decoded.text.length; at++) {
          const start = decoded.startOf(at);
          const end = decoded.endOf(at);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          const part = given.slice(start, end);
          expect(decodeText(part)?.text ?? part).toBe(decoded.text[at]);
          last = end;
        }
      }),
    );
  });
});
