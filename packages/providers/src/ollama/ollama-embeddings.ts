import type { EmbeddingModel } from '../models/embedding-model.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { defineEmbeddings } from '../adapter-kit/embed-batches.ts';
import { type Kinds, optional, POSITIVE } from '../input/kinds.ts';
import {
  advise,
  clientFor,
  CONNECTION,
  type OllamaConnection,
  readFailure,
  resolveOllama,
} from './options.ts';

/** Options of `ollamaEmbeddings`. */
export interface OllamaEmbeddingsOptions extends OllamaConnection {
  /** The length of the vectors, for models that can shorten them. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** How many texts go into one call. Default: 64. */
  readonly maxBatch?: number | undefined;
}

const OPTIONS: Kinds<OllamaEmbeddingsOptions> = {
  ...CONNECTION,
  dimensions: optional(POSITIVE),
  maxBatch: optional(POSITIVE),
};

/**
 * Embeddings of an Ollama server. A text that is longer than the model can read is refused, not cut.
 *
 * @example
 * ```ts
 * const embeddings = ollamaEmbeddings({ model: 'bge-m3' });
 * ```
 */
export function ollamaEmbeddings(options: OllamaEmbeddingsOptions): EmbeddingModel {
  const { model, dimensions, maxBatch = 64 } = checkOptions('ollamaEmbeddings', options, OPTIONS);
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
