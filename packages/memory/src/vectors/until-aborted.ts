/** Waits for what somebody else does, but no longer than until a signal, whether they heed it or not. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody hears of it any more if it fails later.
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
