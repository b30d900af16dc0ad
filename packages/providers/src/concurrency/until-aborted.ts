import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

/**
 * Waits for the work of another caller, but no longer than until a signal is aborted, whether the work heeds it or
 * not. The outcome of the work is dropped then.
 *
 * @throws The signal's reason, or what the work throws.
 *
 * @example
 * ```ts
 * const vectors = await untilAborted(model.embed({ values }), signal);
 * ```
 */
export async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return work;
  work.catch(() => undefined);
  signal.throwIfAborted();
  let giveUp = (): void => {};
  const end = new Promise<never>((_resolve, reject) => {
    giveUp = (): void => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** Hundreds of calls may share one signal; Node takes more than ten listeners for a leak. */
export function allowManyListeners(signal: AbortSignal | undefined): void {
  if (!(signal instanceof EventTarget)) return;
  if (limitOf(signal) === defaultMaxListeners) setMaxListeners(1500, signal);
}

/** Node 20 throws where there is no limit, instead of giving 0. */
function limitOf(signal: AbortSignal): number {
  try {
    return getMaxListeners(signal);
  } catch {
    return 0;
  }
}
