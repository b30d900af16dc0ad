import type { EmbeddingModel } from '../models/embedding-model.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { defineEmbeddings } from '../adapter-kit/embed-batches.ts';
import { type Kinds, optional, POSITIVE } from '../input/kinds.ts';
import {
  clientFor,
  CONNECTION,
  type GeminiConnection,
  readFailure,
  resolveGemini,
} from './options.ts';

/** Options of `geminiEmbeddings`. */
export interface GeminiEmbeddingsOptions extends GeminiConnection {
  /** The length of the vectors, for models that can shorten them. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** How many texts go into one call. Default: 100, which is what Gemini takes. */
  readonly maxBatch?: number | undefined;
  /**
   * How many tokens, as they are estimated, go into one call; a text that has more goes alone. Default: no limit. A batch
   * that the server calls too large is halved in any case.
   */
  readonly maxBatchTokens?: number | undefined;
}

const OPTIONS: Kinds<GeminiEmbeddingsOptions> = {
  ...CONNECTION,
  dimensions: optional(POSITIVE),
  maxBatch: optional(POSITIVE),
  maxBatchTokens: optional(POSITIVE),
};

/**
 * Embeddings of Google's Gemini API. Queries and documents are distinguished by the task type.
 *
 * @example
 * ```ts
 * const embeddings = geminiEmbeddings({ model: 'gemini-embedding-001', dimensions: 768 });
 * ```
 */
export function geminiEmbeddings(options: GeminiEmbeddingsOptions): EmbeddingModel {
  const {
    model,
    dimensions,
    maxBatch = 100,
    maxBatchTokens,
  } = checkOptions('geminiEmbeddings', options, OPTIONS);
  const connection = resolveGemini(options);
  return defineEmbeddings({
    identity: connection.identity,
    fetch: options.fetch,
    readFailure,
    maxBatch,
    maxBatchTokens,
    dimensions,
    async embedBatch(values, kind, wire) {
      const client = await clientFor(connection, wire);
      const { embeddings = [] } = await client.models.embedContent({
        model,
        contents: [...values],
        config: {
          taskType: kind === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
          ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
          abortSignal: wire.signal,
        },
      });
      return { vectors: embeddings.map(({ values: numbers = [] }) => numbers) };
    },
  });
}
