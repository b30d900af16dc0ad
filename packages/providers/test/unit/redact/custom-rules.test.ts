import { redact, type RedactionRule } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';

/** A keyword is met more often than its patterns are tried without preparation. */
const OFTEN = 100;

function ruleOf(pattern: RegExp, ...keywords: readonly string[]): RedactionRule {
  return { name: 'own', pattern, keywords };
}

describe('a rule of a caller', () => {
  it.each([
    [/zz-\p{L}{4}[0-9]{4}/uy, 'zz-abcd1234'],
    [/zz-[\p{L}]{4}[0-9]{4}/uy, 'zz-abcd1234'],
    [new RegExp('zz-[[a-c]--[b]]{4}[0-9]{4}', 'vy'), 'zz-acca1234'],
    [new RegExp('zz-[[a-c][x-z]]{4}[0-9]{4}', 'vy'), 'zz-axby1234'],
    [/zz-\u{61}bcd[0-9]{4}/uy, 'zz-abcd1234'],
    [/zz-[k]{4}[0-9]{4}/iuy, 'zz-\u212akkk1234'],
    [/zz-\cJabcd[0-9]{4}/y, 'zz-\nabcd1234'],
    [/zz-.abcd[0-9]{4}/sy, 'zz-\nabcd1234'],
    [/zz-(?<ключ>[a-d])[b-d]{3}[0-9]{4}/y, 'zz-abcd1234'],
    [/zz-(?<é>[a-d])\k<é>[b-d]{3}[0-9]{4}/y, 'zz-aabcd1234'],
    [/zz-(?:[a-d]{4}|[^]){1,2}[0-9]{4}/y, 'zz-abcd1234'],
  ])('is tried at each place of its keyword: %s', (pattern, secret) => {
    const rules = { add: [ruleOf(pattern, 'zz-')] };
    for (let call = 0; call < OFTEN; call++) {
      expect(redact(`the code is ${secret} here`, { rules }).text).toBe(
        'the code is [redacted:own] here',
      );
    }
  });

  it('may have flags in a part of its pattern, where the runtime knows them', () => {
    const pattern = modified('zz-(?i:abcd)[0-9]{4}');
    if (!pattern) return;
    const rules = { add: [ruleOf(pattern, 'zz-')] };
    for (let call = 0; call < OFTEN; call++)
      expect(redact('zz-ABcd1234', { rules }).text).toBe('[redacted:own]');
  });

  it('finds its secret after groups with names of any letters', () => {
    const pattern = /zz-(?<ключ>[a-d]{4})-(?<secret>[0-9]{4})/y;
    expect(redact('zz-abcd-1234', { rules: [ruleOf(pattern, 'zz-')] }).text).toBe(
      'zz-abcd-[redacted:own]',
    );
  });

  it('is tried however many others have its keyword', () => {
    const rules = Array.from({ length: 40 }, (_, number) => ({
      ...ruleOf(new RegExp(`zz-${number}-[a-d]{4}`, 'y'), 'zz-'),
      name: `own-${number}`,
    }));
    for (let call = 0; call < OFTEN; call++) {
      const number = call % rules.length;
      expect(redact(`zz-${number}-abcd`, { rules }).text).toBe(`[redacted:own-${number}]`);
    }
  });

  it.each([
    [['ab-', 'ab-xy-'], 'ab-xy-1234567890'],
    [['ab-', 'ab-xy-'], 'ab-1234567890'],
    [['ab-'], 'ab-xy-1234567890'],
  ])('may have keywords that begin with another: %j finds %s', (keywords, secret) => {
    const rules = [ruleOf(/(?:ab-|ab-xy-)[0-9]{10}/y, ...keywords)];
    expect(redact(secret, { rules }).text).toBe('[redacted:own]');
  });

  it('may have a keyword that a class begins in', () => {
    const rules = [ruleOf(/(?:ab-|ab-x)[x0-9]{1}/y, 'ab-x')];
    expect(redact('ab-x.', { rules }).text).toBe('[redacted:own].');
  });

  it.each(['mayFollow', 'is', 'accepts', 'find', 'secretAfter', 'secretsAfter', 'skim'] as const)(
    'must have a function as %s',
    (member) => {
      const rule = { ...ruleOf(/zz-[0-9]{4}/y, 'zz-'), [member]: true };
      expect(() => redact('nothing of it', { rules: [rule] })).toThrow(
        `the redaction rule 'own': expected a function as '${member}', got boolean`,
      );
    },
  );

  it('must have keywords if it has mayFollow', () => {
    const rule = { name: 'own', pattern: /zz-[0-9]{4}/dg, mayFollow: () => false };
    expect(() => redact('nothing of it', { rules: [rule] })).toThrow(
      "the redaction rule 'own': expected 'keywords' next to 'mayFollow'",
    );
    expect(redact('zz-1234', { rules: [{ ...rule, mayFollow: undefined }] }).text).toBe(
      '[redacted:own]',
    );
  });

  // A time that is exponential in the groups is minutes.
  it('is prepared in linear time', () => {
    const pattern = new RegExp(`zz-${'(?:a|b)'.repeat(32)}[^ ]{4}`, 'y');
    const secret = `zz-${'ab'.repeat(16)}!!!!`;
    expect(redact(secret, { rules: [ruleOf(pattern, 'zz-')] }).text).toBe('[redacted:own]');
  });
});

/** Node 20 does not know flags in a part. */
function modified(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'y');
  } catch {
    return undefined;
  }
}
