import type { SparseVector } from '@vizprompt/providers';
import type { Analyzer } from '../analyze/analyzer.ts';
import { type Chunk, headingsOf } from '../chunk/chunk.ts';
import { WEIGHTS } from '../rank/weights.ts';

/** Content words of a chunk, about; a server cannot know the mean of what will come. */
const USUAL_WORDS = 100;

/**
 * Returns a chunk by its words, for servers that know how rare each is: BM25 without the idf. Terms are numbers
 * by a hash of 32 bits, as servers want them.
 */
export function sparseOfChunk(analyzer: Analyzer, chunk: Chunk): SparseVector {
  const terms = [
    ...termsOf(analyzer, chunk.own),
    ...termsOf(analyzer, headingsOf(chunk).join('\n')),
  ];
  const counts = countTerms(terms);
  const { k1, b } = WEIGHTS;
  const damping = k1 * (1 - b + (b * terms.length) / USUAL_WORDS);
  return sparse(counts, (count) => (count * (k1 + 1)) / (count + damping));
}

/** Returns a question by its words, each once. */
export function sparseOfQuery(analyzer: Analyzer, query: string): SparseVector {
  return sparse(countTerms(termsOf(analyzer, query)), () => 1);
}

function termsOf(analyzer: Analyzer, text: string): readonly string[] {
  return analyzer.words(text).flatMap(({ basic, isContent }) => (isContent ? [basic] : []));
}

function countTerms(terms: readonly string[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const index = fnv1a(term);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}

function sparse(
  counts: ReadonlyMap<number, number>,
  weigh: (count: number) => number,
): SparseVector {
  return { indices: [...counts.keys()], values: [...counts.values()].map(weigh) };
}

/** Returns the 32-bit FNV-1a hash over UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
