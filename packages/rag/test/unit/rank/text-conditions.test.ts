import { parseQuery } from '@vizprompt/rag';
import { describe, expect, it } from 'vitest';
import { textConditions } from '../../../src/search/answer-query.ts';

async function accepts(query: string, text: string): Promise<boolean | undefined> {
  const conditions = await textConditions(parseQuery(query));
  return conditions.accepts?.(text, []);
}

describe('a phrase', () => {
  it.each([
    ['嵐の夜', '嵐の\n夜', true],
    ['嵐の夜', '嵐の　\r\n　夜', true],
    ['嵐の夜', '嵐の\u2028\n\u2028夜', true],
    ['嵐の夜', '嵐の 夜', false],
    ['the end', 'The\n  End', true],
    ['嵐 the', '嵐\nThe', true],
    ['嵐the', '嵐\nThe', false],
    ['ＡＢＣ ＤＥＦ', 'ＡＢＣ\nＤＥＦ', true],
    ['第１ 章', '第１\n章', true],
  ])('"%s" is in %j: %s', async (phrase, text, isIn) => {
    expect(await accepts(`"${phrase}"`, text)).toBe(isIn);
  });

  it('is looked for where blank lines are very many', async () => {
    for (const blank of ['\n', '\u2028\n']) {
      expect(await accepts('"灯台"', `嵐。${blank.repeat(400_000)}The End`)).toBe(false);
    }
  });
});
