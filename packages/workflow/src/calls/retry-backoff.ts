import { backoffMs, retryWithBackoff } from '@vizprompt/providers/internal';
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
  /** True if the step itself asks for it: errors that do not say whether they pass are then repeated, too. */
  readonly isAskedFor: boolean;
  readonly signal: AbortSignal;
  readonly onRetry: (notice: RetryNotice) => void;
}

/**
 * Repeats failed work by the rules of a step.
 *
 * @throws the error of the last attempt, or the signal's reason.
 */
export function retryByRules<T>(
  { rules, isAskedFor, signal, onRetry }: RetryOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { maxAttempts = 3 } = rules;
  return retryWithBackoff(work, {
    signal,
    delayMs: (error, attempt) => {
      const isOver = attempt >= maxAttempts || signal.aborted || isFatal(error);
      if (isOver || !isRepeated(error, rules, isAskedFor)) return undefined;
      return Math.round(delayAfter(attempt, error, rules));
    },
    onRetry: ({ attempt, error, delayMs }) =>
      onRetry({ attempt: attempt + 1, waitMs: delayMs, error }),
  });
}

function isRepeated(error: unknown, { on }: Retry, isAskedFor: boolean): boolean {
  if (on) return on.includes(codeOf(error) ?? '');
  const says =
    typeof error === 'object' && error !== null && 'isRetryable' in error
      ? error.isRetryable
      : undefined;
  return typeof says === 'boolean' ? says : isAskedFor;
}

/** Returns milliseconds, never fewer than a server asks for by `Retry-After`. */
function delayAfter(
  attempt: number,
  error: unknown,
  { delay = 1000, backoff = 2, maxDelay = 30_000, jitter = true }: Retry,
): number {
  const asked =
    typeof error === 'object' && error !== null && 'retryAfterMs' in error
      ? Number(error.retryAfterMs ?? 0)
      : 0;
  const options = { baseMs: toMs(delay), factor: backoff, maxMs: toMs(maxDelay), jitter };
  return Math.max(asked, backoffMs(attempt, options));
}
