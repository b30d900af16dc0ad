import { describe, expect, it } from 'vitest';
import { PlainTextChunkingStrategy } from '@vizprompt/rag';
import { chunk } from '../../support/chunk-checks.ts';

const PROSE = '　灯台守の娘は、濡れた石の階段を駆け上がった。';

/** The paths of the headings of a text, one for each section. */
async function paths(text: string): Promise<readonly string[]> {
  const chunks = await chunk(new PlainTextChunkingStrategy(), text);
  return [...new Set(chunks.map(({ headingPath }) => headingPath.join(' > ')))];
}

describe('a heading with a number', () => {
  it.each([
    '１　とどのつまり',
    '１　のどの渇き',
    '２　はこの中',
    '１　はいいろの空',
    '３　がまんできない',
    '２　できない',
    '２　でたらめだ',
    '２　がちゃがちゃだよ',
    '３　かこの記憶',
    '１　なら漬け',
    '１　なら県',
    '２　へんだよ',
    '１　とはいえ',
    '２　とは何か',
    '２　にもつ',
    '３　にもの',
    '３　とのさま',
    '１　へもどる',
    '３　では',
    '１　が消えた日',
    '２　と僕',
    '３　でんしゃだよ',
    '１　をさなき日',
    '１　一、二の三',
  ])('may begin as the end of a sentence does: %s', async (title) => {
    const text = [PROSE, title, PROSE].join('\n\n');
    expect(await paths(text)).toEqual(['', title.replace('　', ' ')]);
  });

  it.each([
    ['Lv：5', 'HP：30'],
    ['Title: The Lamp', 'Chapter: 4'],
    ['エピソード：3', '視聴率：5'],
    ['Author: nobody', 'Volume：2', 'Pages: 12'],
  ])('is no field in a row of them: %s, %s', async (...fields) => {
    const text = [PROSE, fields.join('\n'), PROSE].join('\n\n');
    expect(await paths(text)).toEqual(['']);
  });
});

describe('a line that is counted', () => {
  it.each([
    ['第一の手紙', '第二の手紙'],
    ['第一の扉', '第二の殺人'],
    ['一通目', '二通目'],
    ['1本目', '2本目'],
    ['I. THE STORM', 'II. THE KEY'],
    ['V. THE STORM', 'VI. THE KEY'],
  ])('is %s in a text with %s, or at its beginning', async (first, second) => {
    const text = [PROSE, first, PROSE, second, PROSE];
    expect(await paths(text.join('\n\n'))).toEqual(['', first, second]);
    expect(await paths([first, PROSE].join('\n\n'))).toEqual([first]);
  });

  it.each(['◆第三の男', '【第三の扉】', '■ 三本目', '〈一通目〉'])(
    'is one heading of a text if it is marked: %s',
    async (line) => {
      const title = line.replace(/[◆【】■〈〉 ]/gu, '');
      expect(await paths([PROSE, line, PROSE].join('\n\n'))).toEqual(['', title]);
    },
  );

  it('is one heading of a text after another one', async () => {
    const text = [PROSE, '第三章', '第三の男', PROSE].join('\n\n');
    expect((await paths(text)).join()).toContain('第三の男');
  });

  it('is none that is said twice', async () => {
    expect(await paths([PROSE, '第一の男', PROSE, '第一の男', PROSE].join('\n\n'))).toEqual(['']);
  });
});
