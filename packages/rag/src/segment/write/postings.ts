import { bareTerm, TITLE_PREFIX } from '../../search/chunk-index.ts';
import { ByteWriter } from '../../binary/byte-writer.ts';
import type { Section } from '../../binary/section-file.ts';
import { SECTIONS } from '../format/segment-layout.ts';
import { StringTable } from '../../binary/lookup-tables.ts';

/** The terms of a segment with their postings, in order. */
export interface TermData {
  /** Sorted by {@link byUnits}. */
  readonly terms: readonly string[];
  /** How many chunks have each. */
  readonly counts: Uint32Array;
  /** Where the postings of each end. */
  readonly ends: Uint32Array;
  readonly postings: ByteWriter;
}

/** @param readingsOf - The readings of a basic form. */
export function termSections(
  { terms, counts, ends, postings }: TermData,
  readingsOf: (term: string) => readonly string[],
): readonly Section[] {
  return [
    { name: SECTIONS.terms, bytes: StringTable.write(terms), isResident: true },
    { name: SECTIONS.counts, bytes: new Uint8Array(counts.buffer), isResident: true },
    { name: SECTIONS.ends, bytes: new Uint8Array(ends.buffer), isResident: true },
    { name: SECTIONS.postings, bytes: postings.view(), isResident: false },
    { name: SECTIONS.reversed, bytes: reversedOrder(terms), isResident: true },
    ...readingSections(terms, readingsOf),
  ];
}

function readingSections(
  terms: readonly string[],
  readingsOf: (term: string) => readonly string[],
): readonly Section[] {
  const byReading = new Map<string, number[]>();
  for (const [place, term] of terms.entries()) {
    for (const reading of readingsOf(bareTerm(term))) {
      const known = byReading.get(reading);
      if (known) known.push(place);
      else byReading.set(reading, [place]);
    }
  }
  const readings = [...byReading.keys()].toSorted(byUnits);
  const pairs: number[] = [];
  for (const [number, reading] of readings.entries()) {
    for (const term of byReading.get(reading) ?? []) pairs.push(number, term);
  }
  return [
    { name: SECTIONS.readings, bytes: StringTable.write(readings), isResident: false },
    {
      name: SECTIONS.readingTerms,
      bytes: new Uint8Array(Uint32Array.from(pairs).buffer),
      isResident: false,
    },
  ];
}

/** The places of the terms that are not of titles, sorted by the reversed terms. */
function reversedOrder(terms: readonly string[]): Uint8Array {
  const reversed = terms
    .map((term, place) => ({ key: term.split('').toReversed().join(''), place, term }))
    .filter(({ term }) => !term.startsWith(TITLE_PREFIX))
    .toSorted((a, b) => byUnits(a.key, b.key));
  return new Uint8Array(Uint32Array.from(reversed, ({ place }) => place).buffer);
}

/** As `StringTable` searches: by UTF-16 code units. */
export function byUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** More occurrences of a term in a chunk than this count as this many. */
const MAX_FREQUENCY = 255;

/** The chunks of one term; the last of them may still get more occurrences. */
export class TermPostings {
  readonly #bytes = new ByteWriter();
  #count = 0;
  #before = -1;
  #doc = -1;
  #frequency = 0;

  /** In how many chunks it is. Right after `flush`. */
  get count(): number {
    return this.#count;
  }

  /** @param doc - Not lower than before. */
  add(doc: number, times = 1): void {
    if (doc === this.#doc) {
      this.#frequency += times;
      return;
    }
    this.#close();
    this.#doc = doc;
    this.#frequency = times;
  }

  flush(): Uint8Array {
    this.#close();
    this.#doc = -1;
    return this.#bytes.view();
  }

  #close(): void {
    if (this.#doc < 0) return;
    const isMany = this.#frequency > 1;
    this.#bytes.varint((this.#doc - this.#before) * 2 + (isMany ? 1 : 0));
    if (isMany) this.#bytes.byte(Math.min(this.#frequency, MAX_FREQUENCY));
    this.#before = this.#doc;
    this.#count++;
  }
}

/** Collects which chunks have which terms. */
export class PostingsBuilder {
  readonly #terms = new Map<string, TermPostings>();

  /** @param doc - The place of the chunk in the segment; not lower than before. */
  add(term: string, doc: number): void {
    let postings = this.#terms.get(term);
    if (!postings) {
      postings = new TermPostings();
      this.#terms.set(term, postings);
    }
    postings.add(doc);
  }

  finish(): TermData {
    const terms = [...this.#terms.keys()].toSorted(byUnits);
    const counts = new Uint32Array(terms.length);
    const ends = new Uint32Array(terms.length);
    const bytes = new ByteWriter(terms.length * 8);
    for (const [place, term] of terms.entries()) {
      const postings = this.#terms.get(term);
      if (!postings) continue;
      bytes.append(postings.flush());
      counts[place] = postings.count;
      ends[place] = bytes.length;
    }
    return { terms, counts, ends, postings: bytes };
  }
}
