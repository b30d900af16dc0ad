import type { EmbeddingModel, VectorStore } from '@vizprompt/providers';
import { assertKnownKeys } from '../check-values.ts';
import { MemoryError } from '../errors.ts';

/** How events are found by meaning, too. */
export interface EmbeddingOptions {
  /** Makes the vectors: of events in the background, of a question while it is answered. */
  readonly model: EmbeddingModel;
  /**
   * Keeps the vectors of this memory, and of nothing else, such as
   * `quantizedVectors({ database: storage.cache, ... })` or `pgvectorStore(...)`. It stays open when the
   * memory is closed. One that lost its vectors is filled again.
   */
  readonly vectors: VectorStore;
}

/** @throws MemoryError `invalid-input` for a model and a store that do not go together. */
export function assertEmbeddings(options: EmbeddingOptions): void {
  assertKnownKeys('embeddings', options, ['model', 'vectors']);
  const { model, vectors }: Partial<EmbeddingOptions> = options;
  if (typeof model?.embed !== 'function' || typeof vectors?.upsert !== 'function') {
    throw new MemoryError('invalid-input', "embeddings need a 'model' and a store for 'vectors'");
  }
  if (model.dimensions === undefined || model.dimensions === vectors.dimensions) return;
  throw new MemoryError('invalid-input', mismatch(options, model.dimensions));
}

/** Says that vectors do not fit into their store. */
export function mismatch({ model, vectors }: EmbeddingOptions, dimensions: number): string {
  return (
    `${nameOf(model)} makes vectors of ${dimensions} dimensions, and the store holds those of ` +
    `${vectors.dimensions}: make the store for this model`
  );
}

/** A model, as the memory and its messages know it. */
export function nameOf({ provider, modelId }: EmbeddingModel): string {
  return `${provider}:${modelId}`;
}
