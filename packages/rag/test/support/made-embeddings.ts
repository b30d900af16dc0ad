import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '@vizprompt/providers';

const DIMENSIONS = 64;

/** Returns the same vector for the same text, which says nothing about it. */
function noiseOf(text: string): Float32Array {
  const bytes = [0, 1, 2, 3].flatMap((part) => [
    ...createHash('sha256')
      .update(`${part} ${text}`)
      .digest()
      .subarray(0, DIMENSIONS / 4),
  ]);
  return Float32Array.from(bytes, (byte) => byte - 127.5);
}

/**
 * Returns a model for tests whose vectors are noise, but for the texts that `meaningOf` maps to one meaning.
 *
 * @param meaningOf - Gives texts that are to be near each other the same name.
 */
export function madeEmbeddings(
  meaningOf: (text: string) => string = (text) => text,
  seed = 0,
): EmbeddingModel {
  return {
    specVersion: 1,
    provider: 'test',
    modelId: `made-${seed}`,
    maxBatch: 1000,
    dimensions: DIMENSIONS,
    embed: ({ values }) =>
      Promise.resolve({
        vectors: values.map((value) => noiseOf(`${seed} ${meaningOf(value)}`)),
        usage: {},
      }),
  };
}
