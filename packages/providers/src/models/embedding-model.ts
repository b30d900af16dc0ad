import type { Usage } from './events.ts';

/** The texts to embed. */
export interface EmbeddingRequest {
  /** Any number of texts; the model splits them into batches of at most `maxBatch`. */
  readonly values: readonly string[];
  /** Some models embed questions and documents differently. Default: `'document'`. */
  readonly kind?: 'query' | 'document' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One vector for each value, in the same order. */
export interface EmbeddingResult {
  readonly vectors: readonly Float32Array[];
  readonly usage: Usage;
}

/** A model that turns texts into vectors. */
export interface EmbeddingModel {
  readonly specVersion: 1;
  readonly provider: string;
  readonly modelId: string;
  /** How many values the provider takes at once. */
  readonly maxBatch: number;
  /** The length of the vectors, where it is known before the first call. */
  readonly dimensions?: number;

  /** @throws LLMError */
  embed(request: EmbeddingRequest): Promise<EmbeddingResult>;
}
