import { pause } from './backoff.ts';

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
