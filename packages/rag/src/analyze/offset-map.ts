/** Where the pieces of a changed text came from. Offsets must be added in rising order. */
export class OffsetMap {
  readonly #starts: number[] = [];
  readonly #originalStarts: number[] = [];
  /** The end of the original piece if it counts as a whole; -1 if its units correspond. */
  readonly #originalEnds: number[] = [];
  /** The piece that was asked for last: the next one is mostly the same. */
  #last = 0;

  /** From `at` on, units correspond to those from `original` on, one to one. */
  addSame(at: number, original: number): void {
    const last = this.#starts.length - 1;
    const isInStep =
      this.#originalEnds[last] === -1 &&
      (this.#originalStarts[last] ?? 0) - (this.#starts[last] ?? 0) === original - at;
    if (!isInStep) this.#add(at, original, -1);
  }

  /** From `at` on, units stand for all of `[originalStart, originalEnd)`. */
  addWhole(at: number, originalStart: number, originalEnd: number): void {
    this.#add(at, originalStart, originalEnd);
  }

  /** The offset in the original where the unit at `at` begins. */
  startOf(at: number): number {
    const piece = this.#pieceOf(at);
    const original = this.#originalStarts[piece] ?? 0;
    if (this.#originalEnds[piece] !== -1) return original;
    return original + at - (this.#starts[piece] ?? 0);
  }

  /** The offset in the original behind the unit that ends before `at`. */
  endOf(at: number): number {
    if (at === 0) return 0;
    const piece = this.#pieceOf(at - 1);
    const end = this.#originalEnds[piece] ?? -1;
    if (end !== -1) return end;
    return (this.#originalStarts[piece] ?? 0) + at - (this.#starts[piece] ?? 0);
  }

  #add(at: number, original: number, end: number): void {
    this.#starts.push(at);
    this.#originalStarts.push(original);
    this.#originalEnds.push(end);
  }

  /** The last piece that begins at or before an offset. */
  #pieceOf(at: number): number {
    const starts = this.#starts;
    let low = this.#last;
    let high = low + 1;
    if ((starts[low] ?? 0) > at || (starts[high] ?? Infinity) <= at) {
      low = 0;
      high = starts.length;
    }
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return (this.#last = low);
  }
}
