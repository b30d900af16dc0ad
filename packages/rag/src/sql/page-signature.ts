import { type Chunk, headingsOf } from '../chunk/chunk.ts';
import { foldPhrase, searchedForms } from '../rank/fold-text.ts';

/** How many chunks a page has: those whose numbers begin at a multiple of it. */
export const PAGE_CHUNKS = 1024;
/** Bits of a chunk. A chunk of 350 characters sets about a third of them. */
const LOG_BITS = 10;
const BITS: number = 1 << LOG_BITS;
/** The bits of one number in the chunks of a page: of each eight neighbours, which share a row of texts, one byte. */
export const SLICE_BYTES: number = PAGE_CHUNKS / 8;
/** Bits of eight neighbours together. They set about a third of them. */
const LOG_PACK_BITS = 12;
const PACK_BITS: number = 1 << LOG_PACK_BITS;
/** The bits of one number in the packs of a page, of eight neighbours one. */
export const PACK_SLICE_BYTES: number = SLICE_BYTES / 8;
/** Bits that a pair of characters sets in a pack, and that a single character does. */
const PAIR_BITS = 3;
const SINGLE_BITS = 2;
/** Slices of a literal that are read: of more, nearly no chunk has all by chance. Alternatives share them. */
const MAX_SLICES = 12;
const LEAST_SLICES = 3;

/**
 * Stores which characters the chunks of a page may have next to each other: for each number of a pair a bit for each chunk,
 * so that looking for a few pairs reads a few slices. It has false positives, but no false negatives.
 *
 * A third of all chunks has the bit of a pair by chance, so that a word of two characters would have nearly all texts read. The
 * characters that distinguish texts, such as kanji, are far fewer than all: their pairs, and each of them alone, have other bits,
 * which eight chunks share.
 */
export class PageSignature {
  readonly bytes: Uint8Array = new Uint8Array(BITS * SLICE_BYTES);
  readonly packs: Uint8Array = new Uint8Array(PACK_BITS * PACK_SLICE_BYTES);

  /** Adds what a phrase or a regular expression can find in a chunk. */
  add(chunk: number, of: Pick<Chunk, 'own' | 'title' | 'headingPath'>): void {
    const bit = chunk % PAGE_CHUNKS;
    const pack = bit >> 3;
    const headings = headingsOf(of).join('\n');
    for (const text of new Set([of.own, ...formsOf(of.own), ...formsOf(headings)])) {
      eachPair(text, (first, second) => setBit(this.bytes, sliceOf(first, second), bit));
      eachTelling(text, (unit, _, after) => {
        this.#addToPack(pack, unit, NONE);
        if (after !== NONE) this.#addToPack(pack, unit, after);
      });
    }
  }

  #addToPack(pack: number, first: number, second: number): void {
    eachPackSlice(first, second, (slice) => setBit(this.packs, slice, pack));
  }
}

/** Returns the forms in which phrases are looked for; the read one also where phrases are not looked for in it. */
function formsOf(text: string): readonly string[] {
  return [...searchedForms(text), ...foldPhrase(text)];
}

/** Where the slices begin that a text needs. */
export interface TextSlices {
  /** In the signatures of chunks. */
  readonly chunks: readonly number[];
  /** In those of packs. */
  readonly packs: readonly number[];
}

/**
 * Returns the slices that a text needs; none if it has neither two characters without a space between them nor a telling one.
 *
 * @param alternatives - How many texts are looked for in its place. Default: 1.
 */
export function slicesOf(text: string, alternatives = 1): TextSlices {
  const [chunks, packs] = [new Set<number>(), new Set<number>()];
  eachPair(text, (first, second) => {
    if (!mayCompose(first) && !mayCompose(second)) chunks.add(sliceOf(first, second));
  });
  eachTelling(text, (unit, before, after) => {
    if (mayCompose(unit) || mayCompose(after)) return;
    // A pair says more than each of its characters.
    if (after === NONE && before !== NONE) return;
    eachPackSlice(unit, after, (slice) => packs.add(slice));
  });
  const most = Math.max(LEAST_SLICES, Math.ceil((MAX_SLICES * 2) / (alternatives + 1)));
  return { chunks: [...chunks].slice(0, most), packs: [...packs].slice(0, most) };
}

