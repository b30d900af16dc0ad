import type { Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { EmbeddingModel, EmbeddingRequest } from '../models/embedding-model.ts';
import { guardCall, type ModelDefinition } from './define-model.ts';
import type { Wire } from './wire.ts';

/** The vectors of one batch, in the order of its values. */
export interface EmbeddedBatch {
  readonly vectors: readonly (readonly number[])[];
  readonly inputTokens?: number | undefined;
}

/** What an adapter for embeddings tells of itself. */
export interface EmbeddingDefinition extends Pick<
  ModelDefinition,
  'identity' | 'fetch' | 'readFailure' | 'advise'
> {
  readonly maxBatch: number;
  readonly dimensions?: number | undefined;
  embedBatch(
    values: readonly string[],
    kind: NonNullable<EmbeddingRequest['kind']>,
    wire: Wire,
  ): Promise<EmbeddedBatch>;
}

/** Makes an embedding model: batches one after the other, and every vector looked at. */
export function defineEmbeddings(definition: EmbeddingDefinition): EmbeddingModel {
  const { identity, maxBatch, dimensions } = definition;
  if (!Number.isSafeInteger(maxBatch) || maxBatch < 1) {
    throw new RangeError(`maxBatch must be a whole number from 1 on, not ${maxBatch}`);
  }
  return {
    specVersion: 1,
    provider: identity.provider,
    modelId: identity.modelId,
    maxBatch,
    ...(dimensions === undefined ? {} : { dimensions }),
    async embed({ values, kind = 'document', signal }) {
      const vectors: Float32Array[] = [];
      let inputTokens: number | undefined;
      for (let at = 0; at < values.length; at += maxBatch) {
        // Providers refuse an empty text; a space stands in for it.
        const batch = values.slice(at, at + maxBatch).map((value) => value || ' ');
        const embedded = await guardCall(definition, signal ? { signal } : {}, async (wire) => {
          const found = await definition.embedBatch(batch, kind, wire);
          checkVectors(found.vectors, batch.length, vectors[0]?.length ?? dimensions);
          return found;
        });
        for (const vector of embedded.vectors) vectors.push(Float32Array.from(vector));
        if (embedded.inputTokens !== undefined) {
          inputTokens = (inputTokens ?? 0) + embedded.inputTokens;
        }
      }
      const usage: Usage = inputTokens === undefined ? {} : { inputTokens };
      return { vectors, usage };
    },
  };
}

/** A server that answers in another form than it was asked for gives numbers, but not vectors. */
function checkVectors(
  vectors: EmbeddedBatch['vectors'],
  count: number,
  length: number | undefined,
): void {
  const fail = (problem: string): never => {
    throw new LLMError('bad_response', `the vectors are not what was asked for: ${problem}`);
  };
  if (vectors.length !== count) fail(`${vectors.length} for ${count} texts`);
  const expected = length ?? vectors[0]?.length ?? 0;
  if (expected === 0) fail('they are empty');
  for (const vector of vectors) {
    if (vector.length !== expected) fail(`${vector.length} numbers instead of ${expected}`);
    if (!vector.every(Number.isFinite)) fail('not all of it is numbers');
  }
}
