import { deflateRawSync } from 'node:zlib';
import { bareTerm, TITLE_PREFIX } from '../../chunk/chunk.ts';
import {
  AscendingNumbers,
  joinTables,
  lowerBound,
  PackedNumbers,
  StringTable,
} from '../../binary/packed-tables.ts';
import { ByteReader, ByteWriter, type Section } from '../../binary/section-file.ts';
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
  for (const { units, terms } of readingsIn(blocks)) yield [textOf(units), terms];
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
    const shared = reader.varint();
    // More is in no section that this package writes, and may be more than a machine has memory for.
    if (shared > units.length)
      throw new SyntaxError(`a reading begins with ${shared} units of ${units.length}`);
    units.length = shared;
    for (let rest = reader.varint(); rest > 0; rest--) units.push(reader.varint() ^ KANA);
    const terms: number[] = [];
    let term = 0;
    for (let rest = reader.varint(); rest > 0; rest--) terms.push((term += reader.varint()));
    yield { units, terms };
  }
}

/** Units that one call takes as arguments, however small the stack is. */
const AT_ONCE = 1024;

function textOf(units: readonly number[]): string {
  let text = '';
  for (let at = 0; at < units.length; at += AT_ONCE)
    text += String.fromCharCode(...units.slice(at, at + AT_ONCE));
  return text;
}

function isText(units: readonly number[], text: string): boolean {
  return units.length === text.length && units.every((unit, at) => unit === text.charCodeAt(at));
}

const NO_TERMS: readonly number[] = [];
/** How many words of bits share a rank. */
const RANK_WORDS = 4;

/** The terms by which the forms of a segment are found. */
export class FormTerms {
  /** How many forms there are. */
  readonly size: number;
  readonly #main: PackedNumbers;
  /** A bit for each form that has further terms. */
  readonly #bits: Uint32Array;
  /** How many forms before each {@link RANK_WORDS} words of bits have further terms. */
  readonly #ranks: Uint32Array;
  /** For each of these forms its further term × 2; or where they are in the lists × 2, + 1, if there are several. */
  readonly #further: PackedNumbers;
  /** How many, then the terms. */
  readonly #lists: PackedNumbers;

