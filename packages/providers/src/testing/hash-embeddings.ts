import type { EmbeddingModel } from '../models/embedding-model.ts';
import { checkOptions } from '../input/check-input.ts';
import { POSITIVE, optional, type Kinds } from '../input/kinds.ts';

/** Options of {@link hashEmbeddings}. */
export interface HashEmbeddingsOptions {
  /** The length of the vectors. Default: 64. */
  readonly dimensions?: number | undefined;
}

const KINDS: Kinds<HashEmbeddingsOptions> = {
  dimensions: optional(POSITIVE),
};

/**
 * Makes an embedding model for tests and demonstrations: each pair of characters is hashed to a
 * dimension and a sign, and the sum has length 1. The same text always gives the same vector, texts
 * that share pairs are near each other, and nothing is known of meaning.
 *
 * Source: Weinberger et al.: Feature Hashing for Large Scale Multitask Learning (ICML 2009).
 */
export function hashEmbeddings(options: HashEmbeddingsOptions = {}): EmbeddingModel {
  checkOptions('hashEmbeddings', options, KINDS);
  const { dimensions = 64 } = options;
  return {
    specVersion: 1,
    provider: 'hash',
    modelId: `hash-${dimensions}`,
    maxBatch: 1000,
    dimensions,
    async embed({ values, signal }) {
      signal?.throwIfAborted();
      return { vectors: values.map((value) => embed(value, dimensions)), usage: {} };
    },
  };
}

function embed(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const characters = Array.from(text.normalize('NFKC').toLowerCase());
  for (const [index, character] of characters.entries()) {
    const hash = fnv1a(character + (characters[index + 1] ?? ''));
    const dimension = hash % dimensions;
    vector[dimension] = (vector[dimension] ?? 0) + (hash >>> 31 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  else for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}

/** Returns the 32-bit FNV-1a hash over UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/). */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
