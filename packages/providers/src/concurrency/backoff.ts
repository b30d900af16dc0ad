import { setTimeout as sleep } from 'node:timers/promises';

/** Options of {@link backoffMs}. */
export interface BackoffOptions {
  /** The longest first delay, in milliseconds. Default: 500. */
  readonly baseMs?: number | undefined;
  /** The factor of each further delay. Default: 2. */
  readonly factor?: number | undefined;
  /** The longest delay, in milliseconds. Default: 8,000. */
  readonly maxMs?: number | undefined;
  /** `true` takes a random part of the delay ("full jitter"), `false` all of it. Default: `true`. */
  readonly jitter?: boolean | undefined;
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Returns the milliseconds to wait after a failed attempt, which is counted from 1. */
export function backoffMs(attempt: number, options: BackoffOptions = {}): number {
  const { baseMs = 500, factor = 2, maxMs = 8000, jitter = true, random = Math.random } = options;
  const delay = Math.min(maxMs, baseMs * factor ** (attempt - 1));
  return jitter ? random() * delay : delay;
}

/** An attempt failed, and another follows. */
export interface FailedAttempt {
  /** The number of attempts so far, all of them failed. */
  readonly attempt: number;
  readonly error: unknown;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
}

/** Options of {@link retryWithBackoff}. */
export interface RetryWithBackoffOptions {
  /** Returns the milliseconds to wait after a failed attempt; `undefined` gives up. */
  readonly delayMs: (error: unknown, attempt: number) => number | undefined;
  /** Is called before each wait. */
  readonly onRetry?: ((failed: FailedAttempt) => void) | undefined;
  /** Ends the waits; work that runs gets it from its caller. */
  readonly signal?: AbortSignal | undefined;
  /** Waits. Default: a timer that `signal` ends. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined;
}

/**
 * Repeats work that failed, as long as `delayMs` gives a delay.
 *
 * @param work - Gets the number of its attempt, from 1.
 * @throws the error of the last attempt, or the reason of the signal.
 */
export async function retryWithBackoff<T>(
  work: (attempt: number) => Promise<T>,
  { delayMs, onRetry, signal, sleep: wait = (ms) => pause(ms, signal) }: RetryWithBackoffOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const delay = delayMs(error, attempt);
      if (delay === undefined || signal?.aborted) throw error;
      onRetry?.({ attempt, error, delayMs: delay });
      await wait(delay);
    }
  }
}

/**
 * Waits.
 *
 * @throws The reason of the signal, not the `AbortError` that Node makes of it.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch {
    signal?.throwIfAborted();
  }
}

/** How {@link poll} waits. */
export interface PollOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const DELAYS_MS = [1, 2, 4, 8, 15, 25];

/**
 * Asks again and again, with growing pauses of at most 25 ms, until `attempt` gives a value other
 * than `undefined`. The event loop is free in between.
 *
 * @returns The value, or `undefined` when the time is up.
 * @throws The signal's reason, and whatever `attempt` throws.
 */
export async function poll<T>(
  attempt: () => T | undefined | Promise<T | undefined>,
  options: PollOptions,
): Promise<T | undefined> {
  const { timeoutMs, signal } = options;
  const deadline = performance.now() + timeoutMs;
  for (let round = 0; ; round++) {
    signal?.throwIfAborted();
    const value = await attempt();
    if (value !== undefined) return value;
    const left = deadline - performance.now();
    if (left <= 0) return undefined;
    const delay = DELAYS_MS[Math.min(round, DELAYS_MS.length - 1)] ?? 25;
    await pause(Math.min(delay * (0.5 + Math.random()), left), signal);
  }
}
