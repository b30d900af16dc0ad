import { decodePostings, viewPostings } from '@vizprompt/providers/internal';
import { ByteReader, type ByteWriter } from '../binary/section-file.ts';

/**
 * Terms whose postings share a row, if they have few: those whose numbers have the same quotient by it. A row of its own costs
 * a term more than eighty bytes, and most terms are in two or three chunks.
 */
export const BUNDLE_TERMS = 16;
/** The most postings of a term in such a row. */
export const BUNDLE_POSTINGS = 64;

/** The postings of a term in one row. */
export interface TermPostings {
  readonly term: number;
  readonly docs: ArrayLike<number>;
  readonly times: ArrayLike<number>;
  /** Where they begin in these lists. Default: 0. */
  readonly from?: number;
  readonly count: number;
}

/** Returns the number that replaces that of a term in the row that it shares with its neighbours: below 0. */
export function bundleOf(term: number): number {
  return -1 - Math.floor(term / BUNDLE_TERMS);
}

/** Returns the numbers of the terms that may share a row. */
export function termsOfBundle(bundle: number): readonly number[] {
  return Array.from({ length: BUNDLE_TERMS }, (_, at) => (-1 - bundle) * BUNDLE_TERMS + at);
}

/** Encodes the postings of terms of one bundle, by ascending numbers, at the end of what is written. */
export function writeBundle(
  writer: ByteWriter,
  base: number,
  lists: readonly TermPostings[],
): void {
  for (const { term, docs, times, from = 0, count } of lists) {
    const bytes = viewPostings(base, docs, times, from, from + count);
    writer.byte(term % BUNDLE_TERMS);
    writer.varint(bytes.length);
    writer.append(bytes);
  }
}

/** Calls `visit` with the bytes of each term of a bundle, which are postings from the base of {@link writeBundle} on. */
export function eachOfBundle(
  bundle: number,
  bytes: Uint8Array,
  visit: (term: number, postings: Uint8Array) => void,
): void {
  const reader = new ByteReader(bytes);
  const first = (-1 - bundle) * BUNDLE_TERMS;
  while (!reader.isAtEnd) {
    const term = first + (bytes[reader.at++] ?? 0);
    const length = reader.varint();
    reader.at += length;
    visit(term, bytes.subarray(reader.at - length, reader.at));
  }
}

/** Counts the postings in bytes of {@link viewPostings}. */
export function countPostings(bytes: Uint8Array): number {
  return decodePostings(bytes, bytes.length, 0, new Uint32Array(), new Uint8Array());
}
