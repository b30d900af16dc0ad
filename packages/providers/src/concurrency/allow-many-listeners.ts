import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

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
