/** A unit that is searched for: a word, a part of an identifier, two characters of Japanese. */
export interface Term {
  /** Normalised: two terms match when their texts are equal. Without spaces. */
  readonly text: string;
  /** UTF-16 offset of its first character in the text that was analysed. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  /**
   * Its place among the terms that phrases go through. Absent for an extra term, which can be found
   * but is next to the line, such as a part of an identifier.
   */
  readonly position?: number;
  /** In a query: terms of one group follow each other directly. Absent: a group of its own. */
  readonly group?: number;
  /** In a query: longer terms that begin with this one match too. */
  readonly isPrefix?: boolean;
  /** In a query: says little on its own; it helps to rank what the other terms find. */
  readonly isWeak?: boolean;
}

/**
 * Cuts text into terms. The same analyser must cut what is stored and what is asked: an index
 * remembers the `id` and is rebuilt when it changes.
 */
export interface TextAnalyzer {
  readonly specVersion: 1;
  /** Changes whenever the same text would give other terms. */
  readonly id: string;

  /**
   * @param mode - `'index'` for what is stored, `'query'` for what is asked.
   * @returns Terms in the order of their first characters.
   */
  analyze(text: string, mode: 'index' | 'query'): readonly Term[];

  /**
   * Returns the texts of what `analyze(text, 'index')` gives, for storing faster. An analyser that is made of
   * another one and cuts in its own way must not take this over.
   */
  terms?(text: string): TermTexts;

  /**
   * At least those of the terms that `analyze(text, 'index')` gives which are looked for, in this order, for
   * cutting snippets faster. An analyser that cuts in its own way must not take this over, either.
   *
   * @param terms - The terms to look for: a term, or all that begin with it.
   */
  find?(text: string, terms: readonly WantedTerm[]): readonly Term[];
}

/** A term that is looked for in a text. */
export interface WantedTerm {
  readonly text: string;
  /** Longer terms that begin with it are looked for, too. */
  readonly isPrefix: boolean;
}

/** The texts of terms, without their places: one, or several with spaces between them, in each item. */
export interface TermTexts {
  /** Those with a position, in the order of their positions. */
  readonly line: readonly string[];
  /** Those without one. */
  readonly extra: readonly string[];
}
