import { checkArgument, checkOptions } from '../adapter-kit/check-options.ts';
import { interruptible } from '../adapter-kit/limits.ts';
import { backoffMs, pause, retryWithBackoff } from '../concurrency/backoff.ts';
import { AMOUNT, COUNT, FUNCTION, type Kinds, optional } from '../input/kinds.ts';
import { EMBEDDING_MODEL } from '../input/part-kinds.ts';
import { addUsage } from '../models/collect.ts';
import type { EmbeddingModel, EmbeddingResult } from '../models/embedding-model.ts';
import type { Usage } from '../models/events.ts';
import { LLMError, withContext } from '../models/llm-error.ts';
import type { Middleware } from '../models/chat-model.ts';
import { BufferedStart, Deadline, isCollected, lostIn, sumOf, withLostUsage } from './compose.ts';

/** Options of {@link retry}. */
export interface RetryOptions {
  /** Attempts after the first one. Default: 2. */
  readonly retries?: number | undefined;
  /** The longest first wait, in milliseconds; it doubles with each retry. Default: 500. */
  readonly baseMs?: number | undefined;
  /** The longest wait that is chosen here, in milliseconds. Default: 8,000. */
  readonly maxMs?: number | undefined;
  /**
   * The longest wait that a provider may ask for, in milliseconds. One that asks for more is not
   * called again. Default: 60,000.
   */
  readonly maxRetryAfterMs?: number | undefined;
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Called before each wait. Its errors are ignored. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
}

const OPTIONS: Kinds<RetryOptions> = {
  retries: optional(COUNT),
  baseMs: optional(AMOUNT),
  maxMs: optional(AMOUNT),
  maxRetryAfterMs: optional(AMOUNT),
  random: optional(FUNCTION),
  onRetry: optional(FUNCTION),
};

/** An attempt failed, and another will follow. */
export interface RetryNotice {
  readonly provider: string;
  readonly modelId: string;
  /** The number of attempts so far, all of them failed. */
  readonly attempt: number;
  readonly error: LLMError;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
}

/**
 * Repeats calls that failed with an error that may pass (`LLMError.isRetryable`), and never `quota` or `aborted`. A
 * stream is not repeated once output has begun; `generate` is, as its pieces are not seen. The cost of attempts that
 * broke off is in `meta.vizprompt.lostUsage` of the finish, and counts for `budget`.
 *
 * A wait is a random part of `baseMs`, then of twice that, up to `maxMs` ("full jitter"), and at
 * least what the provider asked for. `timeout.totalMs` of the request holds for all attempts
 * together: a wait that leaves no time for a call is not begun.
 *
 * The error that is thrown in the end is the last one, with `attempts` (a number) in its context.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), retry({ retries: 4 }));
 * ```
 */
export function retry(options: RetryOptions = {}): Middleware {
  const { retries = 2 } = checkOptions('retry', options, OPTIONS);
  return {
    name: 'retry',
    async *stream(request, next, { provider, modelId }) {
      const deadline = new Deadline(request.timeout);
      const isWhole = isCollected(request);
      const lost: Usage[] = [];
      for (let attempt = 1; ; attempt++) {
        const answer = new BufferedStart(next(deadline.applyTo(request)), { isWhole });
        try {
          yield* answer.events(sumOf(lost));
          return;
        } catch (error) {
          if (!LLMError.isInstance(error)) throw error;
          const waitMs = delayAfter(error, attempt, options);
          const isFinal = answer.isFinal(error) || attempt > retries;
          if (isFinal || waitMs === undefined || !deadline.allows(waitMs)) {
            throw withLostUsage(withContext(error, { attempts: attempt }), sumOf(lost));
          }
          lost.push(...lostIn(error));
          tell(options.onRetry, { provider, modelId, attempt, error, waitMs });
          await waitForNextAttempt(waitMs, request.signal).catch((stopped: unknown) => {
            throw LLMError.isInstance(stopped)
              ? withContext(stopped, { provider, modelId, attempts: attempt })
              : stopped;
          });
        }
      }
    },
  };
}

/** Returns the milliseconds to the next attempt; `undefined` if there should be none. */
function delayAfter(error: LLMError, attempt: number, options: RetryOptions): number | undefined {
  const { baseMs, maxMs, maxRetryAfterMs = 60_000, random } = options;
  if (!error.isRetryable || error.code === 'quota' || error.code === 'aborted') return undefined;
  const { retryAfterMs = 0 } = error;
  if (retryAfterMs > maxRetryAfterMs) return undefined;
  return Math.max(retryAfterMs, backoffMs(attempt, { baseMs, maxMs, random }));
}

/** Waits; an abort ends it with an `LLMError`. */
function waitForNextAttempt(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return interruptible({ signal, what: 'the next attempt' }, (inner) => pause(ms, inner));
}

function tell(onRetry: RetryOptions['onRetry'], notice: RetryNotice): void {
  try {
    onRetry?.(notice);
  } catch {
    // An observer does not decide over the call.
  }
}

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
