import type { Concurrency } from '../options.ts';
import { Places } from './places.ts';

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
  readonly #total: Places;
  readonly #providers = new Map<string, Places>();

  /** The limits are numbers from 1 on. */
  constructor({ total = DEFAULT_TOTAL, providers = {} }: Concurrency = {}) {
    this.#total = new Places(total);
    for (const [provider, count] of Object.entries(providers)) {
      this.#providers.set(provider, new Places(count));
    }
  }

  enter(signal: AbortSignal = NEVER, provider?: string): Promise<() => void> {
    const own = provider === undefined ? undefined : this.#providers.get(provider);
    return own ? this.#enterBoth(own, signal) : this.#total.enter(signal);
  }

  /** First the narrower one: who waits for it should not keep a place that others can use. */
  async #enterBoth(own: Places, signal: AbortSignal): Promise<() => void> {
    const leaveOwn = await own.enter(signal);
    try {
      const leaveTotal = await this.#total.enter(signal);
      return () => {
        leaveTotal();
        leaveOwn();
      };
    } catch (error) {
      leaveOwn();
      throw error;
    }
  }
}

const NEVER = new AbortController().signal;