/** Checks for a Jamo: in a text, it may be part of a syllable with the character next to it, and its pairs are signed so. */
function mayCompose(unit: number): boolean {
  return unit >= 0x1100 && unit <= 0x11ff;
}

/** Removes the chunks of a page that do not have their bit in all of these slices. */
export function keepInAll(
  page: Uint8Array,
  chunks: readonly Uint8Array[],
  packs: readonly Uint8Array[],
): void {
  for (let at = 0; at < SLICE_BYTES; at++) {
    let bits = page[at] ?? 0;
    for (const slice of chunks) bits &= slice[at] ?? 0;
    for (const slice of packs) if ((((slice[at >> 3] ?? 0) >> (at & 7)) & 1) === 0) bits = 0;
    page[at] = bits;
  }
}

/** Calls `visit` with each chunk of a page that has its bit, in order. */
export function eachChunk(page: Uint8Array, visit: (chunk: number) => void): void {
  for (const [at, byte] of page.entries()) {
    for (let bit = 0, bits = byte; bits > 0; bit++, bits >>= 1)
      if ((bits & 1) === 1) visit(at * 8 + bit);
  }
}

function setBit(bytes: Uint8Array, slice: number, bit: number): void {
  const at = slice + (bit >> 3);
  bytes[at] = (bytes[at] ?? 0) | (1 << (bit & 7));
}

function sliceOf(first: number, second: number): number {
  return (Math.imul(first * 31 + second, 0x9e3779b1) >>> (32 - LOG_BITS)) * SLICE_BYTES;
}

/** In place of a character that is not there. */
const NONE = 0;

/** Calls `visit` with the slices of a pair, or of a single character and `NONE`. */
function eachPackSlice(first: number, second: number, visit: (slice: number) => void): void {
  let hash = Math.imul((first << 16) | second, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash ^= hash >>> 13;
  const step = (hash >>> LOG_PACK_BITS) | 1;
  for (let times = second === NONE ? SINGLE_BITS : PAIR_BITS; times > 0; times--) {
    visit((hash & (PACK_BITS - 1)) * PACK_SLICE_BYTES);
    hash += step;
  }
}

function eachPair(text: string, visit: (first: number, second: number) => void): void {
  let before = -1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isSpace = isSpaceUnit(unit);
    if (!isSpace && before >= 0) visit(before, unit);
    before = isSpace ? -1 : unit;
  }
}

/** Calls `visit` with each telling character and those at its sides, or `NONE` for one that is not telling. */
function eachTelling(
  text: string,
  visit: (unit: number, before: number, after: number) => void,
): void {
  let [before, unit] = [NONE, NONE];
  for (let at = 0; at <= text.length; at++) {
    const next = at < text.length ? text.charCodeAt(at) : NONE;
    const after = isTelling(next) ? next : NONE;
    if (unit !== NONE) visit(unit, before, after);
    [before, unit] = [unit, after];
  }
}

/** Katakana, kanji, Hangul, and the halves of rarer characters: of others a text has most pairs that there are. */
function isTelling(unit: number): boolean {
  return unit > 0x30a0 && unit <= 0xfaff;
}

/** The characters of `\s` in regular expressions, and control characters. */
function isSpaceUnit(unit: number): boolean {
  if (unit <= 0x20) return true;
  if (unit < 0x1680) return unit === 0xa0;
  if (unit > 0x3000) return unit === 0xfeff;
  const isGeneral = unit >= 0x2000 && unit <= 0x200a;
  return isGeneral || [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(unit);
}
