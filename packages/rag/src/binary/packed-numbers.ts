import { ByteWriter } from './section-file.ts';

const BLOCK_BITS = 5;
/** A number is read by adding the gaps before it in its block, which are fewer than this. */
const BLOCK: number = 1 << BLOCK_BITS;
const HEADER_BYTES = 8;

/**
 * Ascending whole numbers below 2^32, as gaps of mostly one byte. Every 32nd number is written in full, so that any of
 * them is read by some additions.
 */
export class AscendingNumbers {
  /** How many numbers a block has; the last one may have fewer. */
  static readonly BLOCK: number = BLOCK;
  /** How many there are. */
  readonly length: number;
  /** How many bytes of `data` they take; a multiple of 4. */
  readonly byteLength: number;
  readonly #bases: Uint32Array;
  /** Where the gaps of each block begin. */
  readonly #starts: Uint32Array;
  readonly #gaps: Uint8Array;

  /** @param data - As {@link AscendingNumbers.write} made it, at an address that 4 divides; more may follow. */
  constructor(data: Uint8Array) {
    const { buffer, byteOffset } = data;
    const [length = 0, byteLength = 0] = new Uint32Array(buffer, byteOffset, 2);
    const blocks = Math.ceil(length / BLOCK);
    const gaps = HEADER_BYTES + 8 * blocks;
    this.length = length;
    this.byteLength = byteLength;
    this.#bases = new Uint32Array(buffer, byteOffset + HEADER_BYTES, blocks);
    this.#starts = new Uint32Array(buffer, byteOffset + HEADER_BYTES + 4 * blocks, blocks);
    this.#gaps = new Uint8Array(buffer, byteOffset + gaps, byteLength - gaps);
  }

  /** Returns the number at a place; 0 for a place that does not exist. */
  at(place: number): number {
    if (place >= this.length) return 0;
    return this.#read(place >>> BLOCK_BITS, place & (BLOCK - 1));
  }

  /**
   * Writes the numbers of a block, and the first of the next, into `target`; the numbers of a block begin at the place
   * {@link AscendingNumbers.BLOCK} times its own.
   */
  copyBlock(block: number, target: Uint32Array): void {
    const count = Math.min(BLOCK, this.length - block * BLOCK);
    target[0] = this.#bases[block] ?? 0;
    const last = this.#read(block, count - 1, target);
    target[count] = this.#bases[block + 1] ?? last;
  }

  /** Reads a number by its place in a block, and writes those after the first and up to it into `target`. */
  #read(block: number, last: number, target?: Uint32Array): number {
    const gaps = this.#gaps;
    let number = this.#bases[block] ?? 0;
    let at = this.#starts[block] ?? 0;
    for (let place = 1; place <= last; place++) {
      let gap = gaps[at++] ?? 0;
      if (gap > 127) {
        gap &= 127;
        for (let scale = 128; ; scale *= 128) {
          const byte = gaps[at++] ?? 0;
          gap += (byte & 127) * scale;
          if (byte < 128) break;
        }
      }
      number += gap;
      if (target) target[place] = number;
    }
    return number;
  }

  /** Returns the bytes of ascending numbers. */
  static write(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    const blocks = Math.ceil(numbers.length / BLOCK);
    const facts = new Uint32Array(2 + 2 * blocks);
    const gaps = new ByteWriter(numbers.length);
    for (let place = 0, before = 0; place < numbers.length; place++) {
      const number = numbers[place] ?? 0;
      if (place % BLOCK === 0) {
        facts[2 + place / BLOCK] = number;
        facts[2 + blocks + place / BLOCK] = gaps.length;
      } else gaps.varint(number - before);
      before = number;
    }
    const length = Math.ceil((facts.byteLength + gaps.length) / 4) * 4;
    facts[0] = numbers.length;
    facts[1] = length;
    const bytes = new Uint8Array(length);
    bytes.set(new Uint8Array(facts.buffer));
    bytes.set(gaps.view(), facts.byteLength);
    return bytes;
  }
}

/** Whole numbers below 2^32 of as many bytes each as the largest of them needs. */
export class PackedNumbers {
  readonly length: number;
  /** How many bytes of `data` they take; a multiple of 4. */
  readonly byteLength: number;
  readonly #width: number;
  readonly #bytes: Uint8Array;

  /** @param data - As {@link PackedNumbers.write} made it; more may follow. */
  constructor(data: Uint8Array) {
    const view = new DataView(data.buffer, data.byteOffset);
    this.length = view.getUint32(0, true);
    this.#width = view.getUint32(4, true);
    this.byteLength = HEADER_BYTES + Math.ceil((this.length * this.#width) / 4) * 4;
    this.#bytes = new Uint8Array(
      data.buffer,
      data.byteOffset + HEADER_BYTES,
      this.byteLength - HEADER_BYTES,
    );
  }

  /** Returns the number at a place; 0 for a place that does not exist. */
  at(place: number): number {
    const width = this.#width;
    const bytes = this.#bytes;
    const at = place * width;
    if (width === 3) {
      return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    }
    let number = 0;
    for (let byte = width - 1; byte >= 0; byte--) number = number * 256 + (bytes[at + byte] ?? 0);
    return number;
  }

  /** Returns the bytes of numbers in any order. */
  static write(numbers: ArrayLike<number>): Uint8Array<ArrayBuffer> {
    let most = 0;
    for (let place = 0; place < numbers.length; place++) most = Math.max(most, numbers[place] ?? 0);
    const width = Math.ceil((32 - Math.clz32(most)) / 8);
    const bytes = new Uint8Array(HEADER_BYTES + Math.ceil((numbers.length * width) / 4) * 4);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, numbers.length, true);
    view.setUint32(4, width, true);
    for (let place = 0, at = HEADER_BYTES; place < numbers.length; place++) {
      let rest = numbers[place] ?? 0;
      for (let byte = 0; byte < width; byte++, rest >>>= 8) bytes[at++] = rest & 255;
    }
    return bytes;
  }
}

/** Puts tables one after the other; each of them is a multiple of 4 bytes long. */
export function joinTables(tables: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(tables.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const table of tables) {
    joined.set(table, at);
    at += table.length;
  }
  return joined;
}
