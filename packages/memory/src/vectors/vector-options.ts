import { having, type Kinds } from '@vizprompt/providers/config/internal';
import type { EmbeddingModel, VectorStore } from '@vizprompt/providers';
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

export const EMBEDDING_OPTIONS: Kinds<EmbeddingOptions> = {
  model: having('an EmbeddingModel', 'embed', 'modelId'),
  vectors: having('a VectorStore, such as quantizedVectors()', 'upsert', 'query'),
};

/** @throws MemoryError `invalid-input` for a model and a store that do not go together. */
export function assertEmbeddings(options: EmbeddingOptions): void {
  const { model, vectors } = options;
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
