import { setTimeout as sleep } from 'node:timers/promises';

/** Above this, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits until a time, however far it is.
 *
 * @param untilMs - Milliseconds since 1970.
 * @throws The signal's reason.
 */
export async function waitUntil(
  untilMs: number,
  now: () => number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const leftMs = untilMs - now();
    if (leftMs <= 0) return;
    try {
      await sleep(Math.min(leftMs, MAX_TIMER_MS), undefined, { signal });
    } catch {
      signal.throwIfAborted();
    }
  }
}
