import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

/** Hundreds of calls may share one signal; Node takes more than ten listeners for a leak. */
export function expectManyListeners(signal: AbortSignal | undefined): void {
  if (!(signal instanceof EventTarget)) return;
  if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(1500, signal);
}