  /** @param data - As {@link FormTerms.write} made it. */
  constructor(data: Uint8Array) {
    this.#main = new PackedNumbers(data);
    this.size = this.#main.length;
    let at = this.#main.byteLength;
    const words = Math.ceil(this.size / 32);
    this.#bits = new Uint32Array(data.buffer, data.byteOffset + at, words);
    at += 4 * words;
    this.#further = new PackedNumbers(data.subarray(at));
    this.#lists = new PackedNumbers(data.subarray(at + this.#further.byteLength));
    this.#ranks = new Uint32Array(Math.ceil(words / RANK_WORDS));
    let rank = 0;
    for (let word = 0; word < words; word++) {
      if (word % RANK_WORDS === 0) this.#ranks[word / RANK_WORDS] = rank;
      rank += bitCount(this.#bits[word] ?? 0);
    }
  }

  /** Returns the term that a form is found by, or -1. */
  mainOf(form: number): number {
    return this.#main.at(form) - 1;
  }

  /** Checks whether a form has further terms next to its first. */
  hasFurther(form: number): boolean {
    return (((this.#bits[form >>> 5] ?? 0) >>> (form & 31)) & 1) === 1;
  }

  /** Returns the first number that is not negative of those that a table has for the further terms of a form; or -1. */
  firstFurther(form: number, byTerm: { get(term: number): number }): number {
    const further = this.#further.at(this.#rankOf(form));
    if ((further & 1) === 0) return byTerm.get(further >>> 1);
    const start = further >>> 1;
    const end = start + this.#lists.at(start);
    for (let at = start + 1; at <= end; at++) {
      const found = byTerm.get(this.#lists.at(at));
      if (found >= 0) return found;
    }
    return -1;
  }

  /** Returns all terms of a form, the one that it is found by first. */
  termsOf(form: number): readonly number[] {
    const main = this.mainOf(form);
    if (main < 0) return NO_TERMS;
    const terms = [main];
    const add = (term: number): number => {
      terms.push(term);
      return -1;
    };
    if (this.hasFurther(form)) this.firstFurther(form, { get: add });
    return terms;
  }

  #rankOf(form: number): number {
    const word = form >>> 5;
    const first = word - (word % RANK_WORDS);
    let rank = this.#ranks[first / RANK_WORDS] ?? 0;
    for (let at = first; at < word; at++) rank += bitCount(this.#bits[at] ?? 0);
    return rank + bitCount((this.#bits[word] ?? 0) & ((1 << (form & 31)) - 1));
  }

  /** @param forms - The terms of each form; none for one that cannot be found. */
  static write(forms: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
    const bits = new Uint32Array(Math.ceil(forms.length / 32));
    const further: number[] = [];
    const lists: number[] = [];
    for (const [form, [main, ...others]] of forms.entries()) {
      const [first, ...more] = others.filter((term) => term !== main);
      if (first === undefined) continue;
      bits[form >>> 5] = (bits[form >>> 5] ?? 0) | (1 << (form & 31));
      if (more.length === 0) further.push(first * 2);
      else {
        further.push(lists.length * 2 + 1);
        lists.push(more.length + 1, first, ...more);
      }
    }
    return joinTables([
      PackedNumbers.write(Uint32Array.from(forms, ([main = -1]) => main + 1)),
      new Uint8Array(bits.buffer),
      PackedNumbers.write(further),
      PackedNumbers.write(lists),
    ]);
  }
}

/** Returns how many bits of a number of 32 bits are set. */
function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x5555_5555);
  rest = (rest & 0x3333_3333) + ((rest >>> 2) & 0x3333_3333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** A distinct word of a segment. */
export interface Form {
  readonly surface: string;
  /** How far its word reaches back before the surface, where words overlap. */
  readonly lead: number;
  readonly reading: string;
  /** Its part of speech, a place in the strings of the segment. */
  readonly pos: number;
  /** The places of the term it is found by, then of further ones; none if it cannot be searched. */
  readonly terms: readonly number[];
}

/** @param forms - The most frequent first. */
export function formSections(forms: readonly Form[]): readonly Section[] {
  const readings = StringTable.write(forms.map(({ reading }) => reading));
  const section = (name: string, bytes: Uint8Array, isResident: boolean): Section => {
    return { name, bytes, isResident };
  };
  return [
    section(SECTIONS.surfaces, StringTable.write(forms.map(({ surface }) => surface)), true),
    section(SECTIONS.formTerms, FormTerms.write(forms.map(({ terms }) => terms)), true),
    section(SECTIONS.formLeads, leadsOf(forms), true),
    section(SECTIONS.formPos, deflateRawSync(Uint8Array.from(forms, ({ pos }) => pos)), false),
    section(SECTIONS.formReadings, deflateRawSync(readings), false),
  ];
}

/** Empty where no words overlap, which is nearly always. */
function leadsOf(forms: readonly Form[]): Uint8Array {
  return forms.some(({ lead }) => lead > 0)
    ? Uint8Array.from(forms, ({ lead }) => lead)
    : new Uint8Array();
}

/** Returns the final number of each form by how often it comes, and the forms in this order. */
export function byFrequency(counts: ArrayLike<number>): {
  /** The provisional numbers in their new order; those that do not come are left out. */
  readonly sorted: readonly number[];
  /** The new number of each. */
  readonly order: Uint32Array;
} {
  const countOf = (form: number): number => counts[form] ?? 0;
  const sorted = Array.from({ length: counts.length }, (_, form) => form)
    .filter((form) => countOf(form) > 0)
    .toSorted((a, b) => countOf(b) - countOf(a) || a - b);
  const order = new Uint32Array(counts.length);
  for (const [place, form] of sorted.entries()) order[form] = place;
  return { sorted, order };
}
