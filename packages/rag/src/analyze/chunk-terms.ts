import type { AnalyzedChunk } from './analyze-chunk.ts';

/** A content word of a chunk: where it stands, and what it is found by. */
interface TermWord {
  readonly start: number;
  readonly end: number;
  /** The basic form, then further terms; each once. */
  readonly terms: readonly string[];
}

/** What a chunk is found by. */
export interface ChunkTerms {
  readonly words: readonly TermWord[];
  /** Of the words of title and headings. */
  readonly titles: readonly string[];
}

/** The terms of a chunk in order, as often as it has them. */
export function termsOf({ words, titleWords }: AnalyzedChunk): ChunkTerms {
  return {
    words: words
      .filter(({ isContent }) => isContent)
      .map(({ start, end, basic, extra }) => {
        return { start, end, terms: extra ? [...new Set([basic, ...extra])] : [basic] };
      }),
    titles: titleWords
      .filter(({ isContent }) => isContent)
      .flatMap(({ basic, extra = [] }) => [...new Set([basic, ...extra])]),
  };
}
