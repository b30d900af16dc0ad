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
