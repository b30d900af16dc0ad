import type { Timeout } from '../definition/policies.ts';
import { toMs } from '../definition/duration.ts';
import { WorkflowError } from '../errors.ts';
import { linkSignal, unlessAborted } from '../run/linked-signal.ts';

/** Above this, timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** An attempt that is being timed. */
export interface TimedAttempt {
  readonly signal: AbortSignal;
  /** Tells that something has come. */
  alive(): void;
}

/**
 * Does an attempt within its time. It returns when the time is over or the signal aborted, whether the work hears
 * of that or not.
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
  const stop = (limit: 'total' | 'idle', ms: number): void => {
    const what = limit === 'total' ? `it took longer than` : `nothing came for`;
    const message = `${what} ${ms} ms (timeout.${limit})`;
    linked.abort(new WorkflowError('timeout', message, { context: { limit, ms } }));
  };
  const total = timer(timeout.total, (ms) => stop('total', ms));
  const idle = timer(timeout.idle, (ms) => stop('idle', ms));
  try {
    const attempt = { signal: linked.signal, alive: () => void idle?.refresh() };
    return await unlessAborted(work(attempt), linked.signal);
  } catch (error) {
    // A call that was aborted by its time says no more than that it was aborted.
    if (linked.signal.aborted) throw linked.signal.reason;
    throw error;
  } finally {
    clearTimeout(total);
    clearTimeout(idle);
    linked.unlink();
  }
}

function timer(limit: Timeout['total'], onTime: (ms: number) => void): NodeJS.Timeout | undefined {
  if (limit === undefined) return undefined;
  const ms = toMs(limit);
  return ms > MAX_TIMER_MS ? undefined : setTimeout(() => onTime(ms), ms);
}

function nothing(): void {}
