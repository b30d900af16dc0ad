import { bareTerm, type TermEntry, type Vocabulary } from '../search/chunk-index.ts';
import { readingHash } from './term-rows.ts';
import type { TermEdge, TermTable } from './term-table.ts';

/** The terms of an index in a database, as of one revision; for one search, whose words may share their halves. */
export class SqlVocabulary implements Vocabulary {
  readonly hasTitles = true;
  readonly #terms: TermTable;
  readonly #readingsOf: (term: string) => readonly string[];
  readonly #lists = new Map<string, readonly string[]>();

  /** @param readingsOf - The readings of a basic form, from the analyzer. */
  constructor(terms: TermTable, readingsOf: (term: string) => readonly string[]) {
    this.#terms = terms;
    this.#readingsOf = readingsOf;
  }

  entries(terms: readonly string[]): readonly (TermEntry | undefined)[] {
    return terms.map((term) => {
      const id = this.#terms.find(term);
      const count = this.#terms.chunksOf(id);
      return count > 0 ? { count, places: [id] } : undefined;
    });
  }

  startingWith(text: string): readonly string[] {
    return this.#ofTexts(text, 'front');
  }

  endingWith(text: string): readonly string[] {
    return this.#ofTexts(text, 'back');
  }

  withPart(text: string, at: TermEdge): Iterable<string> {
    const ofTitles = this.#terms.ofTitles(text, at).map(bareTerm);
    return new Set([...this.#ofTexts(text, at), ...ofTitles]);
  }

  readAs(reading: string): Iterable<string> {
    const terms = new Set(this.#terms.withReading(readingHash(reading)).map(bareTerm));
    // Readings share hashes.
    return [...terms].filter((term) => this.#readingsOf(term).includes(reading));
  }

  #ofTexts(text: string, at: TermEdge): readonly string[] {
    const key = `${at} ${text}`;
    const known = this.#lists.get(key);
    if (known) return known;
    const found = this.#terms.withPart(text, at);
    this.#lists.set(key, found);
    return found;
  }
}
