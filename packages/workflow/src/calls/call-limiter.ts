import { Semaphore } from '@vizprompt/providers/internal';

const DEFAULT_TOTAL = 64;

/** Lets calls wait for a permit. */
export interface CallLimiter {
  /**
   * Waits for a permit and holds it until the returned function is called.
   *
   * @param provider - For calls of models.
   * @throws The signal's reason, if it is aborted first.
   */
  acquire(signal?: AbortSignal, provider?: string): Promise<() => void>;
}

/** Limits of one process. */
export class Limiter implements CallLimiter {
  readonly #total: Semaphore;
  readonly #providers = new Map<string, Semaphore>();

  /** The limits are numbers from 1 on. */
  constructor({ total = DEFAULT_TOTAL, providers = {} }: Concurrency = {}) {
    this.#total = new Semaphore(total);
    for (const [provider, count] of Object.entries(providers)) {
      this.#providers.set(provider, new Semaphore(count));
    }
  }

  acquire(signal?: AbortSignal, provider?: string): Promise<() => void> {
    const own = provider === undefined ? undefined : this.#providers.get(provider);
    return own ? this.#acquireBoth(own, signal) : this.#total.acquire(signal);
  }

  /** Takes the narrower one first: a call that waits for it must not hold a permit that others can use. */
  async #acquireBoth(own: Semaphore, signal: AbortSignal | undefined): Promise<() => void> {
    const releaseOwn = await own.acquire(signal);
    try {
      const releaseTotal = await this.#total.acquire(signal);
      return () => {
        releaseTotal();
        releaseOwn();
      };
    } catch (error) {
      releaseOwn();
      throw error;
    }
  }
}

/** How much happens at a time. */
export interface Concurrency {
  /** Calls of models, functions, tools, retrievers and activities, of all runs. Default: 64. */
  readonly total?: number | undefined;
  /** Calls of models of a provider, such as `{ ollama: 1 }`. Default: no limit of their own. */
  readonly providers?: Readonly<Record<string, number>> | undefined;
}
