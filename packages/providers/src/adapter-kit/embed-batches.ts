import type { Usage } from '../models/events.ts';
import { LLMError, withContext } from '../models/llm-error.ts';
import type {
  EmbeddingModel,
  EmbeddingRequest,
  EmbeddingResult,
} from '../models/embedding-model.ts';
import { createTokenEstimator } from '../tokens/estimator.ts';
import { guardCall, type ModelDefinition } from './define-model.ts';
import type { Wire } from './wire.ts';
import { checkArgument } from './check-options.ts';
import { objectOf, oneOf, optional, SIGNAL, TEXTS } from '../input/kinds.ts';

/** The vectors of one batch, in the order of its values. */
export interface EmbeddedBatch {
  /** As the server sent them: what is not a number is refused. */
  readonly vectors: readonly (readonly unknown[] | Float32Array)[];
  readonly inputTokens?: number | undefined;
}

/** The facts about an adapter for embeddings. */
export interface EmbeddingDefinition extends Pick<
  ModelDefinition,
  'identity' | 'fetch' | 'readFailure' | 'advise'
> {
  readonly maxBatch: number;
  /** Estimated tokens of a batch; one text may have more. Default: no limit. */
  readonly maxBatchTokens?: number | undefined;
  readonly dimensions?: number | undefined;
  embedBatch(
    values: readonly string[],
    kind: NonNullable<EmbeddingRequest['kind']>,
    wire: Wire,
  ): Promise<EmbeddedBatch>;
}

const REQUEST = objectOf<EmbeddingRequest>(
  { values: TEXTS, kind: optional(oneOf('query', 'document')), signal: optional(SIGNAL) },
  '{ values }',
);

/**
 * Makes an embedding model: batches one after the other, by count and by tokens, in halves where a server says that one
 * is too large, and every vector looked at.
 */
export function defineEmbeddings(definition: EmbeddingDefinition): EmbeddingModel {
  const { identity, maxBatch, maxBatchTokens = Infinity, dimensions } = definition;
  if (!Number.isSafeInteger(maxBatch) || maxBatch < 1) {
    throw new RangeError(`maxBatch: expected a whole number from 1 on, got ${maxBatch}`);
  }
  if (!(maxBatchTokens > 0)) {
    throw new RangeError(`maxBatchTokens: expected a number above 0, got ${maxBatchTokens}`);
  }
  // A batch that a server refused once as too large is not tried again.
  let limit = maxBatch;
  return {
    specVersion: 1,
    provider: identity.provider,
    modelId: identity.modelId,
    maxBatch,
    ...(dimensions === undefined ? {} : { dimensions }),
    async embed(request) {
      checkArgument('the request of embed', request, REQUEST);
      const { values, kind = 'document', signal } = request;
      const vectors: Float32Array[] = [];
      let inputTokens: number | undefined;
      const embedOne = async (batch: readonly string[], from: number): Promise<void> => {
        const embedded = await guardCall(definition, signal ? { signal } : {}, async (wire) => {
          const found = await definition.embedBatch(batch, kind, wire);
          const length = vectors[0]?.length ?? dimensions;
          const checked = toVectors(found.vectors, batch.length, length, from);
          return { checked, tokens: found.inputTokens };
        });
        vectors.push(...embedded.checked);
        if (embedded.tokens !== undefined) inputTokens = (inputTokens ?? 0) + embedded.tokens;
      };
      const embedAll = async (batch: readonly string[], from: number): Promise<void> => {
        try {
          await embedOne(batch, from);
        } catch (error) {
          if (batch.length < 2 || !isTooLarge(error)) throw withPlace(error, batch, from);
          if (isTooMany(error)) limit = Math.min(limit, Math.ceil(batch.length / 2));
          const half = Math.ceil(batch.length / 2);
          await embedAll(batch.slice(0, half), from);
          await embedAll(batch.slice(half), from + half);
        }
      };
      for (let from = 0; from < values.length;) {
        const batch = nextBatch(values, from, limit, maxBatchTokens);
        await embedAll(batch, from);
        from += batch.length;
      }
      const usage: Usage = inputTokens === undefined ? {} : { inputTokens };
      return { vectors, usage };
    },
  };
}

const estimator = createTokenEstimator();

