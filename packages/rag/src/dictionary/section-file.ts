import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { RagError } from '../errors.ts';

/** What a section holds; numbers are in the order of bytes of the machine, as files do not travel. */
export type Section = Uint8Array | Uint16Array | Int16Array | Uint32Array;

/** Sections by name. */
export type Sections = Readonly<Record<string, Section>>;

const MAGIC = Buffer.from('VZPDICT\n');
const FORMAT_AT = 8;
const CRC_AT = 12;
const DIRECTORY_LENGTH_AT = 16;
const HEADER_SIZE = 24;

const KINDS = { u8: Uint8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array };
type Kind = keyof typeof KINDS;
type Directory = Record<string, readonly [kind: Kind, offset: number, length: number]>;

/** Writes sections into a file, which is either complete afterwards or as it was before. */
export function writeSections(path: string, format: number, sections: Sections): void {
  const bytes = pack(format, sections);
  const temporary = `${path}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    const handle = openSync(temporary, 'wx');
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Reads sections as they lie in the file, or nothing if the file is missing, torn, or of another
 * format.
 *
 * @throws RagError with the code `dictionary-failed` if it is there and cannot be read.
 */
export function readSections(path: string, format: number): Sections | undefined {
  let bytes: Buffer<ArrayBuffer>;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new RagError('dictionary-failed', `cannot read the dictionary ${path}`, {
      cause: error,
      context: { path },
    });
  }
  if (bytes.length < HEADER_SIZE || !bytes.subarray(0, MAGIC.length).equals(MAGIC))
    return undefined;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE);
  const number = (at: number): number => header.getUint32(at, LITTLE_ENDIAN);
  if (number(FORMAT_AT) !== format) return undefined;
  if (number(CRC_AT) !== crc32(bytes.subarray(CRC_AT + 4))) return undefined;
  const text = bytes.toString('utf8', HEADER_SIZE, HEADER_SIZE + number(DIRECTORY_LENGTH_AT));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `pack` wrote it, by its checksum
  const directory = JSON.parse(text) as Directory;
  return Object.fromEntries(
    Object.entries(directory).map(([name, [kind, offset, length]]) => [
      name,
      new KINDS[kind](bytes.buffer, bytes.byteOffset + offset, length),
    ]),
  );
}

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

function pack(format: number, sections: Sections): Buffer {
  const directory: Directory = {};
  // Offsets are part of the directory that stands before them: room for the longest of them.
  const room = JSON.stringify(sectionsAt(sections, Number.MAX_SAFE_INTEGER)).length;
  let end = aligned(HEADER_SIZE + room);
  for (const [name, section] of Object.entries(sections)) {
    directory[name] = [kindOf(section), end, section.length];
    end = aligned(end + section.byteLength);
  }
  const text = Buffer.from(JSON.stringify(directory));
  const bytes = Buffer.alloc(end);
  for (const [name, section] of Object.entries(sections)) {
    const { buffer, byteOffset, byteLength } = section;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), directory[name]?.[1]);
  }
  bytes.set(MAGIC);
  bytes.set(text, HEADER_SIZE);
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_SIZE);
  header.setUint32(FORMAT_AT, format, LITTLE_ENDIAN);
  header.setUint32(DIRECTORY_LENGTH_AT, text.length, LITTLE_ENDIAN);
  header.setUint32(CRC_AT, crc32(bytes.subarray(CRC_AT + 4)), LITTLE_ENDIAN);
  return bytes;
}

function sectionsAt(sections: Sections, offset: number): Directory {
  return Object.fromEntries(
    Object.entries(sections).map(([name, section]) => [
      name,
      [kindOf(section), offset, section.length],
    ]),
  );
}

function kindOf(section: Section): Kind {
  if (section instanceof Uint8Array) return 'u8';
  if (section instanceof Uint16Array) return 'u16';
  return section instanceof Int16Array ? 'i16' : 'u32';
}

function aligned(offset: number): number {
  return (offset + 7) & ~7;
}
