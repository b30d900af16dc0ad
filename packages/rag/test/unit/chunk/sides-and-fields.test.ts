import { expect, it } from 'vitest';
import { PlainTextChunkingStrategy } from '@vizprompt/rag';
import { chunk } from '../../support/chunk-checks.ts';

const PROSE = '　灯台守の娘は、濡れた石の階段を駆け上がった。';

async function paths(text: string): Promise<readonly string[]> {
  const chunks = await chunk(new PlainTextChunkingStrategy(), text);
  return [...new Set(chunks.map(({ headingPath }) => headingPath.join(' > ')))];
}

it.each([
  '第廿一話 港',
  '一ノ二',
  'サイド：アリス',
  'SIDE-A',
  '※アリス視点',
  'Another side',
  'Last episode',
  'Extra 1',
  'Night 2',
])('%s between blank lines is a heading', async (line) => {
  expect(await paths(`${PROSE}\n\n${line}\n\n${PROSE}\n`)).toEqual(['', line]);
});

it.each(['After that he left', 'Final answer', 'side-by-side', 'サイドテーブル'])(
  '%s is none',
  async (line) => {
    expect(await paths(`${PROSE}\n\n${line}\n\n${PROSE}\n`)).toEqual(['']);
  },
);

it.each(['Level-5', 'LV-99', 'Stage-3', 'Part-2'])('%s is none in a row', async (line) => {
  expect(await paths(`${PROSE}\n\n${line}\nHP-30\n\n${PROSE}\n`)).toEqual(['']);
  expect(await paths(`${PROSE}\n\n${line}\n\n${PROSE}\n`)).toEqual(['', line]);
});
