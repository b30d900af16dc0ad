import type { WordFinder } from '../analyze/analyze-chunk.ts';
import type { Word } from '../analyze/analyzer.ts';

/** Finds the words of texts before they are asked for, and gives them away once. */
export class ForeseeingWords implements WordFinder {
  readonly #finder: WordFinder;
  readonly #found = new Map<string, readonly Word[]>();

  constructor(finder: WordFinder) {
    this.#finder = finder;
  }

  foresee(text: string): void {
    this.#found.set(text, this.#finder.words(text));
  }

  words(text: string): readonly Word[] {
    const found = this.#found.get(text);
    if (!found) return this.#finder.words(text);
    this.#found.delete(text);
    return found;
  }

  readings(basic: string): readonly string[] {
    return this.#finder.readings(basic);
  }

  /** What was not asked for by now will not be. */
  forget(): void {
    this.#found.clear();
  }
}
