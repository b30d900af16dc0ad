import { LLMError } from '../models/llm-error.ts';
import { retryWithBackoff } from '../concurrency/backoff.ts';
import type { EmbeddingModel, EmbeddingResult } from '../models/embedding-model.ts';
import { addUsage } from '../models/add-usage.ts';
import { delayAfter, waitForNextAttempt, type RetryOptions } from './retry.ts';
import { checkOptions, checkArgument } from '../adapter-kit/check-options.ts';
import { AMOUNT, COUNT, FUNCTION, optional, type Kinds } from '../input/kinds.ts';
import { EMBEDDING_MODEL } from '../input/part-kinds.ts';

const KINDS: Kinds<Omit<RetryOptions, 'onRetry'>> = {
  retries: optional(COUNT),
  baseMs: optional(AMOUNT),
  maxMs: optional(AMOUNT),
  maxRetryAfterMs: optional(AMOUNT),
  random: optional(FUNCTION),
};

/**
 * Returns an embedding model that repeats what failed with an error that may pass, batch by batch: what was
 * embedded already is not paid for again. The waits are those of `retry`.
 *
 * @example
 * ```ts
 * const embeddings = retryEmbeddings(openaiEmbeddings({ model: 'text-embedding-3-small' }));
 * ```
 */
export function retryEmbeddings(
  model: EmbeddingModel,
  options: Omit<RetryOptions, 'onRetry'> = {},
): EmbeddingModel {
  checkArgument('the model of retryEmbeddings', model, EMBEDDING_MODEL);
  checkOptions('retryEmbeddings', options, KINDS);
  const { retries = 2 } = options;
  const { maxBatch, provider, modelId, dimensions } = model;

  async function embedBatch(
    values: readonly string[],
    request: Parameters<EmbeddingModel['embed']>[0],
  ): Promise<EmbeddingResult> {
    const { signal } = request;
    return retryWithBackoff(() => model.embed({ ...request, values }), {
      delayMs: (error, attempt) =>
        LLMError.isInstance(error) && attempt <= retries
          ? delayAfter(error, attempt, options)
          : undefined,
      sleep: (ms) => waitForNextAttempt(ms, signal),
    });
  }

  return {
    specVersion: 1,
    provider,
    modelId,
    maxBatch,
    ...(dimensions === undefined ? {} : { dimensions }),
    async embed(request) {
      const { values } = request;
      const results: EmbeddingResult[] = [];
      for (let at = 0; at < values.length; at += maxBatch) {
        results.push(await embedBatch(values.slice(at, at + maxBatch), request));
      }
      return {
        vectors: results.flatMap(({ vectors }) => vectors),
        usage: addUsage(...results.map(({ usage }) => usage)),
      };
    },
  };
}
