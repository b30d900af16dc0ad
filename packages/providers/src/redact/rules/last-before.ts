/** This much of a text is looked at once, and more than a match is long is looked at twice. */
const BLOCK = 512;
const OVERLAP = 40;

/** Checks for ascending places of a text whether a pattern matches shortly before them, reading the text once. */
export class LastBefore {
  readonly #pattern: RegExp;
  readonly #distance: number;
  #text = '';
  #place = 0;
  /** Where the last match before the place begins. */
  #last = -1;
  /** Where the next one begins, or up to where there is none. */
  #next = -1;
  #isMatch = false;

  /**
   * @param pattern - Matches what is shorter than 40 characters.
   * @param distance - How far before a place a match may begin.
   */
  constructor(pattern: RegExp, distance: number) {
    this.#pattern = new RegExp(pattern, 'g');
    this.#distance = distance;
  }

  /** Checks whether a match begins in the characters before a place. */
  isBefore(text: string, place: number): boolean {
    if (place < this.#place || text !== this.#text) {
      this.#text = text;
      this.#last = -1;
      this.#next = -1;
      this.#isMatch = false;
    }
    this.#place = place;
    while (this.#next < place) this.#advance(place - this.#distance);
    return this.#last >= 0 && this.#last >= place - this.#distance;
  }

  #advance(least: number): void {
    if (this.#isMatch) this.#last = this.#next;
    const from = Math.max(0, least, this.#isMatch ? this.#next + 1 : this.#next - OVERLAP);
    const part = this.#text.slice(from, from + BLOCK);
    const pattern = this.#pattern;
    pattern.lastIndex = 0;
    this.#isMatch = pattern.test(part);
    if (!this.#isMatch) this.#next = from + BLOCK;
    else {
      pattern.lastIndex = 0;
      this.#next = from + part.search(pattern);
    }
  }
}
