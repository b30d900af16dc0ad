import { flatText } from '@vizprompt/providers/internal';

/** Longer texts are compared with those of a `TextCache`: a set would hash all of their characters. */
const LONGEST = 500;
/** How many texts are in the newer half when the older one is dropped. */
const HALF = 2000;

/** A set of short texts that drops those that were not looked for lately. */
export class RecentTexts {
  #newer = new Set<string>();
  #older = new Set<string>();

  has(text: string): boolean {
    if (text.length >= LONGEST) return false;
    if (this.#newer.has(text)) return true;
    if (!this.#older.has(text)) return false;
    this.add(text);
    return true;
  }

  add(text: string): void {
    if (text.length >= LONGEST || this.#newer.has(text)) return;
    if (this.#newer.size >= HALF) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(flatText(text));
  }
}
