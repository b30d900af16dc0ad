import { Buffer } from 'node:buffer';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { defineEmbeddings, type EmbeddedBatch } from '../adapter-kit/embed-batches.ts';
import { readApiError } from '../adapter-kit/error-body.ts';
import { failureOf } from '../adapter-kit/explain.ts';
import { type Droppable, RefusedFields } from '../adapter-kit/refused-fields.ts';
import { type Kinds, optional, POSITIVE } from '../input/kinds.ts';
import { type Fields, fieldsOf, isRecord, listOf, numberOf } from '../json/fields.ts';
import type { EmbeddingModel } from '../models/embedding-model.ts';
import { LLMError } from '../models/llm-error.ts';
import { clientFor } from './client.ts';
import { failureIn } from './exchange.ts';
import { CONNECTION, type OpenAIConnection, resolveConnection } from './options.ts';

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

/** A vector, and the number that the server gave it. */
interface Numbered {
  readonly index: number | undefined;
  readonly vector: readonly unknown[];
}

/**
 * Reads the vectors of an answer, in the order of their texts: from `data` and the other places where servers have them,
 * as numbers or in base64, numbered from 0, from 1, all alike or not at all.
 *
 * Sources: openai-node#1542, mcp-memory-service#612, llama.cpp, TEI, DashScope, Xinference.
 */
function readVectors(answer: unknown): EmbeddedBatch['vectors'] {
  return inOrder(entriesOf(answer).map(readEntry));
}

function entriesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  const { data, embeddings, output, result, embedding, ...others } = fieldsOf(answer);
  const lists = [data, embeddings, fieldsOf(output)['embeddings'], fieldsOf(result)['data']];
  for (const list of [...lists, others['vectors'], others['results'], others['predictions']]) {
    if (Array.isArray(list)) return list;
  }
  if (isRecord(data) && Object.keys(data).every((key) => /^\d+$/.test(key)))
    return Object.values(data);
  if (isRecord(embeddings) && Array.isArray(embeddings['float'])) return embeddings['float'];
  return embedding === undefined ? [] : [{ embedding }];
}

function readEntry(entry: unknown): Numbered {
  if (Array.isArray(entry) || typeof entry === 'string')
    return { index: undefined, vector: numbersIn(entry) };
  const fields = fieldsOf(entry);
  const place = fields['index'] ?? fields['text_index'];
  const index =
    numberOf(place) ??
    (typeof place === 'string' && /^\d+$/.test(place) ? Number(place) : undefined);
  return { index, vector: numbersIn(vectorIn(fields)) };
}

function numbersIn(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return fromBase64(value);
  if (isRecord(value)) return numbersIn(vectorIn(value));
  if (!Array.isArray(value)) throw notVectors('one is no list');
  const list: readonly unknown[] = value;
  // One row in a matrix, as llama.cpp has it.
  return list.length === 1 && Array.isArray(list[0]) ? listOf(list[0]) : list;
}

/** The names that servers have for a vector. */
const VECTORS = ['embedding', 'vector', 'values', 'float', 'embeddings', 'dense'];

function vectorIn(fields: Fields): unknown {
  return VECTORS.map((name) => fields[name]).find((value) => value !== undefined && value !== null);
}

/** Numbers of 32 bits, the lowest byte first. */
function fromBase64(text: string): readonly number[] {
  const bytes = Buffer.from(text, 'base64');
  const isBase64 =
    /^[A-Za-z0-9+/_-][A-Za-z0-9+/_-]*={0,2}$/.test(text) &&
    bytes.length > 0 &&
    bytes.length % 4 === 0;
  if (!isBase64) throw notVectors('one is a text that is not base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

/** Vectors carry the number of their text, and may come in any order. */
function inOrder(entries: readonly Numbered[]): EmbeddedBatch['vectors'] {
  const numbers = entries.map(({ index }) => index);
  const [first] = numbers;
  // Numbers that distinguish nothing, or none.
  if (first === undefined || numbers.every((number) => number === first)) {
    return entries.map(({ vector }) => vector);
  }
  const start = numbers.includes(0) ? 0 : 1;
  const vectors: (readonly unknown[])[] = [];
  for (const { index, vector } of entries) {
    const place = (index ?? -1) - start;
    if (place < 0 || place >= entries.length)
      throw notVectors(`one is for text ${index ?? 'without a number'}`);
    if (vectors[place] !== undefined) throw notVectors(`two are for text ${index ?? ''}`);
    vectors[place] = vector;
  }
  return vectors;
}

function notVectors(problem: string): LLMError {
  return new LLMError('bad_response', `the vectors are not what was asked for: ${problem}`);
}
