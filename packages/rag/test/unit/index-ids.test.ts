import { describe, expect, it } from 'vitest';
import { bigramAnalyzer } from '../../src/analyze/bigram-analyzer.ts';
import { segmenterAnalyzer } from '../../src/analyze/segmenter-analyzer.ts';
import { BookChunkingStrategy } from '../../src/chunk/book-chunking-strategy.ts';
import { PlainTextChunkingStrategy } from '../../src/chunk/plain-text-chunking-strategy.ts';

describe('an index of a version with other words or cuts', () => {
  // These ids were of versions that read 예쁜, [漢字]{かんじ} and 第廿一話 otherwise.
  it.each([
    [bigramAnalyzer(), /^bigram-[1-7]$/],
    [segmenterAnalyzer(), /^segmenter-[1-7]\//],
    [new PlainTextChunkingStrategy(), /^plain-[1-7]\(/],
    [new BookChunkingStrategy(), /^book-[1-6]\(/],
  ])('is made again: %s', ({ id }, before) => {
    expect(id).not.toMatch(before);
  });

  it('keeps the cuts of plain text without chapters', () => {
    expect(new PlainTextChunkingStrategy({ chapters: false }).id).toMatch(/^plain-3\(/);
  });
});