/** Returns the next texts that fit together; at least one. */
function nextBatch(
  values: readonly string[],
  from: number,
  count: number,
  maxTokens: number,
): string[] {
  const batch: string[] = [];
  let tokens = 0;
  for (const value of values.slice(from, from + count)) {
    tokens += maxTokens === Infinity ? 0 : estimator.count(value).tokens;
    if (batch.length > 0 && tokens > maxTokens) break;
    // Providers refuse an empty text; a space replaces it.
    batch.push(value || ' ');
  }
  return batch;
}

/**
 * Says that there are too many texts in a batch, or too many tokens.
 *
 * Sources: OpenAI, Voyage, DashScope, SiliconFlow, TEI, Cohere, Gemini; page-assist#371, ApeRAG#716, langchain#31227.
 */
const TOO_MANY =
  /batch[ _]?size|(?:batch|texts|inputs?|contents|requests|items|array)[^.]{0,60}(?:too (?:large|many|long|big)|larger than|more than|at most|exceed|maximum|max\b|limit|<=)|(?:at most|no more than|maximum of|max(?:imum)?|up to) \d+ (?:\w+ )?(?:texts|inputs|items|requests|contents|documents|strings)|max(?:imum)? number of (?:\w+ )?(?:texts|inputs|items|requests|contents|documents|strings)|item count|instances?(?:\(s\))? is not allowed|max(?:imum)? allowed: \d+|too many (?:texts|inputs|items|documents|embeddings|strings|contents|requests in)|tokens (?:per|in (?:the|a|your)) (?:request|batch|submitted batch)|per submitted batch|max_tokens_per_request|TOO_MANY_TOKENS_IN_BATCH|数组[^。]{0,12}(?:超过|最大|上限)|不[得能]超过 ?\d+ ?条/i;

function isTooLarge(error: unknown): boolean {
  return LLMError.isInstance(error) && (error.code === 'context_length' || isTooMany(error));
}

function isTooMany(error: unknown): boolean {
  if (!LLMError.isInstance(error) || error.code === 'rate_limit' || error.code === 'quota')
    return false;
  return error.status !== undefined && error.status < 500 && TOO_MANY.test(error.message);
}

/** Names the text that a refusal is about, where there is one only. */
function withPlace(error: unknown, batch: readonly string[], from: number): unknown {
  if (!LLMError.isInstance(error) || batch.length > 1 || error.code !== 'context_length')
    return error;
  return withContext(error, { index: from });
}

/**
 * Reads the vectors of a batch. A server that answers in another form than it was asked for gives numbers, but not vectors.
 *
 * @param from - The place of the first text among all.
 * @throws LLMError with the code `bad_response` that names the place of the text.
 */
export function toVectors(
  vectors: EmbeddedBatch['vectors'],
  count: number,
  length: number | undefined,
  from: number = 0,
): EmbeddingResult['vectors'] {
  const fail = (problem: string, index?: number): never => {
    const message = `the vectors are not what was asked for: ${problem}`;
    throw new LLMError('bad_response', message, index === undefined ? {} : { context: { index } });
  };
  if (vectors.length !== count) fail(`${vectors.length} for ${count} texts`);
  const expected = length ?? vectors[0]?.length ?? 0;
  if (expected === 0) fail('they are empty');
  return vectors.map((vector, place) => {
    const index = from + place;
    if (vector.length !== expected) {
      fail(`that of text ${index} has ${vector.length} numbers instead of ${expected}`, index);
    }
    const odd = firstOdd(vector);
    if (odd >= 0) {
      const found = JSON.stringify(vector[odd]) ?? 'undefined';
      fail(
        `not all of it is numbers: that of text ${index} has ${found.slice(0, 40)} at ${odd}`,
        index,
      );
    }
    return vector instanceof Float32Array ? vector : Float32Array.from(vector, Number);
  });
}

/** Returns the place of the first value that is not a finite number, or -1. */
function firstOdd(vector: readonly unknown[] | Float32Array): number {
  if (!(vector instanceof Float32Array))
    return vector.findIndex((value) => !Number.isFinite(value));
  for (let at = 0; at < vector.length; at++) if (!Number.isFinite(vector[at])) return at;
  return -1;
}
