/** More than any keyword has characters: places are asked for in the order of the ends of keywords. */
const MARGIN = 64;

/** An escape between two parts, such as `\\n`, is a part, too. */
const LONGEST_GAP = 4;

/** Parts of a text, to ask of ascending places whether they are in one. */
export class CoveredParts {
  /** Pairs of the start and the end of a part. */
  #parts: number[] = [];
  #isSorted = true;
  #at = 0;

  /** Adds a part, in any order. */
  add(start: number, end: number): void {
    const parts = this.#parts;
    if (parts.length > 0 && start < (parts[parts.length - 2] ?? 0)) this.#isSorted = false;
    parts.push(start, end);
  }

  /** Joins what overlaps or nearly touches, after the last part and before the first question. */
  join(): void {
    if (!this.#isSorted) this.#sort();
    const parts = this.#parts;
    let size = 0;
    for (let at = 0; at < parts.length; at += 2) {
      const start = parts[at] ?? 0;
      const end = parts[at + 1] ?? 0;
      const last = size > 0 ? (parts[size - 1] ?? 0) : -1;
      if (size > 0 && start <= last + LONGEST_GAP) parts[size - 1] = Math.max(last, end);
      else {
        parts[size++] = start;
        parts[size++] = end;
      }
    }
    parts.length = size;
  }

  #sort(): void {
    const parts = this.#parts;
    const pairs = Array.from({ length: parts.length / 2 }, (_, at) => at * 2);
    pairs.sort((a, b) => (parts[a] ?? 0) - (parts[b] ?? 0));
    const sorted: number[] = [];
    for (const at of pairs) sorted.push(parts[at] ?? 0, parts[at + 1] ?? 0);
    this.#parts = sorted;
  }

  /** Returns the end of the part that a place is in, or -1. */
  endAt(place: number): number {
    const parts = this.#parts;
    while (this.#at < parts.length && (parts[this.#at + 1] ?? 0) <= place - MARGIN) this.#at += 2;
    for (let at = this.#at; at < parts.length; at += 2) {
      if ((parts[at] ?? 0) > place) return -1;
      const end = parts[at + 1] ?? 0;
      if (place < end) return end;
    }
    return -1;
  }
}
