import type { EmbeddingModel } from '../embedding/embedding-model.ts';
import { LLMError } from '../chat/llm-error.ts';
import { defineEmbeddings, type EmbeddedBatch } from '../wire/embed-batches.ts';
import { fieldsOf, listOf, numberOf } from '../json/fields.ts';
import { clientFor } from './client.ts';
import { resolveConnection, type OpenAIConnection } from './options.ts';
import { readFailure } from './read-failure.ts';

/** Options of `openaiEmbeddings`. */
export interface OpenAIEmbeddingsOptions extends OpenAIConnection {
  /** The length of the vectors, for models that can shorten them. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** How many texts go into one call. Default: 256; OpenAI takes 2,048. */
  readonly maxBatch?: number | undefined;
}

/**
 * Embeddings of OpenAI or of a server that speaks its protocol. Vectors are asked for as numbers,
 * because some servers ignore base64, which the SDK asks for by itself.
 *
 * @example
 * ```ts
 * const embeddings = openaiEmbeddings({ model: 'text-embedding-3-small' });
 * const { vectors } = await embeddings.embed({ values: ['猫', 'cat'] });
 * ```
 */
export function openaiEmbeddings(options: OpenAIEmbeddingsOptions): EmbeddingModel {
  const { model, dimensions, maxBatch = 256 } = options;
  const connection = resolveConnection(options);
  const format = connection.profile.embeddingFormat;
  return defineEmbeddings({
    identity: connection.identity,
    fetch: options.fetch,
    readFailure,
    maxBatch,
    dimensions,
    async embedBatch(values, _kind, wire) {
      const client = await clientFor(connection, wire);
      const answer = await client.embeddings.create(
        {
          model,
          input: [...values],
          ...(format === 'none' ? {} : { encoding_format: format }),
          ...(dimensions === undefined ? {} : { dimensions }),
        },
        { signal: wire.signal },
      );
      return {
        vectors: inOrder(answer),
        inputTokens: numberOf(fieldsOf(answer.usage)['prompt_tokens']),
      };
    },
  });
}

/** Vectors carry the number of their text, and may come in any order. */
function inOrder(answer: unknown): EmbeddedBatch['vectors'] {
  const vectors: (readonly number[])[] = [];
  for (const [at, entry] of listOf(fieldsOf(answer)['data']).entries()) {
    const { index, embedding } = fieldsOf(entry);
    const place = numberOf(index) ?? at;
    if (!Array.isArray(embedding) || vectors[place] !== undefined) {
      const problem = Array.isArray(embedding) ? `two are for text ${place}` : 'one is no list';
      throw new LLMError('bad_response', `the vectors are not what was asked for: ${problem}`);
    }
    vectors[place] = embedding.map(Number);
  }
  // A place that nobody filled is a hole.
  return Array.from(vectors, (vector) => vector ?? []);
}
