import { closeSync, constants, fstatSync, openSync, read as readCallback, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { BOOK_FACTOR, isBookName } from '../books/book-names.ts';
import { BookTexts } from '../books/book-text.ts';
import { RagError } from '../errors.ts';
import { decodeText } from '../encoding/decode-text.ts';
import { fileFailure } from './file-failure.ts';
import type { DirectoryHandle } from './directory-handle.ts';

/** Not through a link, and without waiting for a process that might write into a pipe. Windows has neither. */
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Up to this size, a read is too short to be worth a thread. */
const SMALL_BYTES = 262_144;
const read = promisify(readCallback);

/** The beginning of a file, and what it is. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** The size of the whole file. */
  readonly size: number;
  readonly modified: Date;
}

/**
 * Reads a file that is known by its name in a folder.
 *
 * @throws RagError with the code `file-not-found`, `path-invalid` for a link, or `file-invalid` for
 * what is not a file, too large, or text in no certain encoding.
 */
export async function readTextFile(
  folder: DirectoryHandle,
  name: string,
  maxBytes: number,
  books: BookTexts = new BookTexts(),
): Promise<string> {
  const path = folder.titleOf(name);
  const most = largestSize(name, maxBytes);
  const { bytes, size } = await readHead(folder, name, most + 1);
  if (bytes.length > most) {
    throw new RagError('file-invalid', tooLarge(path, size, most), { context: { path, size } });
  }
  if (isBookName(name)) return books.read(path, bytes, maxBytes);
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new RagError('file-invalid', noUtf8(path), { context: { path } });
}

/** Returns how many bytes a file may have. */
export function largestSize(name: string, maxFileBytes: number): number {
  return isBookName(name) ? maxFileBytes * BOOK_FACTOR : maxFileBytes;
}

/** Returns the problem of a file that is too large. */
export function tooLarge(path: string, size: number, maxBytes: number): string {
  return `${path}: expected at most ${maxBytes} bytes, got ${size}: split it, or raise maxFileBytes`;
}

/** Returns the message about a file in another encoding. */
export function noUtf8(path: string): string {
  return `${path} is no text in UTF-8: save it as UTF-8`;
}

/**
 * Reads the first bytes of a file.
 *
 * @throws RagError as {@link readTextFile} does.
 */
export async function readHead(
  folder: DirectoryHandle,
  name: string,
  limit: number,
): Promise<FileHead> {
  const path = folder.titleOf(name);
  let handle: number | undefined;
  try {
    handle = openSync(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(handle);
    if (!stats.isFile()) {
      throw new RagError('file-invalid', `${path} is no file`, { context: { path } });
    }
    folder.assertUnmoved();
    const bytes = await readBytes(handle, Math.min(limit, stats.size));
    return { bytes, size: stats.size, modified: stats.mtime };
  } catch (error) {
    throw fileFailure(error, path);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

async function readBytes(handle: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  if (length <= SMALL_BYTES) return bytes.subarray(0, readSync(handle, bytes, 0, length, 0));
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await read(handle, bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
