import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { messageOf } from '@vizprompt/providers';
import type { RagError } from '../errors.ts';

/** The kind of a file. */
export interface FileForm {
  /** Eight characters of ASCII that it begins with. */
  readonly magic: string;
  /** Changes whenever files of an older form can no longer be read. */
  readonly version: number;
  /** Returns the error of a file that is corrupt, damaged or of another form. */
  damaged(path: string, problem: string, cause?: unknown): RagError;
}

const HEADER_BYTES = 24;
const ALIGNMENT = 8;
/**
 * Sections that are not resident have a sum for each block of this many bytes: a piece can be checked
 * without reading all of them.
 */
const BLOCK = 4096;
/** The resident section that holds these sums. */
const SUMS = 'sums';

/** A part of a file: its name and bytes. */
export interface Section {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Loaded when the file is opened; the others are read where and when they are needed. */
  readonly isResident: boolean;
}

interface Entry {
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
  readonly isResident: boolean;
  /** The place of its first sum, if it is not resident. */
  readonly sums?: number;
}

/** Writes a file of sections and brings it to the disk, or nothing of it. The file must not exist. */
export function writeSections(path: string, form: FileForm, sections: readonly Section[]): void {
  const ordered = [...sections.filter(({ isResident }) => isResident), sumsOf(sections)];
  ordered.push(...sections.filter(({ isResident }) => !isResident));
  const place = (base: number): Record<string, Entry> => {
    let offset = base;
    let sums = 0;
    return Object.fromEntries(
      ordered.map(({ name, bytes, isResident }) => {
        const entry = { offset, length: bytes.length, crc: crc32(bytes), isResident };
        offset = align(offset + bytes.length);
        if (isResident) return [name, entry];
        const first = sums;
        sums += Math.ceil(bytes.length / BLOCK);
        return [name, { ...entry, sums: first }];
      }),
    );
  };
  // The directory is before what it points to, so its own length comes from a first draft.
  const draft = JSON.stringify(place(Number.MAX_SAFE_INTEGER / 2)).length;
  const base = align(HEADER_BYTES + draft);
  const entries = place(base);
  const directory = Buffer.from(JSON.stringify(entries));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(form.magic, 'latin1');
  header.writeUInt32LE(form.version, 8);
  header.writeUInt32LE(directory.length, 12);
  header.writeUInt32LE(crc32(directory), 16);

  const file = openSync(path, 'wx');
  try {
    writeAll(file, header, 0);
    writeAll(file, directory, HEADER_BYTES);
    for (const { name, bytes } of ordered) writeAll(file, bytes, entries[name]?.offset ?? 0);
    // An empty section at the end is after the padding.
    ftruncateSync(file, align(fstatSync(file).size));
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function sumsOf(sections: readonly Section[]): Section {
  const sums: number[] = [];
  for (const { bytes, isResident } of sections) {
    if (isResident) continue;
    for (let at = 0; at < bytes.length; at += BLOCK)
      sums.push(crc32(bytes.subarray(at, at + BLOCK)));
  }
  return { name: SUMS, bytes: new Uint8Array(Uint32Array.from(sums).buffer), isResident: true };
}

/** Written over by each block that is checked. */
const checked = Buffer.allocUnsafeSlow(BLOCK);

/** An open file of sections. */
export class SectionFile {
  readonly #file: number;
  readonly #path: string;
  readonly #form: FileForm;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #resident: Uint8Array;
  readonly #base: number;
  readonly #size: number;
  readonly #sums: Uint32Array;
  /** Which blocks were found as they were written. */
  readonly #isChecked: Uint8Array;

  /**
   * @throws RagError, that of the form, if the file is corrupt or of another form; the error of the file
   * system if it cannot be opened.
   */
  constructor(path: string, form: FileForm) {
    this.#path = path;
    this.#form = form;
    this.#file = openSync(path, 'r');
    try {
      this.#size = fstatSync(this.#file).size;
      const header = this.#readAt(0, HEADER_BYTES);
      if (header.toString('latin1', 0, 8) !== form.magic) throw this.#damaged('it is no such file');
      const version = header.readUInt32LE(8);
      if (version !== form.version) throw this.#damaged(`its form is ${version}`);
      const directory = this.#readAt(HEADER_BYTES, header.readUInt32LE(12));
      if (crc32(directory) !== header.readUInt32LE(16)) throw this.#damaged('its directory');
      const parsed: Record<string, Entry> = JSON.parse(directory.toString());
      this.#entries = new Map(Object.entries(parsed));
      const resident = [...this.#entries.values()].filter((entry) => entry.isResident);
      this.#base = Math.min(...resident.map(({ offset }) => offset));
      const end = Math.max(...resident.map(({ offset, length }) => offset + length));
      this.#resident = this.#readAt(this.#base, end - this.#base);
      for (const [name, entry] of this.#entries) if (entry.isResident) this.#check(name, entry);
      const sums = this.section(SUMS);
      this.#sums = new Uint32Array(sums.buffer, sums.byteOffset, sums.length / 4);
      this.#isChecked = new Uint8Array(this.#sums.length);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** The names of the resident sections that were written. */
  get names(): readonly string[] {
    return [...this.#entries].flatMap(([name, { isResident }]) =>
      isResident && name !== SUMS ? [name] : [],
    );
  }

  /** Returns a whole section. One that is not resident is read now, checked, and not kept. */
  section(name: string): Uint8Array {
    const entry = this.#entry(name);
    if (!entry.isResident) return this.#check(name, entry);
    const start = entry.offset - this.#base;
    return this.#resident.subarray(start, start + entry.length);
  }

  /** @throws RagError, that of the form, if a section does not have such a piece. */
  assertInside(name: string, start: number, length: number): void {
    const isInside = start >= 0 && start + length <= this.#entry(name).length;
    if (!isInside) throw this.#damaged(`its section '${name}' ends too early`);
  }

  /** Reads a piece of a section that is not resident into the beginning of a buffer. */
  readInto(name: string, start: number, buffer: Buffer, length: number): void {
    const entry = this.#entry(name);
    this.#checkBlocks(name, entry, start, start + length);
    this.#fill(buffer, entry.offset + start, length);
  }

  /**
   * Reads and checks every byte.
   *
   * @throws RagError, that of the form.
   */
  verify(): void {
    for (const [name, entry] of this.#entries) this.#check(name, entry);
  }

  close(): void {
    closeSync(this.#file);
  }

  #entry(name: string): Entry {
    const entry = this.#entries.get(name);
    if (!entry) throw this.#damaged(`it has no section '${name}'`);
    return entry;
  }

  #check(name: string, entry: Entry): Uint8Array {
    const bytes = entry.isResident ? this.section(name) : this.#readAt(entry.offset, entry.length);
    if (crc32(bytes) === entry.crc) return bytes;
    throw this.#wrongSum(name);
  }

  /** Checks the blocks that a piece touches; each once. */
  #checkBlocks(
    name: string,
    { offset, length, sums = 0 }: Entry,
    start: number,
    end: number,
  ): void {
    const last = Math.ceil(end / BLOCK);
    for (let block = Math.floor(start / BLOCK); block < last; block++) {
      if (this.#isChecked[sums + block] === 1) continue;
      const at = block * BLOCK;
      const size = Math.min(BLOCK, length - at);
      if (offset + at + size > this.#size) throw this.#damaged('it ends too early');
      this.#fill(checked, offset + at, size);
      if (crc32(size === BLOCK ? checked : checked.subarray(0, size)) !== this.#sums[sums + block])
        throw this.#wrongSum(name);
      this.#isChecked[sums + block] = 1;
    }
  }

  #wrongSum(name: string): RagError {
    return this.#damaged(`its section '${name}' does not have the sum that was written`);
  }

  #readAt(offset: number, length: number): Buffer {
    if (length > 0 && offset + length > this.#size) throw this.#damaged('it ends too early');
    const buffer = Buffer.allocUnsafeSlow(length);
    this.#fill(buffer, offset, length);
    return buffer;
  }

  #fill(buffer: Buffer, offset: number, length: number): void {
    for (let done = 0; done < length;) {
      let count: number;
      try {
        count = readSync(this.#file, buffer, done, length - done, offset + done);
      } catch (error) {
        throw this.#damaged(messageOf(error), error);
      }
      if (count === 0) throw this.#damaged('it ends too early');
      done += count;
    }
  }

  #damaged(problem: string, cause?: unknown): RagError {
    return this.#form.damaged(this.#path, problem, cause);
  }
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

function writeAll(file: number, bytes: Uint8Array, offset: number): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, offset + done);
  }
}

const GROWTH = 1.5;
/** The longest integer. */
const MAX_VARINT = 5;

/** Bytes that grow, with the variable-length integers of the index (LEB128, 7 bits a byte). */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  /** @param expected - How many bytes will be written; more are possible. */
  constructor(expected = 16) {
    this.#bytes = new Uint8Array(expected + MAX_VARINT);
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** @param value - A whole number from 0 to 2^32 - 1. */
  varint(value: number): void {
    this.#reserve(MAX_VARINT);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns the bytes written so far; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.ceil((this.#length + more) * GROWTH));
    grown.set(this.view());
    this.#bytes = grown;
  }
}

/** Reads variable-length integers one after the other. */
export class ByteReader {
  at = 0;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  varint(): number {
    let value = this.bytes[this.at++] ?? 0;
    if (value < 128) return value;
    value &= 127;
    let scale = 128;
    for (;;) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }
}

/** As many ones before a gap that is written in full. */
const ESCAPE = 20;
const FULL_BITS = 16;

/**
 * Returns the bytes of ascending whole numbers below 2^32: gaps in the code of Rice, which takes about as few bits for
 * each as their density allows.
 *
 * @param numbers - Each once.
 */
export function encodeGaps(numbers: ArrayLike<number>): Uint8Array {
  const writer = new ByteWriter(numbers.length);
  writer.varint(numbers.length);
  if (numbers.length === 0) return writer.view();
  const low = lowBits(numbers);
  writer.byte(low);
  let bits = 0;
  let filled = 0;
  const write = (value: number, count: number): void => {
    bits |= value << filled;
    filled += count;
    for (; filled >= 8; filled -= 8, bits >>>= 8) writer.byte(bits & 255);
  };
  for (let at = 0, before = -1; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const gap = number - before - 1;
    const high = gap >>> low;
    before = number;
    if (high >= ESCAPE) {
      write((1 << ESCAPE) - 1, ESCAPE);
      write(gap & 0xffff, FULL_BITS);
      write(gap >>> FULL_BITS, FULL_BITS);
      continue;
    }
    write((1 << high) - 1, high + 1);
    for (let from = 0; from < low; from += FULL_BITS) {
      const count = Math.min(FULL_BITS, low - from);
      write((gap >>> from) & ((1 << count) - 1), count);
    }
  }
  if (filled > 0) writer.byte(bits & 255);
  return writer.view();
}

/** Returns how many bits of each gap are written as they are: those with which the list is shortest. */
function lowBits(numbers: ArrayLike<number>): number {
  const mean = ((numbers[numbers.length - 1] ?? 0) + 1) / numbers.length;
  let best = Math.max(0, Math.floor(Math.log2(mean * Math.LN2)));
  let least = bitsWith(numbers, best);
  for (const step of [1, -1]) {
    for (let low = best + step; low >= 0 && low < 32; low += step) {
      const bits = bitsWith(numbers, low);
      if (bits >= least) break;
      [best, least] = [low, bits];
    }
  }
  return best;
}

function bitsWith(numbers: ArrayLike<number>, low: number): number {
  let bits = numbers.length * (low + 1);
  for (let at = 0, before = -1; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const high = (number - before - 1) >>> low;
    bits += high < ESCAPE ? high : ESCAPE + 2 * FULL_BITS - low - 1;
    before = number;
  }
  return bits;
}

/**
 * Writes down what {@link encodeGaps} was given.
 *
 * @param target - Enlarged by a new one where it is too short.
 * @returns The numbers; valid until `target` is written to.
 */
export function decodeGaps(bytes: Uint8Array, target: Uint32Array): Uint32Array {
  const reader = new ByteReader(bytes);
  const length = reader.varint();
  if (length === 0) return target.subarray(0, 0);
  // A number takes a bit at least.
  if (length > bytes.length * 8) throw new SyntaxError('a list has more numbers than bits');
  const numbers = length > target.length ? new Uint32Array(length) : target;
  const low = reader.byte();
  const mask = 2 ** low - 1;
  let next = reader.at;
  let bits = 0;
  let filled = 0;
  let number = -1;
  for (let at = 0; at < length; at++) {
    let high = 0;
    for (;;) {
      for (; filled <= 23; filled += 8) bits |= (bytes[next++] ?? 0) << filled;
      // The zero that ends the ones is in the bits that are filled, or more have to be read.
      const ones = Math.min(31 - Math.clz32(~bits & -~bits), filled, ESCAPE - high);
      bits >>>= ones;
      filled -= ones;
      high += ones;
      if (high === ESCAPE || (filled > 0 && (bits & 1) === 0)) break;
    }
    let gap = 0;
    const isEscaped = high === ESCAPE;
    if (!isEscaped) {
      bits >>>= 1;
      filled--;
    }
    const count = isEscaped ? 2 * FULL_BITS : low;
    for (let from = 0; from < count; from += FULL_BITS) {
      const some = Math.min(FULL_BITS, count - from);
      for (; filled <= 23; filled += 8) bits |= (bytes[next++] ?? 0) << filled;
      gap |= (bits & ((1 << some) - 1)) << from;
      bits >>>= some;
      filled -= some;
    }
    number += (isEscaped ? gap >>> 0 : ((high << low) | (gap & mask)) >>> 0) + 1;
    numbers[at] = number;
  }
  return numbers.subarray(0, length);
}
