import { setTimeout as sleep } from 'node:timers/promises';
import { type Retry, toMs } from '../definition/policies.ts';
import { codeOf, isFatal } from '../errors.ts';

/** Another attempt will follow. */
export interface RetryNotice {
  /** The attempt that comes, from 2. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: unknown;
}

/** How attempts are repeated. */
interface RetryOptions {
  readonly rules: Retry;
  /** Whether the step itself asks for it: errors that do not say whether they pass are then repeated, too. */
  readonly isAskedFor: boolean;
  readonly signal: AbortSignal;
  readonly onRetry: (notice: RetryNotice) => void;
}

/**
 * Repeats what failed and may pass.
 *
 * @throws What the last attempt threw, or the signal's reason.
 */
export async function retryWithBackoff<T>(
  { rules, isAskedFor, signal, onRetry }: RetryOptions,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  const { maxAttempts = 3 } = rules;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (signal.aborted || isFatal(error)) throw error;
      if (attempt >= maxAttempts || !isRepeated(error, rules, isAskedFor)) throw error;
      const waitMs = Math.round(waitBefore(attempt, error, rules));
      onRetry({ attempt: attempt + 1, waitMs, error });
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function isRepeated(error: unknown, { on }: Retry, isAskedFor: boolean): boolean {
  if (on) return on.includes(codeOf(error) ?? '');
  const says =
    typeof error === 'object' && error !== null && 'isRetryable' in error
      ? error.isRetryable
      : undefined;
  return typeof says === 'boolean' ? says : isAskedFor;
}

/** Milliseconds; what a server asks for by `Retry-After` is kept in any case. */
function waitBefore(
  attempt: number,
  error: unknown,
  { delay = 1000, backoff = 2, maxDelay = 30_000, jitter = true }: Retry,
): number {
  const whole = Math.min(toMs(maxDelay), toMs(delay) * backoff ** (attempt - 1));
  const asked =
    typeof error === 'object' && error !== null && 'retryAfterMs' in error
      ? Number(error.retryAfterMs ?? 0)
      : 0;
  return Math.max(asked, jitter ? Math.random() * whole : whole);
}
