const DEFAULT_TOTAL = 64;

/** Lets calls wait until there is a place for them. */
export interface CallLimiter {
  /**
   * Waits for a place and keeps it until the returned function is called.
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

  acquire(signal: AbortSignal = NEVER, provider?: string): Promise<() => void> {
    const own = provider === undefined ? undefined : this.#providers.get(provider);
    return own ? this.#acquireBoth(own, signal) : this.#total.acquire(signal);
  }

  /** First the narrower one: who waits for it should not keep a place that others can use. */
  async #acquireBoth(own: Semaphore, signal: AbortSignal): Promise<() => void> {
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

const NEVER = new AbortController().signal;

/** How much happens at a time. */
export interface Concurrency {
  /** Calls of models, functions, tools, retrievers and activities, of all runs. Default: 64. */
  readonly total?: number;
  /** Calls of models of a provider, such as `{ ollama: 1 }`. Default: no limit of their own. */
  readonly providers?: Readonly<Record<string, number>>;
} /** A number of places; who comes when all are taken waits in line. */
class Semaphore {
  readonly #count: number;
  readonly #line = new Set<() => void>();
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /**
   * Takes a place and keeps it until the returned function is called.
   *
   * @throws The signal's reason, if it is aborted first.
   */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#count) this.#taken++;
    else await this.#turn(signal);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#release();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#line.delete(turn);
        reject(signal.reason);
      };
      this.#line.add(turn);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** The place goes to the first in line, if there is one. */
  #release(): void {
    const [next] = this.#line;
    if (!next) {
      this.#taken--;
      return;
    }
    this.#line.delete(next);
    next();
  }
}
