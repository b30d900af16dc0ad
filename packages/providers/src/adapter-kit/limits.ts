import { allowManyListeners } from '../concurrency/until-aborted.ts';
import { LLMError, type LLMErrorDetails } from '../models/llm-error.ts';
import type { Timeouts } from '../models/request.ts';

/** Above this, Node's timers fire at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/**
 * The limits of one call: the caller's signal and the three timeouts, joined in a signal of the
 * call's own, so that nothing stays behind on a signal that many calls share.
 */
export class CallLimits {
  readonly #controller = new AbortController();
  readonly #timeouts: Timeouts;
  readonly #outer: AbortSignal | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  #failure: LLMError | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isWaiting = false;
  #hasByte = false;
  #interrupt: ((error: LLMError) => void) | undefined;

  constructor(signal: AbortSignal | undefined, timeouts: Timeouts = {}) {
    this.#outer = signal;
    this.#timeouts = timeouts;
    const { totalMs, firstByteMs } = timeouts;
    if (signal?.aborted) this.#onAbort();
    allowManyListeners(signal);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (totalMs !== undefined) {
      this.#after(totalMs, () => `the call took longer than ${totalMs} ms (timeout.totalMs)`);
    }
    if (firstByteMs !== undefined) {
      this.#after(firstByteMs, () =>
        this.#hasByte
          ? undefined
          : `no answer began within ${firstByteMs} ms (timeout.firstByteMs)`,
      );
    }
  }

  /** Aborts when the call must stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the call must stop, once it must. */
  get failure(): LLMError | undefined {
    return this.#failure;
  }

  /** Notes that the answer has begun to arrive. */
  noteFirstByte(): void {
    this.#hasByte = true;
  }

  /**
   * Waits for the next piece of content, but not beyond the limits: it returns to the caller at
   * once, whatever the SDK below makes of the signal. Time that the caller takes does not count as
   * idle.
   */
  wait<T>(piece: Promise<T>): Promise<T> {
    if (this.#failure) {
      piece.catch(() => undefined);
      return Promise.reject(this.#failure);
    }
    return new Promise<T>((resolve, reject) => {
      this.beginWait(reject);
      piece.then(
        (value) => void (this.endWait() && resolve(value)),
        (error: unknown) => void (this.endWait() && reject(error)),
      );
    });
  }

  /** Begins a wait, of which there is one at a time, for a caller that has a promise already: see {@link wait}. */
  beginWait(interrupt: (error: LLMError) => void): void {
    this.#isWaiting = true;
    this.#interrupt = interrupt;
    this.#watchIdle();
  }

  /** Ends a wait; `false` if the limits ended it before. */
  endWait(): boolean {
    if (!this.#interrupt) return false;
    this.#isWaiting = false;
    this.#interrupt = undefined;
    return true;
  }

  /** Ends the call because its caller does not wait for it any more. */
  stop(): void {
    this.#fail(new LLMError('aborted', 'the reader left before the answer ended'));
  }

  /** Stops what is still in progress, and leaves no timer and no listener. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    clearTimeout(this.#idle);
    this.#outer?.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }

  readonly #onAbort = (): void => {
    this.#fail(new LLMError('aborted', 'the call was aborted', { cause: this.#outer?.reason }));
  };

  #after(ms: number, explain: () => string | undefined): void {
    if (!(ms <= MAX_TIMER_MS)) return;
    const timer = setTimeout(() => {
      const message = explain();
      if (message !== undefined) this.#fail(new LLMError('timeout', message));
    }, ms);
    this.#timers.push(timer);
  }

  /** Before the first byte the other limits rule. */
  #watchIdle(): void {
    const { idleMs } = this.#timeouts;
    if (idleMs === undefined || !(idleMs <= MAX_TIMER_MS)) return;
    if (this.#idle) {
      this.#idle.refresh();
      return;
    }
    this.#idle = setTimeout(() => {
      if (!this.#isWaiting || !this.#hasByte) this.#idle?.refresh();
      else {
        const message = `nothing arrived for ${idleMs} ms (timeout.idleMs)`;
        this.#fail(new LLMError('timeout', message));
      }
    }, idleMs);
  }

  #fail(failure: LLMError): void {
    if (this.#failure) return;
    this.#failure = failure;
    const interrupt = this.#interrupt;
    this.#interrupt = undefined;
    interrupt?.(failure);
    this.#controller.abort(failure);
  }
}

/** The error of a call whose signal was aborted. */
export function abortedError(
  signal: AbortSignal | undefined,
  details: LLMErrorDetails = {},
): LLMError {
  return new LLMError('aborted', 'the call was aborted', { cause: signal?.reason, ...details });
}

/** The signals that may end a wait before its time. */
interface Interruption {
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
