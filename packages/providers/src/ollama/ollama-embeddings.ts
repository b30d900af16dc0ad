import type { EmbeddingModel } from '../models/embedding-model.ts';
import { defineEmbeddings } from '../adapter-kit/embed-batches.ts';
import { clientFor, resolveOllama, type OllamaConnection } from './options.ts';
import { advise, readFailure } from './read-failure.ts';

/** Options of `ollamaEmbeddings`. */
export interface OllamaEmbeddingsOptions extends OllamaConnection {
  /** The length of the vectors, for models that can shorten them. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** How many texts go into one call. Default: 64. */
  readonly maxBatch?: number | undefined;
}

/**
 * Embeddings of an Ollama server. A text that is longer than the model can read is refused, not cut.
 *
 * @example
 * ```ts
 * const embeddings = ollamaEmbeddings({ model: 'bge-m3' });
 * ```
 */
export function ollamaEmbeddings(options: OllamaEmbeddingsOptions): EmbeddingModel {
  const { model, dimensions, maxBatch = 64 } = options;
  const connection = resolveOllama(options);
  return defineEmbeddings({
    identity: connection.identity,
    fetch: options.fetch,
    readFailure,
    advise,
    maxBatch,
    dimensions,
    async embedBatch(values, _kind, wire) {
      const client = await clientFor(connection, wire, { isStream: false });
      const { embeddings, prompt_eval_count: inputTokens } = await client.embed({
        model,
        input: [...values],
        truncate: false,
        ...(dimensions === undefined ? {} : { dimensions }),
      });
      return { vectors: embeddings ?? [], inputTokens };
    },
  });
}
