/** More than any keyword has characters: places are asked for in the order of the ends of keywords. */
const MARGIN = 64;

/** An escape between two parts, such as `\\n`, is a part, too. */
const LONGEST_GAP = 4;

/** Parts of a text, to ask of ascending places whether they are in one. */
export class CoveredParts {
  readonly #parts: { readonly start: number; readonly end: number }[] = [];
  #at = 0;

  /** Adds a part, in any order. */
  add(start: number, end: number): void {
    this.#parts.push({ start, end });
  }

  /** Joins what overlaps or nearly touches, after the last part and before the first question. */
  join(): void {
    const parts = this.#parts;
    if (parts.some(({ start }, at) => start < (parts[at - 1]?.start ?? 0))) {
      parts.sort((a, b) => a.start - b.start);
    }
    let size = 0;
    for (const part of parts) {
      const last = parts[size - 1];
      if (size > 0 && last && part.start <= last.end + LONGEST_GAP) {
        parts[size - 1] = { start: last.start, end: Math.max(last.end, part.end) };
      } else parts[size++] = part;
    }
    parts.length = size;
  }

  /** Returns the end of the part that a place is in, or -1. */
  endAt(place: number): number {
    const parts = this.#parts;
    while (this.#at < parts.length && (parts[this.#at]?.end ?? 0) <= place - MARGIN) this.#at++;
    for (let at = this.#at; at < parts.length; at++) {
      const part = parts[at];
      if (!part || part.start > place) return -1;
      if (place < part.end) return part.end;
    }
    return -1;
  }
}
