import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Analyzer, Word } from '../src/analyze/analyzer.ts';
import { Chunk } from '../src/chunk/chunk.ts';
import type { ChunkingStrategy } from '../src/chunk/chunking-strategy.ts';
import { SegmentBackend, type SegmentBackendOptions } from '../src/backends/segment-backend.ts';

/** A folder that is deleted when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rag-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const WORD = /\p{sc=Han}+|\p{sc=Hiragana}+|\p{sc=Katakana}+|[\p{L}\p{N}]+|[^\s]/gu;

/** Cuts where the script changes: enough for tests of the index, without a dictionary. */
export function scriptAnalyzer(id = 'script-1'): Analyzer {
  const words = (text: string): readonly Word[] =>
    [...text.matchAll(WORD)].map(({ 0: word, index }) => {
      const basic = word.normalize('NFKC').toLowerCase();
      const isContent =
        /[\p{sc=Han}\p{sc=Katakana}\p{L}\p{N}]/u.test(word) && !/^[ぁ-ん]{1,2}$/u.test(word);
      const end = index + word.length;
      return { start: index, end, basic, reading: '', pos: '', isContent };
    });
  return {
    specVersion: 1,
    id,
    words,
    readings: (basic) => (/^[ぁ-んァ-ヶー]+$/u.test(basic) ? [basic] : []),
    analyze: (text) =>
      words(text)
        .filter(({ isContent }) => isContent)
        .map(({ basic, start, end }, position) => ({ text: basic, start, end, position })),
  };
}

/** A chunk for each paragraph. */
export const paragraphs: ChunkingStrategy = {
  id: 'paragraphs-1',
  chunk({ novelId, filePath, text, tags = [] }) {
    const seen = new Map<string, number>();
    const chunks: Chunk[] = [];
    let line = 1;
    for (const part of text.split('\n\n')) {
      const height = part.split('\n').length;
      const place = { startLine: line, endLine: line + height - 1, chunkIndex: chunks.length };
      const ordinal = seen.get(part) ?? 0;
      seen.set(part, ordinal + 1);
      const what = { title: '', content: part, filePath, novelId, tags };
      if (part.trim() !== '') chunks.push(new Chunk({ ...what, ...place }, ordinal));
      line += height + 1;
    }
    return Promise.resolve(chunks);
  },
};

/** An index of its own, closed when the test is over. */
export async function openBackend(
  options: Partial<SegmentBackendOptions> = {},
): Promise<SegmentBackend> {
  const backend = await SegmentBackend.open({
    folder: temporaryFolder(),
    analyzer: scriptAnalyzer(),
    chunking: paragraphs,
    ...options,
  });
  onTestFinished(() => backend.close());
  return backend;
}
