import type { EmbeddingModel } from '../models/embedding-model.ts';
import { defineEmbeddings } from '../adapter-kit/embed-batches.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { failureOf } from '../adapter-kit/explain.ts';
import { RefusedFields, type Droppable } from '../adapter-kit/refused-fields.ts';
import { type Kinds, optional, POSITIVE } from '../input/kinds.ts';
import { fieldsOf, numberOf } from '../json/fields.ts';
import { clientFor } from './client.ts';
import { CONNECTION, resolveConnection, type OpenAIConnection } from './options.ts';
import { readApiError } from '../adapter-kit/error-body.ts';
import { failureIn } from './exchange.ts';
import { readVectors } from './read-vectors.ts';

/** Options of `openaiEmbeddings`. */
export interface OpenAIEmbeddingsOptions extends OpenAIConnection {
  /** The length of the vectors, for models that can shorten them. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** How many texts go into one call. Default: 256; OpenAI takes 2,048. */
  readonly maxBatch?: number | undefined;
  /**
   * How many tokens, as they are estimated, go into one call; a text that has more goes alone. Default: 250,000, as OpenAI
   * takes 300,000. A batch that a server calls too large is halved in any case.
   */
  readonly maxBatchTokens?: number | undefined;
}

const OPTIONS: Kinds<OpenAIEmbeddingsOptions> = {
  ...CONNECTION,
  dimensions: optional(POSITIVE),
  maxBatch: optional(POSITIVE),
  maxBatchTokens: optional(POSITIVE),
};

/**
 * Embeddings of OpenAI or of a server that speaks its protocol. Vectors are asked for as numbers,
 * because some servers ignore base64, which the SDK asks for on its own.
 *
 * @example
 * ```ts
 * const embeddings = openaiEmbeddings({ model: 'text-embedding-3-small' });
 * const { vectors } = await embeddings.embed({ values: ['猫', 'cat'] });
 * ```
 */
export function openaiEmbeddings(options: OpenAIEmbeddingsOptions): EmbeddingModel {
  const {
    model,
    dimensions,
    maxBatch = 256,
    maxBatchTokens = 250_000,
  } = checkOptions('openaiEmbeddings', options, OPTIONS);
  const connection = resolveConnection(options);
  const { profile, baseURL } = connection;
  const plain: EmbeddingBody = {
    model,
    ...(profile.embeddingFormat === 'none' ? {} : { encoding_format: profile.embeddingFormat }),
    ...(dimensions === undefined ? {} : { dimensions }),
  };
  return defineEmbeddings({
    identity: connection.identity,
    fetch: options.fetch,
    readFailure: readApiError,
    maxBatch,
    maxBatchTokens,
    dimensions,
    async embedBatch(values, _kind, wire) {
      const client = await clientFor(connection, wire);
      const refused = new RefusedFields(`openai embeddings ${baseURL} ${model}`, DROPPABLE);
      for (;;) {
        const settings = refused.adapt(plain, plain);
        try {
          // The SDK's own method asks for base64 where nothing is asked for.
          const body = { ...settings, input: values };
          const answer: unknown = await client.post('/embeddings', { body, signal: wire.signal });
          const failed = failureIn(fieldsOf(answer));
          if (failed) throw failed;
          return { vectors: readVectors(answer), inputTokens: tokensIn(answer) };
        } catch (error) {
          const failure = failureOf(error, { readFailure: readApiError }, wire);
          if (!failure || !refused.add(failure, { body: settings, plain, settings })) throw error;
        }
      }
    },
  });
}

/** The body of a request for embeddings besides its texts. */
interface EmbeddingBody {
  readonly model: string;
  readonly encoding_format?: string;
  readonly dimensions?: number;
}

/** Vectors without these are the same, or are found to have another length. */
const DROPPABLE: readonly Droppable<EmbeddingBody>[] = (
  ['encoding_format', 'dimensions'] as const
).map((name) => ({
  names: [name],
  sent: (body) => fieldsOf(body)[name],
  adapt: ({ [name]: value, ...rest }) => (value === undefined ? undefined : rest),
}));

function tokensIn(answer: unknown): number | undefined {
  const {
    prompt_tokens: prompt,
    input_tokens: input,
    total_tokens: total,
  } = fieldsOf(fieldsOf(answer)['usage']);
  return numberOf(prompt) ?? numberOf(input) ?? numberOf(total);
}
