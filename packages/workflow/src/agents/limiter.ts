import PQueue from 'p-queue';
import type { Concurrency } from '../options.ts';

const DEFAULT_TOTAL = 64;

/** Lets calls wait until there is a place for them. */
export interface CallLimiter {
  /**
   * Waits for a place and keeps it until the returned function is called.
   *
   * @param provider - For calls of models.
   * @throws The signal's reason, if it is aborted first.
   */
  enter(signal?: AbortSignal, provider?: string): Promise<() => void>;
}

/** Limits of one process. */
export class Limiter implements CallLimiter {
  readonly #total: PQueue;
  readonly #providers = new Map<string, PQueue>();

  /** @throws RangeError for a limit that is no number from 1 on. */
  constructor({ total = DEFAULT_TOTAL, providers = {} }: Concurrency = {}) {
    this.#total = new PQueue({ concurrency: total });
    for (const [provider, concurrency] of Object.entries(providers)) {
      this.#providers.set(provider, new PQueue({ concurrency }));
    }
  }

  async enter(signal: AbortSignal = NEVER, provider?: string): Promise<() => void> {
    const own = provider === undefined ? undefined : this.#providers.get(provider);
    // First the narrower one: who waits for it should not keep a place that others can use.
    const leaveOwn = own && (await place(own, signal));
    try {
      const leaveTotal = await place(this.#total, signal);
      return () => {
        leaveTotal();
        leaveOwn?.();
      };
    } catch (error) {
      leaveOwn?.();
      throw error;
    }
  }
}

const NEVER = new AbortController().signal;

/** Takes a place and keeps it until the returned function is called. */
function place(queue: PQueue, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const stay = (): Promise<void> => new Promise((leave) => resolve(leave));
    queue.add(stay, { signal }).catch(reject);
  });
}
