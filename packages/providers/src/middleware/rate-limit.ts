import PQueue from 'p-queue';
import type { Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { estimateMessages } from '../adapter-kit/estimate-usage.ts';
import { Deadline } from './deadline.ts';
import { interruptible } from '../adapter-kit/interruptible.ts';
import type { Middleware } from '../models/middleware.ts';
import { SlidingWindow, type WindowEntry } from './sliding-window.ts';

/** Options of {@link rateLimit}; what is absent has no limit. */
export interface RateLimitOptions {
  /** Calls that may begin in a minute. */
  readonly requestsPerMinute?: number;
  /**
   * Tokens of prompts and answers together in a minute. Before a call they are estimated (the
   * messages and `maxOutputTokens`), after it they are what the provider reports. A call that is
   * larger than the limit itself waits until it is alone.
   */
  readonly tokensPerMinute?: number;
  /** Calls that may run at the same time. */
  readonly concurrency?: number;
  /**
   * The time in which calls and tokens are counted, in milliseconds; the limits are scaled to it.
   * Shorter than a minute, it spreads the calls, as for providers that allow 60 a minute but only
   * one a second. Default: 60,000.
   */
  readonly windowMs?: number;
  /**
   * The longest `retryAfterMs` of an error that makes all calls wait, in milliseconds. With a longer
   * one each call goes out and fails on its own, so that a fallback gets its chance. Default:
   * 60,000.
   */
  readonly maxRetryAfterMs?: number;
}

/**
 * Lets calls wait until a provider's limits have room for them, first come, first served. The
 * limits belong to the returned value: give it to several models and they share them.
 *
 * A place is held until the answer ends or its reader leaves. When a provider asks to wait
 * (`retryAfterMs` of an error), no call goes out until then. Waiting counts as part of
 * `timeout.totalMs` and ends when the request is aborted.
 *
 * @throws RangeError for a limit that is not above 0.
 *
 * @example
 * ```ts
 * const limit = rateLimit({ requestsPerMinute: 60, tokensPerMinute: 90_000, concurrency: 4 });
 * const large = compose(openai({ model: 'gpt-5' }), retry(), limit);
 * const small = compose(openai({ model: 'gpt-5-mini' }), retry(), limit);
 * ```
 */
export function rateLimit(options: RateLimitOptions): Middleware {
  const { concurrency = Infinity, windowMs = 60_000, maxRetryAfterMs = 60_000 } = options;
  for (const [name, limit] of Object.entries(options)) {
    if (limit === undefined || limit > 0) continue;
    throw new RangeError(`${name} must be a number above 0, not ${limit}`);
  }
  // Fewer than one call in a window: the window grows until it holds one.
  const spanMs = Math.max(windowMs, 60_000 / (options.requestsPerMinute ?? Infinity));
  const scale = spanMs / 60_000;
  const places = new PQueue({ concurrency });
  const gate = new PQueue({ concurrency: 1 });
  const window = new SlidingWindow({
    windowMs: spanMs,
    requests: Math.max(1, Math.floor((options.requestsPerMinute ?? Infinity) * scale)),
    tokens: (options.tokensPerMinute ?? Infinity) * scale,
  });

  async function enter(tokens: number, signal: AbortSignal): Promise<Turn> {
    const leave = await takePlace(places, signal);
    try {
      const entry = await gate.add(() => window.enter(tokens, signal), { signal });
      return { entry, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  return {
    name: 'rateLimit',
    async *stream(request, next) {
      const deadline = new Deadline(request.timeout);
      const tokens = estimateMessages(request.messages) + (request.maxOutputTokens ?? 0);
      const { signal } = request;
      const { entry, leave } = await interruptible(
        { signal, timeoutMs: deadline.leftMs, what: 'the rate limit' },
        (inner) => enter(tokens, inner),
      );
      try {
        for await (const event of next(deadline.applyTo(request))) {
          if (event.type === 'finish') window.correct(entry, tokensIn(event.usage) ?? tokens);
          yield event;
        }
      } catch (error) {
        if (LLMError.isInstance(error)) {
          const { retryAfterMs = 0, outputStarted, partial } = error;
          if (retryAfterMs <= maxRetryAfterMs) window.close(retryAfterMs);
          const unknown = outputStarted ? tokens : 0;
          window.correct(entry, tokensIn(partial?.usage) ?? unknown);
        }
        throw error;
      } finally {
        leave();
      }
    },
  };
}

interface Turn {
  readonly entry: WindowEntry;
  leave(): void;
}

/** Waits for a place and keeps it until the returned function is called or the signal aborts. */
function takePlace(places: PQueue, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const stay = (): Promise<void> => new Promise((leave) => resolve(leave));
    places.add(stay, { signal }).catch(reject);
  });
}

function tokensIn({ inputTokens, outputTokens }: Usage = {}): number | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}
