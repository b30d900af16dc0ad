import { headingsOf } from '../analyze/analyze-chunk.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { foldPhrase } from '../rank/text-conditions.ts';

/** How many chunks a page has: those whose numbers begin at a multiple of it. */
export const PAGE_CHUNKS = 1024;
/** Bits of a chunk. A chunk of 350 characters sets about a third of them. */
const LOG_BITS = 10;
const BITS: number = 1 << LOG_BITS;
/** The bits of one number in the chunks of a page. */
export const SLICE_BYTES: number = PAGE_CHUNKS / 8;
/** Pairs of a literal that are looked at: of more, nearly no chunk has all by chance. */
const MAX_PAIRS = 12;

/**
 * Stores which pairs of neighbouring characters the chunks of a page may have: for each of `BITS` numbers a bit for
 * each chunk, so that looking for a few pairs reads a few slices. It has false positives, but no false negatives.
 */
export class PageSignature {
  readonly bytes: Uint8Array = new Uint8Array(BITS * SLICE_BYTES);

  /** Adds what a phrase or a regular expression can find in a chunk. */
  add(chunk: number, of: Pick<Chunk, 'own' | 'title' | 'headingPath'>): void {
    const bit = chunk % PAGE_CHUNKS;
    const headings = headingsOf(of).join('\n');
    for (const text of [of.own, ...foldPhrase(of.own), ...foldPhrase(headings)]) {
      eachPair(text, (number) => {
        const at = number * SLICE_BYTES + (bit >> 3);
        this.bytes[at] = (this.bytes[at] ?? 0) | (1 << (bit & 7));
      });
    }
  }
}

/** Returns where the slices begin that a text needs; none if it has no two characters without a space between them. */
export function slicesOf(text: string): readonly number[] {
  const numbers = new Set<number>();
  eachPair(text, (number) => numbers.add(number));
  return [...numbers].slice(0, MAX_PAIRS).map((number) => number * SLICE_BYTES);
}

/** Calls `visit` with each chunk of a page that has its bit in all of these slices. */
export function eachInAll(slices: readonly Uint8Array[], visit: (chunk: number) => void): void {
  for (let at = 0; at < SLICE_BYTES; at++) {
    let bits = 255;
    for (const slice of slices) bits &= slice[at] ?? 0;
    for (let bit = 0; bits > 0; bit++, bits >>= 1) if ((bits & 1) === 1) visit(at * 8 + bit);
  }
}

function eachPair(text: string, visit: (number: number) => void): void {
  let before = -1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isSpace = isSpaceUnit(unit);
    if (!isSpace && before >= 0) {
      visit(Math.imul(before * 31 + unit, 0x9e3779b1) >>> (32 - LOG_BITS));
    }
    before = isSpace ? -1 : unit;
  }
}

/** The characters of `\s` in regular expressions, and control characters. */
function isSpaceUnit(unit: number): boolean {
  if (unit <= 0x20) return true;
  if (unit < 0x1680) return unit === 0xa0;
  if (unit > 0x3000) return unit === 0xfeff;
  const isGeneral = unit >= 0x2000 && unit <= 0x200a;
  return isGeneral || [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(unit);
}
