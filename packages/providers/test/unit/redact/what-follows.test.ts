import { defaultRedactionRules } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whatFollows } from '../../../src/redact/rules/what-follows.ts';
import { FoundParts } from '../../../src/redact/scan/found-parts.ts';
import { fillForm, numbersOf } from '../../support/fill-form.ts';
import { SECRET_FORMS } from '../../support/secret-forms.ts';
import { SECRET_PLACES } from '../../support/secret-places.ts';

/** The characters that a pattern may have at a place, or `any`. */
function follow(pattern: RegExp, keyword: string): readonly string[] {
  return whatFollows(pattern, keyword).map((table) =>
    Array.from(table ?? [], (is, code) => (is === 1 ? String.fromCharCode(code) : '')).join(''),
  );
}

describe('whatFollows', () => {
  it.each([
    [/ab/y, 'a', ['b']],
    [/a[0-3]x/y, 'a', ['0123', 'x']],
    [/a[0-3]{2}x/y, 'a', ['0123', '0123', 'x']],
    [/a[0-1]{1,9}x/y, 'a', ['01', '01x']],
    [/a[0-1]*x/y, 'a', ['01x']],
    [/a(?:b|cd)?e/y, 'a', ['bce']],
    [/(?:ab|ac)d/y, 'a', ['bc', 'd']],
    [/(?:a|ab)c/y, 'ab', ['c']],
    [/(?<=x(?:y|z))a(?!b)(?=c)d/y, 'a', ['d']],
    [/(?<name>a)\bb$/y, 'a', ['b']],
    [/ab/iy, 'A', ['Bb']],
    [/AB/y, 'a', ['B']],
    [/a\x62\u0063/y, 'a', ['b', 'c']],
    [/a[\]b]\]/y, 'a', [']b', ']']],
    [/a/y, 'a', []],
    [/a?/y, 'a', []],
    [/(?=ab)/y, 'a', []],
    [/xb/y, 'a', ['', '', '', '']],
  ])('of %s after %j', (pattern, keyword, expected) => {
    expect(follow(pattern, keyword)).toEqual(expected);
  });

  it('of a group that is repeated by its name is anything', () => {
    expect(whatFollows(/(a)\1b/y, 'a')[0]?.every((is) => is === 1)).toBe(true);
  });

  it('leaves out nothing that a rule matches', () => {
    const forms = [...Object.values(SECRET_FORMS).flat(), ...SECRET_PLACES];
    const below = numbersOf(77);
    const texts = forms.map((form) => fillForm(form, below).text);
    let matches = 0;
    const wrong: string[] = [];
    for (const { pattern, keywords = [], what } of defaultRedactionRules) {
      for (const keyword of keywords) {
        const tables = whatFollows(pattern, keyword.toLowerCase());
        for (const text of texts) {
          const folded = text.toLowerCase();
          for (let at = folded.indexOf(keyword); at >= 0; at = folded.indexOf(keyword, at + 1)) {
            pattern.lastIndex = at;
            if (!pattern.test(text)) continue;
            matches++;
            for (const [place, table] of tables.entries()) {
              const code = text.charCodeAt(at + keyword.length + place);
              if (code < 128 && table?.[code] !== 1) wrong.push(`${what}: ${text}`);
            }
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(matches).toBeGreaterThan(1000);
  });
});

describe('FoundParts', () => {
  const orders = new Map([
    ['first', 0],
    ['second', 1],
    ['third', 2],
  ]);

  it('covers what would change nothing', () => {
    const find = fc.record({
      rule: fc.constantFrom('first', 'second', 'third'),
      start: fc.integer({ min: 0, max: 20 }),
      length: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(find, { maxLength: 6 }), find, (finds, { rule, start, length }) => {
        const found = finds.map((each) => ({ ...each, end: each.start + each.length }));
        const parts = new FoundParts(found, orders, undefined);
        const one = { rule, start, end: start + length };
        if (!parts.of({ name: rule, pattern: /x/ })(one.start, one.end)) return;
        expect(joined([...found, one])).toEqual(joined(found));
      }),
      { numRuns: 4000 },
    );
  });

  it('covers parts of one find and of several, and nothing beyond them', () => {
    const found = [
      { rule: 'second', start: 2, end: 6 },
      { rule: 'second', start: 4, end: 9 },
      { rule: 'second', start: 9, end: 12 },
    ];
    const ask = (rule: string, start: number, end: number): boolean =>
      new FoundParts(found, orders, undefined).of({ name: rule, pattern: /x/ })(start, end);
    expect(ask('first', 3, 9)).toBe(true);
    expect(ask('first', 2, 5)).toBe(true);
    expect(ask('third', 2, 6)).toBe(true);
    expect(ask('first', 2, 6)).toBe(false);
    expect(ask('third', 2, 7)).toBe(false);
    expect(ask('third', 8, 10)).toBe(false);
    expect(ask('third', 1, 3)).toBe(false);
    expect(ask('third', 12, 13)).toBe(false);
  });

  /** The parts that are removed, and the names of their marks, as `redact` chooses them. */
  function joined(
    found: readonly { readonly rule: string; readonly start: number; readonly end: number }[],
  ): readonly unknown[] {
    const sorted = found.toSorted(
      (a, b) =>
        a.start - b.start || b.end - a.end || (orders.get(a.rule) ?? 0) - (orders.get(b.rule) ?? 0),
    );
    const parts: { rule: string; start: number; end: number }[] = [];
    for (const { rule, start, end } of sorted) {
      const last = parts.at(-1);
      if (last && start < last.end) last.end = Math.max(last.end, end);
      else parts.push({ rule, start, end });
    }
    return parts;
  }
});
