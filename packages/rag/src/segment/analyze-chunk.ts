import type { Analyzer, Word } from '../analyze/analyzer.ts';
import type { Chunk } from '../chunk/chunk.ts';
import type { AnalyzedChunk } from './segment-builder.ts';

/** How many titles are remembered. */
const REMEMBERED = 1000;

/** Finds the words of chunks; those of titles, which many chunks share, once. */
export function chunkAnalyzer(analyzer: Analyzer): (chunk: Chunk) => AnalyzedChunk {
  const titles = new Map<string, readonly Word[]>();

  function titleWords({ title, headingPath }: Chunk): readonly Word[] {
    const text = (headingPath.includes(title) ? headingPath : [...headingPath, title]).join('\n');
    let words = titles.get(text);
    if (!words) {
      if (titles.size >= REMEMBERED) titles.clear();
      words = analyzer.words(text);
      titles.set(text, words);
    }
    return words;
  }

  return (chunk) => {
    return { chunk, words: analyzer.words(chunk.content), titleWords: titleWords(chunk) };
  };
}
