import type { EmbeddingModel } from '@vizprompt/providers';
import { scriptAnalyzer } from '../../src/testing/index.ts';

/**
 * Returns a model for tests that knows words and nothing else: each word of the suite's analyser has a dimension,
 * so texts are near each other by the words that they share, and at a right angle without any.
 */
export function wordEmbeddings(dimensions = 512): EmbeddingModel {
  const analyzer = scriptAnalyzer();
  const places = new Map<string, number>();
  const placeOf = (word: string): number => {
    const place = places.get(word) ?? (places.size % (dimensions - 1)) + 1;
    places.set(word, place);
    return place;
  };
  return {
    specVersion: 1,
    provider: 'test',
    modelId: 'words',
    maxBatch: 1000,
    dimensions,
    async embed({ values, signal }) {
      signal?.throwIfAborted();
      const vectors = values.map((value) => {
        const vector = new Float32Array(dimensions);
        const words = analyzer.words(value).filter(({ isContent }) => isContent);
        for (const { basic } of words) vector[placeOf(basic)] = 1;
        // The first dimension is that of texts without words.
        if (words.length === 0) vector[0] = 1;
        return vector;
      });
      return { vectors, usage: {} };
    },
  };
}
