import { describe, expect, it } from 'vitest';
import { PlainTextChunkingStrategy } from '@vizprompt/rag';
import { chunk } from '../../support/chunk-checks.ts';

const PROSE = '　灯台守の娘は、濡れた石の階段を駆け上がった。';

async function paths(text: string): Promise<readonly string[]> {
  const chunks = await chunk(new PlainTextChunkingStrategy(), text);
  return [...new Set(chunks.map(({ headingPath }) => headingPath.join(' > ')))];
}

describe('a line with a number in a circle', () => {
  const text = (lines: readonly string[]): string =>
    lines.flatMap((line) => [PROSE, line]).join('\n\n') + `\n\n${PROSE}\n`;

  it.each([
    '①いざ、王都へ！',
    '①出発！',
    '①君の名は？',
    '①君が好きだ……',
    '①と金',
    '①は組の生徒',
    '①から騒ぎ',
    '①か弱き花',
    '①もう会えない',
    '①できない',
  ])('names a chapter if the next number does: %s', async (line) => {
    expect(await paths(text([line, '②嵐']))).toEqual(['', line, '②嵐']);
    expect(await paths(text([line, '②嵐が来る！', '③と金']))).toEqual([
      '',
      line,
      '②嵐が来る！',
      '③と金',
    ]);
  });

  it('follows another in any row of Unicode, and with any separator', async () => {
    for (const lines of [
      ['⑳', '㉑と金', '㉒出発！'],
      ['㉟ 嵐', '㊱出発！'],
      ['❿嵐', '⓫と金'],
      ['㊀嵐', '㊁出発！'],
    ]) {
      expect(await paths(text(lines))).toEqual(['', ...lines]);
    }
  });

  it.each([
    ['①を選ぶ', '②を選ぶ'],
    ['①が正解だと彼は言った', '②へ行く？'],
    ['①へ行く？', '③にする！'],
  ])('is no chapter if none of them does: %s, %s', async (...lines) => {
    expect(await paths(text(lines))).toEqual(['']);
  });

  it('is no chapter if it is not the next one', async () => {
    const lines = ['①嵐', '①が正解だと彼は言った', '②凪', '①へ行く？', '②を選ぶ', '③にする！'];
    expect(await paths(text(lines))).toEqual(['', '①嵐', '②凪']);
  });
});
