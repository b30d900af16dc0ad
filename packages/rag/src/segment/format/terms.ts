import {
  AscendingNumbers,
  joinTables,
  lowerBound,
  PackedNumbers,
  StringTable,
} from '../../binary/packed-tables.ts';
import { ByteReader, ByteWriter, type Section } from '../../binary/section-file.ts';
import { bareTerm, TITLE_PREFIX } from '../../analyze/analyze-chunk.ts';
import { SECTIONS } from './index-layout.ts';

/** Kanji of the basic plane. */
function isKanji(unit: number): boolean {
  return unit >= 0x3400 && unit <= 0x9fff;
}

function isKatakana(unit: number): boolean {
  return (unit >= 0x30a1 && unit <= 0x30fa) || unit === 0x30fc;
}

/** Calls `visit` with what a text has that lists are kept of: each kanji, and each pair of katakana. */
function eachKey(text: string, visit: (key: number) => void): void {
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isKanji(unit)) visit(unit);
    else if (isKatakana(unit) && isKatakana(before)) visit(before * 65_536 + unit);
    before = unit;
  }
}

/** Which terms of a segment have a kanji or a pair of katakana anywhere. The lists are in the file. */
export class PartLists {
  /** Ascending. */
  readonly #keys: AscendingNumbers;
  /** Where each list begins, and where the last one ends. */
  readonly #starts: AscendingNumbers;
  readonly #read: (start: number, length: number) => Uint8Array;

  /** @param index - The first of the sections that `writePartLists` made. */
  constructor(index: Uint8Array, read: (start: number, length: number) => Uint8Array) {
    this.#keys = new AscendingNumbers(index);
    this.#starts = new AscendingNumbers(index.subarray(this.#keys.byteLength));
    this.#read = read;
  }

