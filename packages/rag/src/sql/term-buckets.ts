import { bareTerm } from '../search/chunk-index.ts';
import { isSingleKanji } from '../search/expandable-words.ts';
import { BUCKET } from './sql-tables.ts';

/** A list of terms: its kind, and its number. */
export interface Bucket {
  readonly kind: number;
  readonly bucket: number;
}

/** Buckets of parts, a power of two: few enough that each has many terms, as a row of one takes twenty times as much. */
const PART_BITS = 13;
/** Buckets of readings. All terms of a bucket are read, so it has fewer. */
const READING_BITS = 14;
/** After the last character of a term. */
const END = 0xfffe;

/**
 * Returns the buckets of a term: of its pairs of neighbouring characters, of its last two at its end, of its kanji, and of
 * its readings. Characters are UTF-16 code units.
 */
export function bucketsOfTerm(
  term: string,
  readingsOf: (term: string) => readonly string[],
): readonly Bucket[] {
  const bare = bareTerm(term);
  const parts = new Set<number>();
  for (let at = 0; at < bare.length; at++) {
    const unit = bare[at] ?? '';
    if (at + 1 < bare.length) parts.add(partBucket(bare.slice(at, at + 2)));
    if (isSingleKanji(unit)) parts.add(partBucket(unit));
  }
  if (bare.length > 1) parts.add(partBucket(bare.slice(-2), END));
  return [
    ...Array.from(parts, (bucket) => ({ kind: BUCKET.part, bucket })),
    ...Array.from(new Set(readingsOf(bare).map(readingBucket)), (bucket) => {
      return { kind: BUCKET.reading, bucket };
    }),
  ];
}

/** Returns the bucket of all terms that end with a text; nothing if it is too short to have one. */
export function endingBucket(text: string): number | undefined {
  return text.length > 1 ? partBucket(text.slice(-2), END) : holdingBucket(text);
}

/** Returns the bucket of all terms that a text is part of; nothing if it is too short to have one. */
export function holdingBucket(text: string): number | undefined {
  if (text.length > 1) return partBucket(text.slice(0, 2));
  return isSingleKanji(text) ? partBucket(text) : undefined;
}

/** Returns the bucket of all terms that are read so. */
export function readingBucket(reading: string): number {
  return hashOf(reading) >>> (32 - READING_BITS);
}

function partBucket(part: string, end = 0): number {
  return hashOf(part, end) >>> (32 - PART_BITS);
}

/** The same on all machines. */
function hashOf(text: string, start = 0): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul((hash ^ text.charCodeAt(at)) + 0x7f4a7c15, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x85ebca6b);
}
