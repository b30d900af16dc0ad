import {
  defaultRedactionRules,
  redact,
  redactionRulesVersion,
  type RedactionRule,
} from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { RULE_EXAMPLES } from '../../support/rule-examples.ts';
import { fillForm, numbersOf } from '../../support/fill-form.ts';
import { keywordsOf } from '../../../src/redact/rules/keywords-of.ts';

describe('the rules', () => {
  it('have a version, and are many', () => {
    expect(redactionRulesVersion).toBeGreaterThan(1);
    expect(new Set(defaultRedactionRules.map(({ what }) => what)).size).toBeGreaterThan(350);
    expect(new Set(defaultRedactionRules.map(({ name }) => name)).size).toBeGreaterThan(200);
  });

  it('with `find` are asked only for texts with as many characters in a row as they need', () => {
    const asked: string[] = [];
    const rule: RedactionRule = {
      name: 'run',
      pattern: /x/dg,
      minLength: 8,
      find(text) {
        asked.push(text);
        return [];
      },
    };
    for (const text of ['', 'abcdefg', 'abcdefg hijklmn\tABCDEFG', 'a abcdefgh', '%61bcdefgh']) {
      redact(text, { rules: [rule] });
    }
    expect(asked).toEqual(['a abcdefgh', 'abcdefgh']);
  });

  it('have names for marks, words for readers, and patterns that are bounded', () => {
    for (const { name, what, pattern, keywords } of defaultRedactionRules) {
      expect(name).toMatch(/^[\w-]{3,40}$/);
      expect(what).toMatch(/\S/);
      if (keywords === undefined) continue;
      expect(keywords.length).toBeGreaterThan(0);
      // Without an upper limit, a pattern could walk through the text from each of its keywords.
      expect(pattern.source.replaceAll(/\\./g, '').replaceAll(/\[[^\]]*\]/g, 'c')).not.toMatch(
        /[*+]|,\}/,
      );
    }
  });

  it('each find their example, and leave what is nearly like it', () => {
    const named = new Set(defaultRedactionRules.map(({ name }) => name));
    expect(RULE_EXAMPLES.map(([name]) => name)).toEqual([...named].toSorted());
    const wrong = RULE_EXAMPLES.filter(([name, form, harmless], index) => {
      const rules = defaultRedactionRules.filter((rule) => rule.name === name);
      return ![3, 5, 7].every((seed) => {
        const { text, secrets } = fillForm(form, numbersOf(seed * 977 + index));
        const isFound = redact(text, { rules }).redactions.some(({ rule }) => rule === name);
        const { text: clean } = redact(text);
        const isClean = secrets.every((secret) => !clean.includes(secret.slice(-14)));
        return isFound && isClean && redact(harmless, { rules }).text === harmless;
      });
    });
    expect(wrong).toEqual([]);
  });

  it('are added and removed by name', () => {
    const { text: key } = fillForm('gsk_{a52}', numbersOf(3));
    const staff: RedactionRule = { name: 'staff', pattern: /社員-\d{4}/dg };
    const badge: RedactionRule = {
      name: 'badge',
      keywords: ['BADGE-'],
      pattern: /badge-(?<secret>\d{6})/iy,
    };
    const text = `${key} 社員-1234 Badge-123456`;
    expect(redact(text, { rules: { add: [staff, badge] } }).text).toBe(
      '[redacted:groq-key] [redacted:staff] Badge-[redacted:badge]',
    );
    expect(redact(text, { rules: { remove: ['groq-key'] } }).text).toBe(text);
    expect(redact(text, { rules: [staff] }).text).toBe(`${key} [redacted:staff] Badge-123456`);
  });

  it('that are wrong are refused by name', () => {
    expect(() => redact('', { rules: { remove: ['groq'] } })).toThrow(/'groq'/);
    const keyed = { name: 'mine', keywords: ['a'], pattern: /a/dg };
    expect(() => redact('a', { rules: { add: [keyed] } })).toThrow(/rule 'mine'.*'y', and not 'g'/);
    const kanji = { name: 'mine', keywords: ['鍵'], pattern: /鍵/y };
    expect(() => redact('a', { rules: { add: [kanji] } })).toThrow(/rule 'mine'.*ASCII/);
  });
});

describe('keywordsOf', () => {
  it.each([
    [/gh[po]_\w+/, ['ghp_', 'gho_']],
    [/(?:sq0|EA)ab?/, ['sq0a', 'EAa']],
    [/SG\.[\w-]{16}/, ['SG.']],
    [/(?<=(?<from>[a-z]{3}))\.atlasv1\./, ['.atlasv1.']],
  ])('reads what %s begins with', (pattern, keywords) => {
    expect(keywordsOf(pattern)).toEqual(keywords);
  });

  it('refuses a pattern without a literal', () => {
    expect(() => keywordsOf(/\w{3}/)).toThrow(RangeError);
  });
});
