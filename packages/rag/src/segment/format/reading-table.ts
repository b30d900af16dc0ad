import { StringTable } from '../../binary/lookup-tables.ts';
import { AscendingNumbers, joinTables } from '../../binary/packed-numbers.ts';
import { ByteReader, ByteWriter } from '../../binary/section-file.ts';

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
