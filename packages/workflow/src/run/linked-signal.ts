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

/** Waits for work, but no longer than until a signal is aborted; the work may hear it or not. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.finally(() => signal.removeEventListener('abort', stop)).then(resolve, reject);
  });
}
