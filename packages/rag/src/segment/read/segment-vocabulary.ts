import {
  bareTerm,
  TITLE_PREFIX,
  type TermEntry,
  type Vocabulary,
} from '../../search/chunk-index.ts';
import type { LiveSegment } from './live-segment.ts';
import type { SegmentReader } from './segment-reader.ts';

const ABSENT: TermEntry = { count: 0, places: [] };

/** The terms of some segments; remembers what it was asked. */
export class SegmentVocabulary implements Vocabulary {
  readonly hasTitles: boolean;
  readonly #segments: readonly LiveSegment[];
  readonly #known = new Map<string, TermEntry>();

  constructor(segments: readonly LiveSegment[]) {
    this.#segments = segments;
    this.hasTitles = segments.some(({ reader }) => reader.hasTitles);
  }

  entries(terms: readonly string[]): readonly (TermEntry | undefined)[] {
    return terms.map((term) => {
      let entry = this.#known.get(term);
      if (!entry) {
        entry = this.#count(term);
        this.#known.set(term, entry);
      }
      return entry.count > 0 ? entry : undefined;
    });
  }

  startingWith(text: string): Iterable<string> {
    return this.#collect((reader) => reader.termsStartingWith(text));
  }

  endingWith(text: string): Iterable<string> {
    return this.#collect((reader) => reader.termsEndingWith(text));
  }

  readAs(reading: string): Iterable<string> {
    const found = new Set<string>();
    for (const { reader } of this.#segments) {
      for (const place of reader.termsRead(reading)) found.add(bareTerm(reader.terms.get(place)));
    }
    return found;
  }

  withPart(text: string, at: 'front' | 'back' | 'anywhere'): Iterable<string> {
    return new Set(this.#collect((reader) => partsIn(reader, text, at)).map(bareTerm));
  }

  #count(term: string): TermEntry {
    let count = 0;
    const places: number[] = [];
    for (const segment of this.#segments) {
      const place = segment.reader.terms.find(term);
      if (place >= 0) count += segment.liveCount(place);
      places.push(place);
    }
    return count > 0 ? { count, places } : ABSENT;
  }

  #collect(find: (reader: SegmentReader) => Iterable<number>): readonly string[] {
    const found: string[] = [];
    for (const { reader } of this.#segments) {
      for (const place of find(reader)) found.push(reader.terms.get(place));
    }
    return found;
  }
}

function* partsIn(
  reader: SegmentReader,
  part: string,
  at: 'front' | 'back' | 'anywhere',
): Iterable<number> {
  const { terms } = reader;
  if (at === 'front') {
    yield* reader.termsStartingWith(part);
    yield* reader.termsStartingWith(TITLE_PREFIX + part);
  } else if (at === 'anywhere') {
    for (let place = 0; place < terms.size; place++) if (terms.includes(place, part)) yield place;
  } else {
    yield* reader.termsEndingWith(part);
    // Terms of titles are few, and not sorted by their ends.
    for (const place of reader.termsStartingWith(TITLE_PREFIX)) {
      if (terms.endsWith(place, part)) yield place;
    }
  }
}
