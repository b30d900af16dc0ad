/** How many messages may come: so many a second, and twice as many at once. */
export class RateLimit {
  readonly #perSecond: number;
  #left: number;
  #time: number = performance.now();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond * 2;
  }

  /**
   * Takes so many of what is left.
   *
   * @returns 0, or how many milliseconds it takes until there are enough; then nothing is taken.
   */
  take(count: number): number {
    const now = performance.now();
    const most = this.#perSecond * 2;
    this.#left = Math.min(most, this.#left + ((now - this.#time) / 1000) * this.#perSecond);
    this.#time = now;
    // What costs more than there can ever be is let through when all of it is there.
    const cost = Math.min(count, most);
    if (this.#left < cost) return Math.ceil(((cost - this.#left) / this.#perSecond) * 1000);
    this.#left -= cost;
    return 0;
  }
}
