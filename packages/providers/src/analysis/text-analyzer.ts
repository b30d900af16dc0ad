import type { NormalizedText } from './normalize.ts';

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

/** Returns the texts of the terms that are stored of a text. */
export function termTexts(analyzer: TextAnalyzer, text: string): TermTexts {
  if (analyzer.terms) return analyzer.terms(text);
  const line: string[] = [];
  const extra: string[] = [];
  for (const term of analyzer.analyze(text, 'index')) {
    (term.position === undefined ? extra : line).push(term.text);
  }
  return { line, extra };
}

/** Returns the same terms as one text each, which takes less room than a list of words. */
export function joinedTerms({ line, extra }: TermTexts): TermTexts {
  return { line: inOne(line), extra: inOne(extra) };
}

function inOne(items: readonly string[]): readonly string[] {
  return items.length > 1 ? [items.join(' ')] : items;
}

/** Collects terms, with offsets into the original and positions that count up. */
export class TermSink {
  readonly terms: Term[] = [];
  readonly #normal: NormalizedText;
  #position = 0;
  #group = 0;

  constructor(normal: NormalizedText) {
    this.#normal = normal;
  }

  /** Returns a new group, for terms that follow each other directly. */
  newGroup(): number {
    return this.#group++;
  }

  /** Adds a term that phrases go through. */
  add(text: string, start: number, end: number, flags?: Partial<Term>): void {
    this.addLower(text.toLowerCase(), start, end, flags);
  }

  /** The same for a text that has no capital letters. */
  addLower(text: string, start: number, end: number, flags?: Partial<Term>): void {
    const position = this.#position++;
    const term = {
      text,
      start: this.#normal.startOf(start),
      end: this.#normal.endOf(end),
      position,
    };
    this.terms.push(flags ? { ...term, ...flags } : term);
  }

  /** Adds a term next to the line. */
  addExtra(text: string, start: number, end: number, flags?: Partial<Term>): void {
    this.terms.push({
      text: text.toLowerCase(),
      start: this.#normal.startOf(start),
      end: this.#normal.endOf(end),
      ...flags,
    });
  }

  /** Adds the overlapping pairs of characters; see {@link charactersOf}. */
  addPairs(characters: readonly PlacedCharacter[], flags?: Partial<Term>): void {
    let previous: PlacedCharacter | undefined;
    for (const character of characters) {
      if (previous) {
        const { start } = previous;
        this.add(previous.text + character.text, start, character.end, flags);
      }
      previous = character;
    }
  }
}

/** A whole code point with its offsets. */
interface PlacedCharacter {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the characters of a run that begins at an offset. */
export function charactersOf(run: string, at: number): PlacedCharacter[] {
  let start = at;
  return Array.from(run, (text) => {
    const character = { text, start, end: start + text.length };
    start = character.end;
    return character;
  });
}
