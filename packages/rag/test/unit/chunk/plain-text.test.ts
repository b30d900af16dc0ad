import { describe, expect, it } from 'vitest';
import { type Chunk, PlainTextChunkingStrategy, RagError } from '@vizprompt/rag';
import { sentenceEnds } from '../../../src/chunk/source-text.ts';
import { chunk, expectSizes, ownText } from '../../support/chunk-checks.ts';
import { chapter } from '../../support/sample-texts.ts';

const strategy = new PlainTextChunkingStrategy();

describe('PlainTextChunkingStrategy', () => {
  it('cuts at the ends of paragraphs where it can', async () => {
    const chunks = await chunk(strategy, chapter(13_000, 2).join('\n'));
    expectSizes(chunks);
    const atLines = chunks.filter((piece) => /^(?:　|「)/u.test(ownText(piece)));
    expect(chunks.length).toBeGreaterThan(20);
    expect(atLines.length).toBeGreaterThan(chunks.length / 2);
  });

  it('makes chunks of three quarters of the size on average, and no tiny rest', async () => {
    const chunks = await chunk(
      new PlainTextChunkingStrategy({ overlap: 0 }),
      chapter(40_000, 4).join('\n'),
    );
    const mean = chunks.reduce((sum, { content }) => sum + content.length, 0) / chunks.length;
    expect(mean).toBeGreaterThan(280);
    for (const { content } of chunks) expect(content.length).toBeGreaterThan(80);
  });

  it('cuts one enormous sentence at commas, and without them between characters', async () => {
    const commas = await chunk(strategy, '長い文が続いて、'.repeat(2000));
    for (const piece of commas.slice(0, -1)) expect(ownText(piece)).toMatch(/、$/u);
    expectSizes(commas);
    expectSizes(await chunk(strategy, '漢'.repeat(5000)));
    expectSizes(await chunk(strategy, 'a'.repeat(50_000)));
    const words = await chunk(strategy, 'lorem ipsum dolor sit amet '.repeat(900));
    for (const piece of words) expect(ownText(piece)).toMatch(/^(?:lorem|ipsum|dolor|sit|amet)\b/);
    expect(ownText(words[0] as Chunk).length).toBeGreaterThan(700);
  });

  it('never cuts inside what a reader sees as one character', async () => {
    const family = '👩‍👩‍👧‍👦';
    const text = `${family}が👍🏽🇯🇵か\u3099é1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿`.repeat(60);
    const segmenter = new Intl.Segmenter('ja');
    const borders = new Set([...segmenter.segment(text)].map(({ index }) => index));
    let at = 0;
    const small = new PlainTextChunkingStrategy({ overlap: 0, maxTokens: 60 });
    const chunks = await chunk(small, text);
    expect(chunks.length).toBeGreaterThan(10);
    for (const { content } of chunks) {
      at = text.indexOf(content, at);
      expect(borders.has(at)).toBe(true);
      at += content.length;
    }
  });

  it.each([
    ['「行こう。」と言った。「うん」', ['「行こう。」と言った。', '「うん」']],
    ['彼は「もう行く。もう来ない。」と', ['彼は「もう行く。', 'もう来ない。」と']],
    ['「はい」「いいえ」', ['「はい」', '「いいえ」']],
    ['えっ！と声が出た。本当？！　嘘だ。', ['えっ！と声が出た。', '本当？！　', '嘘だ。']],
    ['終わり。［＃「終わり」に傍点］次。', ['終わり。［＃「終わり」に傍点］', '次。']],
    [
      'It was 3.14. Mr. Smith left. "Why?" he said.',
      ['It was 3.14. ', 'Mr. Smith left. ', '"Why?" ', 'he said.'],
    ],
    ['J. R. R. Tolkien wrote e.g. this.', ['J. R. R. Tolkien wrote e.g. this.']],
    ['See https://example.com/?q=1.2 now! Yes.', ['See https://example.com/?q=1.2 now! ', 'Yes.']],
    ['なに?本当!そう.', ['なに?', '本当!', 'そう.']],
    ['', []],
  ])('finds the sentences of %s', (line, sentences) => {
    const ends = [...sentenceEnds(line), line.length];
    const found = ends.map((end, index) => line.slice(ends[index - 1] ?? 0, end));
    expect(found.filter((text) => text !== '')).toEqual(sentences);
  });

  it('numbers equal chunks of one document', async () => {
    const same = `${'同じ文。'.repeat(60)}\n\n\n`;
    const chunks = await chunk(new PlainTextChunkingStrategy({ overlap: 0 }), same.repeat(6));
    expect(new Set(chunks.map(({ content }) => content)).size).toBeLessThan(chunks.length);
    expect(chunks.some(({ id }) => id.endsWith('~1'))).toBe(true);
  });

  it('takes another counter, and names it in its id', async () => {
    const characters = { count: (text: string) => ({ tokens: text.length, exact: true }) };
    const small = new PlainTextChunkingStrategy({
      maxTokens: 100,
      overlap: 0,
      counter: characters,
      counterId: 'characters',
    });
    const chunks = await chunk(small, chapter(4000, 6).join('\n'));
    for (const { content } of chunks) expect(content.length).toBeLessThanOrEqual(100);
    expect(small.id).toContain('characters');
    expect(small.id).not.toBe(strategy.id);
  });

  it('refuses sizes that make no sense', () => {
    for (const options of [
      { maxTokens: 5 },
      { maxTokens: NaN },
      { overlap: 0.9 },
      { overlap: -1 },
    ]) {
      expect(() => new PlainTextChunkingStrategy(options)).toThrow(RagError);
    }
  });
});
