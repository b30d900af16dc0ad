import type { Chunk } from '../chunk/chunk.ts';
import { type ChunkTerms, chunkAnalyzer, termsOf } from './analyze-chunk.ts';
import type { Analyzer } from './analyzer.ts';

/** Remembers the terms of chunks, so that they are analyzed once and outside of transactions. */
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
