import { StringTable } from '../../binary/lookup-tables.ts';
import { AscendingNumbers, PackedNumbers } from '../../binary/packed-numbers.ts';
import type { ByteWriter, Section } from '../../binary/section-file.ts';
import { bareTerm, TITLE_PREFIX } from '../../search/chunk-index.ts';
import { writePartLists } from '../format/part-lists.ts';
import { writeReadings } from '../format/reading-table.ts';
import { SECTIONS } from '../format/segment-layout.ts';

/** The terms of a segment with their postings, in order. */
export interface TermData {
  /** Sorted by {@link byUnits}. */
  readonly terms: readonly string[];
  /** Number of chunks with each term. */
  readonly counts: Uint32Array;
  /** End of the postings of each term. */
  readonly ends: Uint32Array;
  readonly postings: ByteWriter;
}

/** @param readingsOf - The readings of a basic form. */
export function termSections(
  { terms, counts, ends, postings }: TermData,
  readingsOf: (term: string) => readonly string[],
): readonly Section[] {
  const readings = writeReadings(byReading(terms, readingsOf));
  const parts = writePartLists(terms);
  const section = (name: string, bytes: Uint8Array, isResident = true): Section => {
    return { name, bytes, isResident };
  };
  return [
    section(SECTIONS.terms, StringTable.write(terms)),
    section(SECTIONS.counts, AscendingNumbers.write(sumsOf(counts))),
    section(SECTIONS.ends, AscendingNumbers.write(ends)),
    section(SECTIONS.reversed, PackedNumbers.write(reversedOrder(terms))),
    section(SECTIONS.parts, parts.index),
    section(SECTIONS.readings, readings.index),
    section(SECTIONS.postings, postings.view(), false),
    section(SECTIONS.partLists, parts.lists, false),
    section(SECTIONS.readingBlocks, readings.blocks, false),
  ];
}

/** Returns the sums of all numbers up to each. */
function sumsOf(numbers: Uint32Array): Uint32Array {
  let sum = 0;
  return numbers.map((number) => (sum += number));
}

function byReading(
  terms: readonly string[],
  readingsOf: (term: string) => readonly string[],
): readonly (readonly [reading: string, terms: readonly number[]])[] {
  const found = new Map<string, number[]>();
  for (const [place, term] of terms.entries()) {
    for (const reading of readingsOf(bareTerm(term))) {
      const known = found.get(reading);
      if (known) known.push(place);
      else found.set(reading, [place]);
    }
  }
  return [...found].toSorted(([a], [b]) => byUnits(a, b));
}

/** Returns the places of the terms that are not of titles, sorted by the reversed terms. */
function reversedOrder(terms: readonly string[]): Uint32Array {
  const reversed = terms
    .map((term, place) => ({ key: term.split('').toReversed().join(''), place, term }))
    .filter(({ term }) => !term.startsWith(TITLE_PREFIX))
    .toSorted((a, b) => byUnits(a.key, b.key));
  return Uint32Array.from(reversed, ({ place }) => place);
}

/** As `StringTable` searches: by UTF-16 code units. */
export function byUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
