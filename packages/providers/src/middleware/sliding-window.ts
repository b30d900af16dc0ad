import { MAX_TIMER_MS } from '../adapter-kit/limits.ts';

/** The most that may begin within a window. */
export interface WindowLimits {
  readonly windowMs: number;
  /** `Infinity` for no limit. */
  readonly requests: number;
  /** `Infinity` for no limit. */
  readonly tokens: number;
}

/** A call that began. */
export interface WindowEntry {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  tokens: number;
}

/**
 * Counts the calls of the last moments, and lets the next one in when there is room. One caller may
 * wait at a time.
 */
export class SlidingWindow {
  readonly #limits: WindowLimits;
  #entries: WindowEntry[] = [];
  #closedUntil = 0;
  #wake: (() => void) | undefined;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  /** Waits until there is room, or until the signal aborts, and then takes it. */
  async enter(tokens: number, signal: AbortSignal): Promise<WindowEntry> {
    for (;;) {
      signal.throwIfAborted();
      const now = performance.now();
      const waitMs = this.#waitMs(tokens, now);
      if (waitMs <= 0) {
        const entry = { at: now, tokens };
        this.#entries.push(entry);
        return entry;
      }
      await this.#pause(waitMs, signal);
    }
  }

  /** Replaces the estimate of a call by what it took. */
  correct(entry: WindowEntry, tokens: number): void {
    entry.tokens = tokens;
    this.#wake?.();
  }

  /** Admits no call for this time. */
  close(ms: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + ms);
  }

  #waitMs(tokens: number, now: number): number {
    if (now < this.#closedUntil) return this.#closedUntil - now;
    const { windowMs, requests, tokens: maxTokens } = this.#limits;
    const entries = this.#entries.filter(({ at }) => at > now - windowMs);
    this.#entries = entries;
    let mustLeave = entries.length - requests + 1;
    let sum = entries.reduce((total, entry) => total + entry.tokens, tokens);
    for (const [index, entry] of entries.entries()) {
      if (sum <= maxTokens) break;
      sum -= entry.tokens;
      mustLeave = Math.max(mustLeave, index + 1);
    }
    const last = entries[mustLeave - 1];
    return last ? last.at + windowMs - now : 0;
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', go);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(go, Math.min(ms, MAX_TIMER_MS));
      signal.addEventListener('abort', go, { once: true });
      this.#wake = go;
    });
  }
}
