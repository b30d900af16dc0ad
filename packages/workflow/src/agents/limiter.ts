import PQueue from 'p-queue';
import type { Concurrency } from '../options.ts';

const DEFAULT_TOTAL = 64;

/** Lets calls wait until there is a place for them. */
export class Limiter {
  readonly #total: PQueue;
  readonly #providers = new Map<string, PQueue>();

  /** @throws RangeError for a limit that is no number from 1 on. */
  constructor({ total = DEFAULT_TOTAL, providers = {} }: Concurrency = {}) {
    this.#total = new PQueue({ concurrency: total });
    for (const [provider, concurrency] of Object.entries(providers)) {
      this.#providers.set(provider, new PQueue({ concurrency }));
    }
  }

  /**
   * Does work when there is a place.
   *
   * @throws The signal's reason, if it is aborted while it waits, and what the work throws.
   */
  async run<T>(
    work: () => Promise<T>,
    signal: AbortSignal,
    provider?: string,
  ): Promise<T> {
    const leaveTotal: (() => void)[] = [];
    const own = provider === undefined ? undefined : this.#providers.get(provider);
    try {
      // First the narrower one: who waits for it should not keep a place that others can use.
      if (own) leaveTotal.push(await place(own, signal));
      leaveTotal.push(await place(this.#total, signal));
      return await work();
    } finally {
      for (const leave of leaveTotal) leave();
    }
  }
}

/** Takes a place and keeps it until the returned function is called. */
function place(queue: PQueue, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const stay = (): Promise<void> => new Promise((leave) => resolve(leave));
    queue.add(stay, { signal }).catch(reject);
  });
}
