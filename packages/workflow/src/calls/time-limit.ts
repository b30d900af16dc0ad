import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Timeout, toMs } from '../definition/policies.ts';
import { WorkflowError } from '../errors.ts';

/** Above this, timers fire at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/**
 * The time that all attempts of a call have together. It begins with {@link start}, when the first of them has a place.
 */
export class CallDeadline {
  /** Follows the signal of the run, and is aborted when the time is over. */
  readonly signal: AbortSignal;
  readonly #linked: LinkedSignal;
  readonly #total: Timeout['total'];
  #timer: NodeJS.Timeout | undefined;
  #hasStarted = false;

  constructor(timeout: Timeout | undefined, outer: AbortSignal) {
    this.#linked = linkSignal(outer);
    this.#total = timeout?.total;
    this.signal = this.#linked.signal;
  }

  /** Starts the time, once. */
  start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#timer = startTimer(this.#total, (ms) => {
      const message = `it took longer than ${ms} ms, all attempts together (timeout.total)`;
      const context = { limit: 'total', ms };
      this.#linked.abort(new WorkflowError('timeout', message, { context }));
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#linked.unlink();
  }
}

/** An attempt that is being timed. */
export interface TimedAttempt {
  readonly signal: AbortSignal;
  /** Reports that something has come. */
  alive(): void;
}

/**
 * Does an attempt within its time. It returns when the time is over or the signal aborted, whether the work ends
 * or not.
 *
 * @throws WorkflowError with the code `timeout`, the signal's reason, or what the work throws.
 */
export async function withinTime<T>(
  timeout: Timeout | undefined,
  outer: AbortSignal,
  work: (attempt: TimedAttempt) => Promise<T>,
): Promise<T> {
  if (!timeout) return unlessAborted(work({ signal: outer, alive: nothing }), outer);
  const linked = linkSignal(outer);
  const stop = (limit: 'attempt' | 'idle', ms: number): void => {
    const what = limit === 'attempt' ? `it took longer than` : `nothing came for`;
    const message = `${what} ${ms} ms (timeout.${limit})`;
    linked.abort(new WorkflowError('timeout', message, { context: { limit, ms } }));
  };
  const whole = startTimer(timeout.attempt, (ms) => stop('attempt', ms));
  const idle = startTimer(timeout.idle, (ms) => stop('idle', ms));
  try {
    const attempt = { signal: linked.signal, alive: () => void idle?.refresh() };
    return await unlessAborted(work(attempt), linked.signal);
  } catch (error) {
    // A call that was aborted by its time says no more than that it was aborted.
    if (linked.signal.aborted) throw linked.signal.reason;
    throw error;
  } finally {
    clearTimeout(whole);
    clearTimeout(idle);
    linked.unlink();
  }
}

/** Starts a timer of a limit, if there is one that a timer can hold. */
export function startTimer(
  limit: Timeout['total'],
  onTime: (ms: number) => void,
): NodeJS.Timeout | undefined {
  if (limit === undefined) return undefined;
  const ms = toMs(limit);
  return ms > MAX_TIMER_MS ? undefined : setTimeout(() => onTime(ms), ms);
}

function nothing(): void {}

/** Interval at which a wait checks whether the clock of the machine was set forward, in milliseconds. */
const LOOK_MS = 60_000;

/**
 * Waits until a time, however far it is: as long as it is from now, or less if the clock is set forward meanwhile. Setting
 * it back makes the wait no longer.
 *
 * @param untilMs - Milliseconds since 1970.
 * @throws The signal's reason.
 */
export async function waitUntil(
  untilMs: number,
  now: () => number,
  signal: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + untilMs - now();
  for (;;) {
    const leftMs = Math.min(untilMs - now(), endsAt - performance.now());
    if (leftMs <= 0) return;
    try {
      await sleep(Math.min(leftMs, LOOK_MS), undefined, { signal });
    } catch {
      signal.throwIfAborted();
    }
  }
}

/** A signal that follows another one, and can be aborted on its own. */
interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Follows no longer. */
  unlink(): void;
}

/** Makes a signal that is aborted with any of others. Call `unlink` when it is not needed any more. */
export function linkSignal(...others: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  // Thousands of parts may follow one signal; Node takes more than ten for a leak.
  setMaxListeners(0, signal);
  const links = others.flatMap((other) => {
    if (!other) return [];
    const follow = (): void => controller.abort(other.reason);
    if (other.aborted) follow();
    else other.addEventListener('abort', follow, { once: true });
    return [() => other.removeEventListener('abort', follow)];
  });
  return {
    signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => links.forEach((unlink) => unlink()),
  };
}

/** How long work may take to end after its signal, in milliseconds; then it is not waited for any more. */
const GRACE_MS = 30;

/**
 * Waits for work, but no longer than until a signal is aborted; the work may hear it or not. Work that hears it has a
 * moment to end: to say what it cost, and to leave nothing behind.
 *
 * @throws The signal's reason, once it is aborted, or what the work throws.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let grace: NodeJS.Timeout | undefined;
    const giveUp = (): void => reject(signal.reason);
    const stop = (): void => {
      grace = setTimeout(giveUp, GRACE_MS);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', stop);
      clearTimeout(grace);
      settle();
    };
    work.then(
      (value) => end(() => (signal.aborted ? giveUp() : resolve(value))),
      (error: unknown) => end(() => (signal.aborted ? giveUp() : reject(error))),
    );
  });
}
