import { defaultRedactionRules } from '@vizprompt/providers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charactersAround, mayBeAround } from '../../../src/redact/rules/characters-around.ts';
import { LastBefore } from '../../../src/redact/rules/text-before.ts';
import { sortNearly } from '../../../src/redact/redact.ts';
import { fillForm, numbersOf } from '../../support/fill-form.ts';
import { SECRET_FORMS } from '../../support/secret-forms.ts';
import { SECRET_PLACES } from '../../support/secret-places.ts';

/** Checks a text with a keyword between `<` and `>`. */
function mayMatch(pattern: RegExp, marked: string): boolean | undefined {
  const start = marked.indexOf('<');
  const end = marked.indexOf('>') - 1;
  const text = marked.replaceAll(/[<>]/g, '');
  const around = charactersAround(pattern, text.slice(start, end));
  return around && mayBeAround(around, text, start, end);
}

describe('the characters around a keyword', () => {
  it.each([
    [/key-[ab]{2}c/y, '<key->abc', true],
    [/key-[ab]{2}c/y, '<key->aac', true],
    [/key-[ab]{2}c/y, '<key->ab', false],
    [/key-[ab]{2}c/y, '<key->abb', false],
    [/key-[ab]{1,2}c/y, '<key->abbbc', true],
    [/ -P ?[^\s-]/y, '< -p>x', false],
    [/ -P ?[^\s-]/y, '< -P>x', true],
    [/ -P ?[^\s-]/y, '< -P>-', false],
    [/ -p(?:1|22)/iy, '< -P>22', true],
    [/pass(?:word)?\s?[=:]\d/y, '<pass>word:1', true],
    [/pass(?:word)?\s?[=:]\d{3}/y, '<pass>word:123', true],
    [/pass(?:word)?\s?[=:]\d{3}/y, '<pass>port:123', false],
    // Each place is judged on its own.
    [/pass(?:word)?\s?[=:]\d{3}/y, '<pass>w:123', true],
    [/(?<=\s(?:id|user)\s?)\/pw\d/y, 'an id </pw>1', true],
    [/(?<=\s(?:id|user)\s?)\/pw\d/y, ' user</pw>1', true],
    [/(?<=\s(?:id|user)\s?)\/pw\d/y, ' use</pw>1', false],
    [/(?<=x)key\d|key-/y, 'a<key>-', true],
    [/(?<=^|x)key\d/y, '<key>1', true],
    [/key(?!a)[ab]/y, '<key>b', true],
    [/key(.)\1/y, '<key>aa', undefined],
    [/key\d(.)\1x/y, '<key>1aa', true],
    [/key\d(.)\1x/y, '<key>aaa', false],
    [/key|keys\d/y, '<keys>x', undefined],
    [/key[^a]/y, '<key>猫', true],
    [/key[a]/y, '<key>猫', false],
    [/key[a]/y, '<key>', false],
    [/key\d/uy, '<key>x', undefined],
  ])('%s and %j: %s', (pattern, text, may) => {
    expect(mayMatch(pattern, text)).toBe(may);
  });

  it('allow all that a rule finds', () => {
    const texts = [...Object.values(SECRET_FORMS).flat(), ...SECRET_PLACES].map(
      (form, at) => fillForm(form, numbersOf(at)).text,
    );
    let matches = 0;
    for (const { pattern, keywords = [] } of defaultRedactionRules) {
      if (!pattern.sticky) continue;
      for (const keyword of keywords) {
        const around = charactersAround(pattern, keyword.toLowerCase());
        if (!around) continue;
        for (const text of texts) {
          const folded = text.toLowerCase();
          for (let at = folded.indexOf(keyword); at >= 0; at = folded.indexOf(keyword, at + 1)) {
            pattern.lastIndex = at;
            if (!pattern.test(text)) continue;
            matches++;
            expect([keyword, text, mayBeAround(around, text, at, at + keyword.length)]).toEqual([
              keyword,
              text,
              true,
            ]);
          }
        }
      }
    }
    expect(matches).toBeGreaterThan(300);
  });
});

describe('LastBefore', () => {
  it('finds whole words, wherever it begins to read', () => {
    const words = new LastBefore(/\bab\b/, 100);
    const text = `${'xab '.repeat(400)}ab ${'abx '.repeat(400)}`;
    for (let place = 0; place < text.length; place += 7) {
      expect(words.isBefore(text, place)).toBe(place > 1600 && place <= 1700);
    }
  });
});

describe('sortNearly', () => {
  it('sorts any list, and leaves equal elements in their order', () => {
    const element = fc.record({ key: fc.integer({ min: 0, max: 9 }), name: fc.string() });
    fc.assert(
      fc.property(fc.array(element, { maxLength: 60 }), (list) => {
        const sorted = [...list];
        sortNearly(sorted, (a, b) => a.key - b.key);
        expect(sorted).toEqual(list.toSorted((a, b) => a.key - b.key));
      }),
    );
  });
});
