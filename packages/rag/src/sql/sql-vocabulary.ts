import { bareTerm, TITLE_PREFIX } from '../chunk/chunk.ts';
import type { TermEntry, Vocabulary } from '../search/chunk-index.ts';
import { readingHash } from './term-rows.ts';
import type { TermEdge, TermTable } from './term-table.ts';

/** Terms with a text in them. */
interface FoundTerms {
  readonly texts: readonly string[];
  /** With the prefix. */
  readonly titles: readonly string[];
}

/** The terms of an index in a database, as of one revision; for one search, whose words may share their halves. */
export class SqlVocabulary implements Vocabulary {
  readonly hasTitles = true;
  readonly #terms: TermTable;
  readonly #readingsOf: (term: string) => readonly string[];
  readonly #found = new Map<string, FoundTerms>();

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
    const { texts, titles } = this.#parts(text, at);
    return new Set([...texts, ...titles.map(bareTerm)]);
  }

  readAs(reading: string): Iterable<string> {
    const terms = new Set(this.#terms.withReading(readingHash(reading)).map(bareTerm));
    // Readings share hashes.
    return [...terms].filter((term) => this.#readingsOf(term).includes(reading));
  }

  #ofTexts(text: string, at: TermEdge): readonly string[] {
    return this.#parts(text, at).texts;
  }

  #parts(text: string, at: TermEdge): FoundTerms {
    const key = `${at} ${text}`;
    const known = this.#found.get(key);
    if (known) return known;
    const all = this.#terms.parts(text, at);
    const titles = all.filter((term) => term.startsWith(TITLE_PREFIX));
    const texts = titles.length === 0 ? all : all.filter((term) => !term.startsWith(TITLE_PREFIX));
    const found = { texts, titles };
    this.#found.set(key, found);
    return found;
  }
}
