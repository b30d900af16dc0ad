import { LLMError, type LLMErrorDetails } from '../models/llm-error.ts';
import { allowManyListeners } from '../concurrency/until-aborted.ts';
import { MAX_TIMER_MS } from './limits.ts';

/** The error of a call whose signal was aborted. */
export function abortedError(
  signal: AbortSignal | undefined,
  details: LLMErrorDetails = {},
): LLMError {
  return new LLMError('aborted', 'the call was aborted', { cause: signal?.reason, ...details });
}

/** The signals that may end a wait before its time. */
export interface Interruption {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; `Infinity` for no limit. */
  readonly timeoutMs?: number;
  /** Names the awaited thing in the error, such as `a free place`. */
  readonly what: string;
}

/**
 * Waits for work, but no longer than the caller does. In every case, no timer and no listener
 * stays behind.
 *
 * @param work - Receives a signal of its own, which aborts when the caller does not wait any more.
 * @throws LLMError with the code `aborted` or `timeout`, and the errors of the work.
 */
export function interruptible<T>(
  { signal, timeoutMs = Infinity, what }: Interruption,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const inner = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const close = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const stop = (error: LLMError): void => {
      close();
      reject(error);
      inner.abort(error);
    };
    const onAbort = (): void => stop(abortedError(signal));
    if (signal?.aborted) {
      onAbort();
      return;
    }
    allowManyListeners(signal);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs < MAX_TIMER_MS) {
      timer = setTimeout(() => {
        const message = `the time was over while waiting for ${what} (timeout.totalMs)`;
        stop(new LLMError('timeout', message));
      }, timeoutMs);
    }
    work(inner.signal).finally(close).then(resolve, reject);
  });
}
