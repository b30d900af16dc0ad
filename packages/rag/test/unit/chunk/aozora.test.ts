import { describe, expect, it } from 'vitest';
import { AozoraChunkingStrategy, AutoChunkingStrategy } from '@vizprompt/rag';
import { chunk } from '../../support/chunk-checks.ts';
import { AOZORA, chapter, NOTES } from '../../support/sample-texts.ts';

describe('AozoraChunkingStrategy', () => {
  it('finds title, parts and edition, and keeps ruby and annotations', async () => {
    const chunks = await chunk(new AozoraChunkingStrategy(), AOZORA, 'a.txt');
    expect(chunks.map(({ headingPath }) => headingPath.slice(1).join('/'))).toEqual([
      '',
      '第一部 霧/一',
      '第一部 霧/二 古い手紙',
      '第二部 夜',
      '第二部 夜/鍵',
      '底本',
    ]);
    for (const { headingPath } of chunks) expect(headingPath[0]).toBe('灯台の島');
    expect(chunks[1]?.content).toContain('灯台《とうだい》');
    expect(chunks[1]?.content).toContain('［＃「深い」に傍点］');
    expect(chunks[0]?.startLine).toBe(1);
    expect(chunks[0]?.content).toContain('北｜岬《みさき》');
  });

  it('does without legend, edition or headings', async () => {
    const strategy = new AozoraChunkingStrategy();
    const body = chapter(3000, 7).join('\n');
    const bare = await chunk(strategy, body, 'a.txt');
    expect(bare.every(({ headingPath }) => headingPath.length === 0)).toBe(true);
    const framed = await chunk(strategy, `霧の港\n試作太郎\n\n\n${body}\n\n底本：「霧」`, 'a.txt');
    expect(framed[0]?.content).toBe('霧の港\n試作太郎');
    expect(framed.at(-1)?.headingPath).toEqual(['霧の港', '底本']);
  });

  it('leaves run-in headings in their line', async () => {
    const text =
      '一［＃「一」は同行大見出し］　本文が続く。\n次の行。\n［＃窓小見出し］二［＃窓小見出し終わり］　本文。';
    const chunks = await chunk(new AozoraChunkingStrategy(), text, 'a.txt');
    expect(chunks.map(({ title }) => title)).toEqual(['一', '二']);
  });
});

describe('AutoChunkingStrategy', () => {
  it('chooses by the name of the file, then by the marks in the text', () => {
    const auto = new AutoChunkingStrategy();
    const kind = (filePath: string, text: string) =>
      auto.strategyFor({ filePath, text }).id.split('-')[0];
    expect(kind('a/b.MD', NOTES)).toBe('markdown');
    expect(kind('a/b.txt', AOZORA)).toBe('aozora');
    expect(kind('a/b.txt', chapter(2000, 1).join('\n'))).toBe('plain');
    expect(kind('README', '# 見出し')).toBe('plain');
  });

  it('cuts as the strategy that it chose', async () => {
    const auto = new AutoChunkingStrategy({ maxTokens: 200 });
    const chunks = await chunk(auto, AOZORA, 'a.txt');
    expect(chunks.at(-1)?.title).toBe('底本');
    expect(auto.id).toContain('200');
  });
});
