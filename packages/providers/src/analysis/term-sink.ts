import type { NormalizedText } from './normalize.ts';
import type { Term } from './text-analyzer.ts';

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
export interface PlacedCharacter {
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
