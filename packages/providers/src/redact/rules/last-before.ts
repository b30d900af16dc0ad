/** More than a match has characters. */
const LONGEST = 40;

/** Tells for ascending places of a text whether a pattern matches shortly before them, reading the text once. */
export class LastBefore {
  readonly #pattern: RegExp;
  readonly #distance: number;
  #text = '';
  /** Matches that begin before this place are known. */
  #upTo = 0;
  /** Where the last of them begins. */
  #last = -1;

  /**
   * @param pattern - Has the flag `g`, and matches some characters that nothing before them hides.
   * @param distance - How far before a place a match may begin.
   */
  constructor(pattern: RegExp, distance: number) {
    this.#pattern = pattern;
    this.#distance = distance;
  }

  /** Checks whether a match begins in the characters before a place. */
  isBefore(text: string, place: number): boolean {
    if (text !== this.#text || place < this.#upTo) {
      this.#text = text;
      this.#upTo = 0;
      this.#last = -1;
    }
    const least = place - this.#distance;
    if (place > this.#upTo) {
      const from = Math.max(this.#upTo - LONGEST, least, this.#last + 1, 0);
      const pattern = this.#pattern;
      const part = text.slice(from, place);
      pattern.lastIndex = 0;
      for (let match = pattern.exec(part); match; match = pattern.exec(part)) {
        this.#last = from + match.index;
      }
      this.#upTo = place;
    }
    return this.#last >= least && this.#last >= 0;
  }
}
