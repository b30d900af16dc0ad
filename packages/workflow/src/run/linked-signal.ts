import { setMaxListeners } from 'node:events';

/** A signal that follows another one, and can be aborted on its own. */
export interface LinkedSignal {
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

/** How long work may take to end when it is told to, in milliseconds; then nobody waits for it any more. */
const GRACE_MS = 30;

/**
 * Waits for work, but no longer than until a signal is aborted; the work may hear it or not. What hears it has a
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
