import { ByteWriter } from '../../binary/section-file.ts';
import type { LiveSegment } from '../read/snapshot.ts';
import type { MergedDocs } from './merge-docs.ts';
import { TermPostings } from '../write/segment-builder.ts';
import { byUnits, type TermData } from '../write/term-sections.ts';

/** The terms of some segments as one. */
export interface MergedTerms {
  readonly data: TermData;
  /** For each source the new place of each term, or -1 if no living chunk has it. */
  readonly places: readonly Int32Array[];
  readonly readings: ReadonlyMap<string, readonly string[]>;
}

/** Puts the postings of segments together. */
export function mergeTerms(sources: readonly LiveSegment[], docs: MergedDocs): MergedTerms {
  const all = sortedTerms(sources);
  const olds = oldPlaces(sources, all);
  const places = sources.map(({ reader }) => new Int32Array(reader.terms.size).fill(-1));
  const terms: string[] = [];
  const counts: number[] = [];
  const ends: number[] = [];
  const postings = new ByteWriter(1 << 16);
  for (const [number, term] of all.entries()) {
    const merged = mergePostings(sources, docs, olds, number);
    const bytes = merged.flush();
    if (merged.count === 0) continue;
    postings.append(bytes);
    for (const [source, own] of places.entries()) {
      const old = olds[source]?.[number] ?? -1;
      if (old >= 0) own[old] = terms.length;
    }
    terms.push(term);
    counts.push(merged.count);
    ends.push(postings.length);
  }
  return {
    data: { terms, counts: Uint32Array.from(counts), ends: Uint32Array.from(ends), postings },
    places,
    readings: readingsOf(sources),
  };
}

function sortedTerms(sources: readonly LiveSegment[]): readonly string[] {
  const terms = new Set<string>();
  for (const { reader } of sources) {
    for (let place = 0; place < reader.terms.size; place++) terms.add(reader.terms.get(place));
  }
  return [...terms].toSorted(byUnits);
}

/** For each source the old place of each term of `all`, or -1. */
function oldPlaces(sources: readonly LiveSegment[], all: readonly string[]): readonly Int32Array[] {
  return sources.map(({ reader: { terms } }) => {
    const places = new Int32Array(all.length).fill(-1);
    // Both are sorted, so they are walked side by side.
    let old = 0;
    for (let number = 0; number < all.length && old < terms.size; number++) {
      if (terms.get(old) === all[number]) places[number] = old++;
    }
    return places;
  });
}

let found = new Uint32Array(1024);
let frequencies = new Uint8Array(1024);
/** Chunks in the upper digits, how often the term is there in the last 256. */
let pairs = new Float64Array(1024);

function mergePostings(
  sources: readonly LiveSegment[],
  docs: MergedDocs,
  olds: readonly Int32Array[],
  number: number,
): TermPostings {
  let size = 0;
  let isSorted = true;
  for (const [source, { reader }] of sources.entries()) {
    const old = olds[source]?.[number] ?? -1;
    if (old < 0) continue;
    if (found.length < reader.size) {
      found = new Uint32Array(reader.size);
      frequencies = new Uint8Array(reader.size);
    }
    const count = reader.decode(old, found, frequencies);
    if (size + count > pairs.length) pairs = grown(pairs, (size + count) * 2);
    const places = docs.places[source];
    for (let at = 0; at < count; at++) {
      const doc = places?.[found[at] ?? 0] ?? -1;
      if (doc < 0) continue;
      const pair = doc * 256 + (frequencies[at] ?? 1);
      isSorted &&= size === 0 || pair > (pairs[size - 1] ?? 0);
      pairs[size++] = pair;
    }
  }
  const all = pairs.subarray(0, size);
  if (!isSorted) all.sort();
  const merged = new TermPostings();
  for (const pair of all) merged.add(Math.floor(pair / 256), pair % 256);
  return merged;
}

function grown(numbers: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(numbers);
  return larger;
}

/** Returns the readings of the segments' terms. */
function readingsOf(sources: readonly LiveSegment[]): ReadonlyMap<string, readonly string[]> {
  const readings = new Map<string, string[]>();
  for (const { reader } of sources) {
    for (const [term, reading] of reader.eachReading()) {
      const known = readings.get(term);
      if (!known) readings.set(term, [reading]);
      else if (!known.includes(reading)) known.push(reading);
    }
  }
  return readings;
}
