import { checkOptions } from '../adapter-kit/check-options.ts';
import { estimateMessages } from '../adapter-kit/estimate-usage.ts';
import { interruptible, MAX_TIMER_MS } from '../adapter-kit/limits.ts';
import { Mutex } from '../concurrency/mutex.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { type Kinds, NUMBER, optional } from '../input/kinds.ts';
import type { Usage } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { Middleware } from '../models/chat-model.ts';
import { Deadline } from './compose.ts';

/** Options of {@link rateLimit}; what is absent has no limit. */
export interface RateLimitOptions {
  /** Calls that may begin in a minute. */
  readonly requestsPerMinute?: number | undefined;
  /**
   * Tokens of prompts and answers together in a minute. Before a call they are estimated (the
   * messages and `maxOutputTokens`), after it they are what the provider reports. A call that is
   * larger than the limit itself waits until it is alone.
   */
  readonly tokensPerMinute?: number | undefined;
  /** Calls that may run at the same time. */
  readonly concurrency?: number | undefined;
  /**
   * The time in which calls and tokens are counted, in milliseconds; the limits are scaled to it.
   * Shorter than a minute, it spreads the calls, as for providers that allow 60 a minute but only
   * one a second. Default: 60,000.
   */
  readonly windowMs?: number | undefined;
  /**
   * The longest `retryAfterMs` of an error that makes all calls wait, in milliseconds. With a longer
   * one each call goes out and fails on its own, so that a fallback gets its chance. Default:
   * 60,000.
   */
  readonly maxRetryAfterMs?: number | undefined;
}

const OPTIONS: Kinds<RateLimitOptions> = {
  requestsPerMinute: optional(NUMBER),
  tokensPerMinute: optional(NUMBER),
  concurrency: optional(NUMBER),
  windowMs: optional(NUMBER),
  maxRetryAfterMs: optional(NUMBER),
};

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
  const {
    concurrency = Infinity,
    windowMs = 60_000,
    maxRetryAfterMs = 60_000,
  } = checkOptions('rateLimit', options, OPTIONS);
  for (const [name, limit] of Object.entries(options)) {
    if (limit === undefined || limit > 0) continue;
    throw new RangeError(`${name}: expected a number above 0, got ${limit}`);
  }
  // Fewer than one call in a window: the window grows until it holds one.
  const spanMs = Math.max(windowMs, 60_000 / (options.requestsPerMinute ?? Infinity));
  const scale = spanMs / 60_000;
  const calls = new Semaphore(concurrency);
  const gate = new Mutex();
  const window = new SlidingWindow({
    windowMs: spanMs,
    requests: Math.max(1, Math.floor((options.requestsPerMinute ?? Infinity) * scale)),
    tokens: (options.tokensPerMinute ?? Infinity) * scale,
  });

  async function enter(tokens: number, signal: AbortSignal): Promise<Turn> {
    const leave = await calls.acquire(signal);
    try {
      const entry = await gate.run(() => window.enter(tokens, signal), signal);
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

function tokensIn({ inputTokens, outputTokens }: Usage = {}): number | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}

/** The most that may begin within a window. */
interface WindowLimits {
  readonly windowMs: number;
  /** `Infinity` for no limit. */
  readonly requests: number;
  /** `Infinity` for no limit. */
  readonly tokens: number;
}

/** A call that began. */
interface WindowEntry {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  tokens: number;
}

/**
 * Counts the calls of the last moments, and lets the next one in when there is room. One caller may
 * wait at a time.
 */
class SlidingWindow {
  readonly #limits: WindowLimits;
  #entries: WindowEntry[] = [];
  #closedUntil = 0;
  #wake: (() => void) | undefined;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  /** Waits until there is room, or until the signal aborts, and then takes it. */
  async enter(tokens: number, signal: AbortSignal): Promise<WindowEntry> {
    for (;;) {
      signal.throwIfAborted();
      const now = performance.now();
      const waitMs = this.#waitMs(tokens, now);
      if (waitMs <= 0) {
        const entry = { at: now, tokens };
        this.#entries.push(entry);
        return entry;
      }
      await this.#pause(waitMs, signal);
    }
  }

  /** Replaces the estimate of a call by what it took. */
  correct(entry: WindowEntry, tokens: number): void {
    entry.tokens = tokens;
    this.#wake?.();
  }

  /** Admits no call for this time. */
  close(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + ms);
  }

  #waitMs(tokens: number, now: number): number {
    if (now < this.#closedUntil) return this.#closedUntil - now;
    const { windowMs, requests, tokens: maxTokens } = this.#limits;
    const entries = this.#entries.filter(({ at }) => at > now - windowMs);
    this.#entries = entries;
    let mustLeave = entries.length - requests + 1;
    let sum = entries.reduce((total, entry) => total + entry.tokens, tokens);
    for (const [index, entry] of entries.entries()) {
      if (sum <= maxTokens) break;
      sum -= entry.tokens;
      mustLeave = Math.max(mustLeave, index + 1);
    }
    const last = entries[mustLeave - 1];
    return last ? last.at + windowMs - now : 0;
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', go);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(go, Math.min(ms, MAX_TIMER_MS));
      signal.addEventListener('abort', go, { once: true });
      this.#wake = go;
    });
  }
}
