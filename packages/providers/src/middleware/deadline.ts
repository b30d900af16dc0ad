import type { ChatRequest, Timeouts } from '../models/request.ts';

/** The `timeout.totalMs` of a request, kept over several calls of the model. */
export class Deadline {
  readonly #at: number;

  /** The time runs from now. */
  constructor(timeout: Timeouts | undefined) {
    this.#at = performance.now() + (timeout?.totalMs ?? Infinity);
  }

  /** Milliseconds; `Infinity` without a limit, never below 0. */
  get leftMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  /** Checks whether a wait leaves time for a call after it. */
  allows(waitMs: number): boolean {
    return this.leftMs - waitMs >= 1;
  }

  /** Returns the request with what is left as its `totalMs`. */
  applyTo(request: ChatRequest): ChatRequest {
    const { leftMs } = this;
    if (leftMs === Infinity) return request;
    const totalMs = Math.max(1, Math.ceil(leftMs));
    return { ...request, timeout: { ...request.timeout, totalMs } };
  }
}
