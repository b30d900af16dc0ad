import { forgetLater } from '../held-texts.ts';

/** Matches are looked for that begin in this much of a text, and these are shorter. */
const BLOCK = 512;
const LONGEST_MATCH = 40;

/** Checks for ascending places of a text whether a pattern matches shortly before them, reading the text once. */
export class LastBefore {
  readonly #pattern: RegExp;
  readonly #distance: number;
  readonly #forget = (): void => {
    this.#text = '';
  };
  #text = '';
  #place = 0;
  /** Where the last match before the place begins that was looked for. */
  #last = -1;
  /** Where the next one begins, or -1. */
  #next = -1;
  /** No other one begins before. */
  #read = 0;

  /**
   * @param pattern - Matches what is shorter than 40 characters.
   * @param distance - How far before a place a match may begin.
   */
  constructor(pattern: RegExp, distance: number) {
    this.#pattern = new RegExp(pattern, `${pattern.flags}g`);
    this.#distance = distance;
  }

  /** Checks whether a match begins in the characters before a place. */
  isBefore(text: string, place: number): boolean {
    if (place < this.#place || text !== this.#text) {
      if (this.#text === '') forgetLater(this.#forget);
      this.#text = text;
      this.#last = -1;
      this.#next = -1;
      this.#read = 0;
    }
    this.#place = place;
    const least = Math.max(0, place - this.#distance);
    while (this.#last < least) {
      if (this.#next < 0 && this.#read < place) this.#search(Math.max(least, this.#read));
      else if (this.#next < 0 || this.#next >= place) return false;
      else {
        this.#last = this.#next;
        this.#next = -1;
      }
    }
    return true;
  }

  #search(from: number): void {
    // The characters before and after a match say whether it begins and ends a word.
    const start = Math.max(0, from - 1);
    const pattern = this.#pattern;
    pattern.lastIndex = from - start;
    const match = pattern.exec(this.#text.slice(start, from + BLOCK + LONGEST_MATCH));
    const at = match ? start + match.index : from + BLOCK;
    this.#next = at < from + BLOCK ? at : -1;
    this.#read = Math.min(at + 1, from + BLOCK);
  }
}
