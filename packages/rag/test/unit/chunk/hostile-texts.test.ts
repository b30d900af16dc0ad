import { describe, expect, it } from 'vitest';
import {
  AozoraChunkingStrategy,
  MarkdownChunkingStrategy,
  PlainTextChunkingStrategy,
  type Chunk,
} from '@vizprompt/rag';
import { firstCharacters } from '../../../src/chunk/source-text.ts';
import { chunk, ownText } from '../../support/chunk-checks.ts';

const markdown = new MarkdownChunkingStrategy();
const plain = new PlainTextChunkingStrategy();
const aozora = new AozoraChunkingStrategy();
const SENTENCE = '嵐の夜、灯台守の娘は階段を駆け上がった。\n';

// Without a cut in linear time the limit of the tier ends them.
describe('texts that were made to take long', () => {
  it.each([
    ['a heading with very many marks', markdown, `# ${'*a'.repeat(10_000)}\n\n本文。`],
    ['such a heading over a rule', markdown, `${'*a'.repeat(10_000)}\n===\n\n本文。`],
    ['a quote that goes on without its mark', markdown, `> x\n${'<y\n'.repeat(8000)}`],
    ['quotes in quotes', markdown, `${'> '.repeat(99)}x\n${'<y\n'.repeat(8000)}`],
    ['lists in lists', markdown, `${'- '.repeat(99)}x\n${'あ\n い\n'.repeat(4000)}`],
    ['sentences without commas', plain, `${'あ'.repeat(300)}。`.repeat(1000)],
    [
      'ruby that is not closed',
      aozora,
      `［＃ここから大見出し］\n${'《'.repeat(20_000)}\n［＃ここで大見出し終わり］\n本文。`,
    ],
  ])('are cut: %s', async (_, strategy, text) => {
    const chunks = await strategy.chunk({ novelId: 'n', filePath: 'a', text });
    const letters = (whole: string) => whole.replaceAll(/\s+/gu, '');
    expect(letters(chunks.map(ownText).join('')) === letters(text)).toBe(true);
  });
});

describe('a very long heading', () => {
  const longest = (chunks: readonly Chunk[]) =>
    Math.max(...chunks.flatMap(({ headingPath }) => headingPath.map(({ length }) => length)));

  it.each([
    ['a chapter over a rule', markdown, `${SENTENCE.repeat(600)}---\n\n本文。`],
    ['a title in front matter', markdown, `---\ntitle: ${'灯'.repeat(500)}\n---\n\n本文。`],
    ['a first line', aozora, `${'灯'.repeat(500)}\n作者\n\n本文。\n\n底本：「霧」`],
    [
      'a block',
      aozora,
      `［＃ここから大見出し］\n${'灯'.repeat(500)}\n［＃ここで大見出し終わり］\n本文。`,
    ],
  ])('is cut in ids, and whole in the text: %s', async (_, strategy, text) => {
    const chunks = await chunk(strategy, text, 'a');
    expect(longest(chunks)).toBe(200);
  });

  it('is cut between characters', async () => {
    const [first] = await chunk(markdown, `# ${'a'.repeat(199)}𠮷野\n\n本文。`);
    expect(first?.title).toBe('a'.repeat(199));
    expect(firstCharacters(`a${'\u3099'.repeat(300)}`, 200)).toHaveLength(200);
    expect(firstCharacters('𠮷野', 3)).toBe('𠮷野');
    expect(firstCharacters('𠮷𠮷', 3)).toBe('𠮷');
  });
});

describe('a mass of blank lines', () => {
  it('is in no chunk', async () => {
    for (const blank of ['\n', '\r\n', '\u2028\n', `${'\u3000'.repeat(60)}\n`]) {
      const text = `一。\n二。${blank.repeat(2000)}嵐。${blank.repeat(2000)}The End`;
      const contents = (await chunk(plain, text)).map(({ content }) => content);
      expect(contents).toEqual(['一。\n二。', '嵐。', 'The End']);
    }
  });

  it('is a mass only where no one sets a text so', async () => {
    const text = `嵐。${'\n'.repeat(200)}The End`;
    expect(await chunk(plain, text)).toHaveLength(1);
  });
});
