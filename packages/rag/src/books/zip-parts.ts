import { posix } from 'node:path';
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
      const zip = await fromBufferPromise(bytes);
      const parts = new ZipParts(zip);
      for await (const entry of zip.eachEntry()) {
        if (parts.#entries.size >= MOST_ENTRIES) {
          throw new BookProblem(`expected at most ${MOST_ENTRIES} files in it`);
        }
        // Programs take the first of two with one name.
        if (!parts.#entries.has(entry.fileName)) parts.#entries.set(entry.fileName, entry);
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

/** Returns the name of a file that a reference means, by the file that has the reference. */
export function resolvePart(from: string, reference: string): string {
  const [path = ''] = reference.split('#');
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A per cent sign of its own.
  }
  if (decoded === '') return from;
  return posix.join('/', posix.dirname(from), decoded).slice(1);
}

function asProblem(cause: unknown, what: string): Error {
  return cause instanceof BookProblem
    ? cause
    : new BookProblem(`${what}: ${messageOf(cause)}`, { cause });
}
