import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from '../binary/section-file.ts';
import { bareTerm, TITLE_PREFIX } from '../chunk/chunk.ts';
import { type NewTerm, TERM_END, type TermTable } from './term-table.ts';

const HASH_BYTES = 2;

/** The effect of a change on the terms of a space. */
export interface TermChanges {
  /** Terms that are new, by ascending numbers. */
  readonly added: readonly NewTerm[];
  /** By how much the chunks of terms that are known become more or fewer. */
  readonly deltas: readonly (readonly [id: number, by: number])[];
}

/**
 * Encodes what a change does to terms: a byte or two for one that is known, and some eight for a new one.
 *
 * @param level - How well it is compressed; what is stored only until changes are merged need not be.
 */
export function writeTerms(
  { added, deltas }: TermChanges,
  level: number = constants.Z_DEFAULT_COMPRESSION,
): Uint8Array {
  const numbers = new ByteWriter(deltas.length * 3 + added.length * 3);
  const hashes = new ByteWriter(added.length * HASH_BYTES);
  numbers.varint(deltas.length);
  let before = 0;
  for (const [id] of deltas) before = gap(numbers, id, before);
  for (const [, by] of deltas) numbers.varint(by < 0 ? -by * 2 - 1 : by * 2);
  numbers.varint(added.length);
  before = 0;
  for (const { id } of added) before = gap(numbers, id, before);
  for (const { chunks } of added) numbers.varint(Math.max(0, chunks));
  for (const { readings } of added) {
    numbers.varint(readings.length);
    for (const hash of readings) {
      hashes.byte(hash & 255);
      hashes.byte(hash >> 8);
    }
  }
  const all = new ByteWriter(numbers.length + hashes.length + added.length * 8);
  for (const part of [numbers.view(), hashes.view()]) {
    all.varint(part.length);
    all.append(part);
  }
  // JSON keeps lone surrogates.
  all.append(Buffer.from(JSON.stringify(added.map(({ key }) => key))));
  return deflateRawSync(all.view(), { level });
}

/** Applies what {@link writeTerms} wrote. */
export function applyTerms(table: TermTable, bytes: Uint8Array): void {
  const all = inflateRawSync(bytes);
  const reader = new ByteReader(all);
  const numbers = new ByteReader(take(reader));
  const hashes = new ByteReader(take(reader));
  const json = all.toString('utf8', reader.at);
  const known = readGaps(numbers);
  for (const id of known) {
    const by = numbers.varint();
    table.change(id, by % 2 === 0 ? by / 2 : -(by + 1) / 2);
  }
  const ids = readGaps(numbers);
  const chunks = ids.map(() => numbers.varint());
  const readingsOf = (): readonly number[] => readHashes(hashes, numbers.varint());
  const joined = joinedKeys(json);
  if (joined !== undefined) return table.addJoined(joined, { ids, chunks, readingsOf });
  const keys: readonly string[] = JSON.parse(json);
  table.add(
    ids.map((id, at): NewTerm => {
      return { id, key: keys[at] ?? '', chunks: chunks[at] ?? 0, readings: readingsOf() };
    }),
  );
}

/**
 * Returns the strings of a list, each with `TERM_END` between it and the next one; nothing if one has characters that JSON
 * escapes, but for the prefix of titles. Parsing hundreds of thousands of strings takes longer than all else of a first search.
 */
function joinedKeys(json: string): string | undefined {
  const inside = json.slice(2, -2).replaceAll(ESCAPED_PREFIX, TITLE_PREFIX);
  return inside.includes('\\') ? undefined : inside.replaceAll('","', TERM_END);
}

const ESCAPED_PREFIX: string = JSON.stringify(TITLE_PREFIX).slice(1, -1);

function readHashes(reader: ByteReader, count: number): readonly number[] {
  if (count === 0) return NO_HASHES;
  const hashes: number[] = [];
  while (hashes.length < count) hashes.push(reader.byte() + reader.byte() * 256);
  return hashes;
}

const NO_HASHES: readonly number[] = [];

/** Returns the hashes of the readings of a term. */
export function readingsOfTerm(
  term: string,
  readingsOf: (term: string) => readonly string[],
): readonly number[] {
  const readings = readingsOf(bareTerm(term));
  if (readings.length === 0) return [];
  return [...new Set(readings.map(readingHash))];
}

/** Returns the hash of a reading, the same on all machines. Readings may share one. */
export function readingHash(reading: string): number {
  let hash = 0;
  for (let at = 0; at < reading.length; at++) {
    hash = Math.imul((hash ^ reading.charCodeAt(at)) + 0x7f4a7c15, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return Math.imul(hash, 0x85ebca6b) >>> 16;
}

function gap(writer: ByteWriter, id: number, before: number): number {
  writer.varint(id - before);
  return id;
}

function readGaps(reader: ByteReader): readonly number[] {
  const numbers: number[] = [];
  let id = 0;
  for (let count = reader.varint(); count > 0; count--) numbers.push((id += reader.varint()));
  return numbers;
}

function take(reader: ByteReader): Uint8Array {
  const length = reader.varint();
  reader.at += length;
  return reader.bytes.subarray(reader.at - length, reader.at);
}
