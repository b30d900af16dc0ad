import { posix } from 'node:path';
import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';
import { messageOf } from '@vizprompt/providers';
import type { Entry, ZipFile } from 'yauzl';
import { loadBookPackages } from './load-packages.ts';

/** A book has at most this many files. */
const MOST_ENTRIES = 20_000;
/** The most bytes of text and directories that are unpacked from one book. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A problem of a book that is the same at every try, as long as its bytes are. */
export class BookProblem extends Error {}

/**
 * The files of a book in a ZIP archive, in memory. Nothing is written anywhere, and names lead to entries of the archive
 * alone. The unpacked size is bounded, whatever its directory says.
 */
export class ZipParts {
  readonly #zip: ZipFile;
  readonly #entries = new Map<string, Entry>();
  /** The names of the entries, by what programs of Windows and macOS change in them. */
  readonly #names = new Map<string, string>();
  #left = MOST_BYTES;

  private constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  /**
   * Reads the directory of an archive.
   *
   * @throws BookProblem if it is none; what {@link loadBookPackages} throws.
   */
  static async open(bytes: Buffer): Promise<ZipParts> {
    const { fromBufferPromise } = (await loadBookPackages()).yauzl;
    try {
      const zip = await fromBufferPromise(withoutEnvelope(bytes));
      const parts = new ZipParts(zip);
      for await (const entry of zip.eachEntry()) {
        if (parts.#entries.size >= MOST_ENTRIES) {
          throw new BookProblem(`expected at most ${MOST_ENTRIES} files in it`);
        }
        const entryName = nameOf(entry);
        // Programs take the first of two with one name.
        if (parts.#entries.has(entryName)) continue;
        parts.#entries.set(entryName, entry);
        const folded = fold(entryName);
        if (!parts.#names.has(folded)) parts.#names.set(folded, entryName);
      }
      return parts;
    } catch (cause) {
      throw asProblem(cause, 'it is no sound ZIP archive');
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Returns the name of the file that a reference means; where there is none, the name that it would have.
   *
   * @param from - The file that has the reference.
   */
  resolve(from: string, reference: string): string {
    const [path = ''] = reference.trim().split(/[#?]/);
    if (path === '') return from;
    const folder = posix.dirname(from);
    const [decoded, plain] = [decodeReference(path), path];
    for (const each of [decoded, plain]) {
      const name = joined(folder, each);
      const known = this.#entries.has(name) ? name : this.#names.get(fold(name));
      if (known !== undefined) return known;
    }
    return joined(folder, decoded);
  }

  /**
   * Reads a file, piece by piece.
   *
   * @throws BookProblem if it is missing, damaged, encrypted, or too large.
   */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw new BookProblem(`it has no file ${name}`);
    if (entry.isEncrypted()) throw new BookProblem(`its file ${name} is encrypted`);
    let sum = 0;
    try {
      for await (const piece of await this.#zip.openReadStreamPromise(entry)) {
        if (!Buffer.isBuffer(piece)) continue;
        this.#left -= piece.length;
        if (this.#left < 0) {
          throw new BookProblem(`its text unpacks to more than ${MOST_BYTES} bytes`);
        }
        sum = crc32(piece, sum);
        yield piece;
      }
    } catch (cause) {
      throw asProblem(cause, `its file ${name} cannot be unpacked`);
    }
    if (sum !== entry.crc32) throw new BookProblem(`its file ${name} is damaged`);
  }
}

function joined(folder: string, path: string): string {
  return posix.join('/', path.startsWith('/') ? '' : folder, path.replaceAll('\\', '/')).slice(1);
}

/** Returns a part of a reference without its escapes. */
export function decodeReference(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A per cent sign of its own.
    return path;
  }
}

/** Returns a name without differences of case and of Unicode composition. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

const IS_UTF8 = 0x800;
const UNICODE_PATH = 0x70_75;

/** Returns the name of an entry. Programs write UTF-8 and Shift_JIS without a flag that says so. */
function nameOf(entry: Entry): string {
  const isNamed =
    (entry.generalPurposeBitFlag & IS_UTF8) !== 0 ||
    entry.extraFields.some(({ id }) => id === UNICODE_PATH);
  if (isNamed) return entry.fileName;
  for (const encoding of ['utf-8', 'shift_jis']) {
    try {
      const name = new TextDecoder(encoding, { fatal: true }).decode(entry.fileNameRaw);
      return name.replaceAll('\\', '/');
    } catch {
      // In another encoding.
    }
  }
  return entry.fileName;
}

const END_OF_ZIP = Buffer.from('PK\u0005\u0006');
const DIRECTORY = Buffer.from('PK\u0001\u0002');
const END_LENGTH = 22;

/** Returns an archive without bytes before and after it, which downloads and mails add. */
function withoutEnvelope(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(END_OF_ZIP);
  if (end < 0 || end + END_LENGTH > bytes.length) return bytes;
  const size = bytes.readUInt32LE(end + 12);
  const offset = bytes.readUInt32LE(end + 16);
  const shift = end - size - offset;
  const isAt = (place: number): boolean =>
    bytes.subarray(place, place + DIRECTORY.length).equals(DIRECTORY);
  const isShifted = shift > 0 && !isAt(offset) && isAt(offset + shift);
  return bytes.subarray(
    isShifted ? shift : 0,
    end + END_LENGTH + bytes.readUInt16LE(end + END_LENGTH - 2),
  );
}

function asProblem(cause: unknown, what: string): Error {
  return cause instanceof BookProblem
    ? cause
    : new BookProblem(`${what}: ${messageOf(cause)}`, { cause });
}
