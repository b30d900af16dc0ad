import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Analyzer } from '../../src/analyze/analyzer.ts';
import { bigramAnalyzer } from '../../src/analyze/bigram-analyzer.ts';
import { segmenterAnalyzer } from '../../src/analyze/segmenter-analyzer.ts';
import { BookChunkingStrategy } from '../../src/chunk/book-chunking-strategy.ts';
import type { ChunkingStrategy } from '../../src/chunk/chunking-strategy.ts';
import { PlainTextChunkingStrategy } from '../../src/chunk/plain-text-chunking-strategy.ts';
import { openCompact } from '../support/compact-analyzer.ts';

/** One of each kind that an analyzer treats in its own way, in words that every version of ICU cuts alike. */
const WORDS =
  '第 十二 章 髙橋 けふ 思ふ がくかう 子ども ため息 ヴァイオリン ラーメン 预购 예쁜 ｜黄昏《たそがれ》 [漢字]{かんじ} **強** 2025年 storms';
const LINES =
  '# 第一部\n第一章　嵐\n嵐が来た。\n\n第廿一話\n\n港。\n\n1\n\n箱。\n\n①鍵\n\n鍵。\n\n一本目\n\n朝。\n\n◆灯\n\n終わり。\n';

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);

/**
 * An index is rebuilt if its ids are not those of the program. If one of these fails, the words or cuts of a text have
 * changed: raise the version in the id, and write the new pair here.
 */
describe('an id names the words or cuts of a text', () => {
  it.each<[string, string, () => Analyzer | Promise<Analyzer>]>([
    ['bigram-9', 'b798e0cc154f', bigramAnalyzer],
    ['segmenter-9', 'abd163018724', segmenterAnalyzer],
    ['words-12', '167ef5e7b16e', openCompact],
  ])('%s: %s', async (version, words, make) => {
    const analyzer = await make();
    expect(analyzer.id.split('/')).toContain(version);
    expect(digest(analyzer.words(WORDS))).toBe(words);
  });

  it.each<[string, string, ChunkingStrategy]>([
    ['plain-10', '4e710dba23f8', new PlainTextChunkingStrategy()],
    ['plain-3', '3d4e9665c588', new PlainTextChunkingStrategy({ chapters: false })],
    ['book-9', '49c426711060', new BookChunkingStrategy()],
    ['book-3', '47b8a4d4fc6c', new BookChunkingStrategy({ chapters: false })],
  ])('%s: %s', async (version, cuts, strategy) => {
    expect(strategy.id.split('(')[0]).toBe(version);
    const chunks = await strategy.chunk({ novelId: 'p', filePath: 'a.txt', text: LINES });
    const places = chunks.map(({ startLine, endLine, headingPath }) => [
      startLine,
      endLine,
      headingPath,
    ]);
    expect(digest(places)).toBe(cuts);
  });
});