  /**
   * Returns the places of the terms that may have a text anywhere, in order; undefined if it has neither a kanji nor a
   * pair of katakana.
   */
  candidates(text: string): readonly number[] | undefined {
    let best: { readonly start: number; readonly length: number } | undefined;
    eachKey(text, (key) => {
      const { start, length } = this.#listOf(key);
      if (!best || length < best.length) best = { start, length };
    });
    return best && decoded(this.#read(best.start, best.length));
  }

  #listOf(key: number): { readonly start: number; readonly length: number } {
    const place = lowerBound(this.#keys.length, (at) => this.#keys.at(at) < key);
    if (place === this.#keys.length || this.#keys.at(place) !== key) return { start: 0, length: 0 };
    const start = this.#starts.at(place);
    return { start, length: this.#starts.at(place + 1) - start };
  }
}

function decoded(bytes: Uint8Array): readonly number[] {
  const reader = new ByteReader(bytes);
  const places: number[] = [];
  for (let place = -1; !reader.isAtEnd;) places.push((place += reader.varint()));
  return places;
}

/** Returns the section that finds lists, and the lists: the gaps between the places of terms. */
export function writePartLists(terms: readonly string[]): {
  readonly index: Uint8Array;
  readonly lists: Uint8Array;
} {
  const byKey = new Map<number, { readonly bytes: ByteWriter; last: number }>();
  for (const [place, term] of terms.entries()) {
    eachKey(term, (key) => {
      let list = byKey.get(key);
      if (!list) byKey.set(key, (list = { bytes: new ByteWriter(), last: -1 }));
      if (list.last === place) return;
      list.bytes.varint(place - list.last);
      list.last = place;
    });
  }
  const keys = [...byKey.keys()].toSorted((a, b) => a - b);
  const starts: number[] = [];
  const lists = new ByteWriter(terms.length * 4);
  for (const key of keys) {
    starts.push(lists.length);
    const list = byKey.get(key);
    if (list) lists.append(list.bytes.view());
  }
  starts.push(lists.length);
  return {
    index: joinTables([AscendingNumbers.write(keys), AscendingNumbers.write(starts)]),
    lists: lists.view(),
  };
}

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
  const readings = writeReadings(termsByReading(terms, readingsOf));
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

function termsByReading(
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

/** Readings of a block, which is read and decoded as a whole. */
const BLOCK = 16;
/** Code units are written by how they differ from this one: kana take one byte. */
const KANA = 0x3080;

/** Reads a piece of the blocks. */
type ReadBlock = (start: number, length: number) => Uint8Array;

/** The terms of a segment by their readings. The blocks that hold both are in the file. */
export class ReadingTable {
  /** The first reading of each block. */
  readonly #heads: StringTable;
  /** Where each block begins, and where the last one ends. */
  readonly #starts: AscendingNumbers;
  readonly #read: ReadBlock;

  /** @param index - The first of the sections that `writeReadings` made. */
  constructor(index: Uint8Array, read: ReadBlock) {
    this.#starts = new AscendingNumbers(index);
    this.#heads = StringTable.read(index.subarray(this.#starts.byteLength));
    this.#read = read;
  }

  /** Returns the places of the terms that are read so, in order. */
  termsRead(reading: string): readonly number[] {
    const next = this.#heads.lowerBound(reading);
    const block = next < this.#heads.size && this.#heads.get(next) === reading ? next : next - 1;
    if (block < 0) return [];
    const start = this.#starts.at(block);
    const bytes = this.#read(start, this.#starts.at(block + 1) - start);
    for (const { units, terms } of readingsIn(bytes)) {
      if (isText(units, reading)) return terms;
    }
    return [];
  }
}

/** Returns all readings of the blocks with their terms. */
export function* eachReading(
  blocks: Uint8Array,
): Generator<readonly [reading: string, terms: readonly number[]]> {
  for (const { units, terms } of readingsIn(blocks)) yield [String.fromCharCode(...units), terms];
}

/**
 * Returns the section that finds blocks, and the blocks.
 *
 * @param byReading - The places of the terms of each reading, ascending; sorted by code units of the readings.
 */
export function writeReadings(
  byReading: readonly (readonly [reading: string, terms: readonly number[]])[],
): { readonly index: Uint8Array; readonly blocks: Uint8Array } {
  const heads: string[] = [];
  const starts: number[] = [];
  const blocks = new ByteWriter(byReading.length * 8);
  let before = '';
  for (const [number, [reading, terms]] of byReading.entries()) {
    if (number % BLOCK === 0) {
      heads.push(reading);
      starts.push(blocks.length);
      before = '';
    }
    let shared = 0;
    while (shared < before.length && before[shared] === reading[shared]) shared++;
    blocks.varint(shared);
    blocks.varint(reading.length - shared);
    for (let at = shared; at < reading.length; at++) blocks.varint(reading.charCodeAt(at) ^ KANA);
    blocks.varint(terms.length);
    let last = 0;
    for (const term of terms) {
      blocks.varint(term - last);
      last = term;
    }
    before = reading;
  }
  starts.push(blocks.length);
  return {
    index: joinTables([AscendingNumbers.write(starts), StringTable.write(heads)]),
    blocks: blocks.view(),
  };
}

/** Decodes blocks; the units are written over by the next reading. */
function* readingsIn(
  bytes: Uint8Array,
): Generator<{ readonly units: number[]; readonly terms: readonly number[] }> {
  const reader = new ByteReader(bytes);
  const units: number[] = [];
  while (!reader.isAtEnd) {
    units.length = reader.varint();
    for (let rest = reader.varint(); rest > 0; rest--) units.push(reader.varint() ^ KANA);
    const terms: number[] = [];
    let term = 0;
    for (let rest = reader.varint(); rest > 0; rest--) terms.push((term += reader.varint()));
    yield { units, terms };
  }
}

function isText(units: readonly number[], text: string): boolean {
  return units.length === text.length && units.every((unit, at) => unit === text.charCodeAt(at));
}
