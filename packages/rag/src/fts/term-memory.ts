import type { Analyzer } from '../analyze/analyzer.ts';
import { chunkAnalyzer } from '../analyze/analyze-chunk.ts';
import { termsOf, type ChunkTerms } from '../analyze/chunk-terms.ts';
import type { Chunk } from '../chunk/chunk.ts';

/** Remembers the terms of chunks, so that they are analysed once and outside of transactions. */
export class TermMemory {
  readonly #analyze: ReturnType<typeof chunkAnalyzer>;
  readonly #known = new Map<Chunk, ChunkTerms>();

  constructor(analyzer: Analyzer) {
    this.#analyze = chunkAnalyzer(analyzer);
  }

  termsOf(chunk: Chunk): ChunkTerms {
    let terms = this.#known.get(chunk);
    terms ??= termsOf(this.#analyze(chunk));
    this.#known.set(chunk, terms);
    return terms;
  }
}
