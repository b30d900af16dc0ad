import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { StorageError } from '../storage/storage-error.ts';
import { assertFileBytes, hasCode, isMissing, toFileError } from '../storage/file-error.ts';

/** A pipe in place of a file is opened without waiting for its other end. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** How a file that may come from elsewhere is read. */
export interface ReadPlainOptions {
  /** Larger files are refused. Default: none are. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a file that was found in a folder, which may come from elsewhere: a pipe or a device in its place
 * would never end.
 *
 * @returns `undefined` if there is none.
 * @throws StorageError with the code `io` if it is not a plain file or cannot be read; `too-large`.
 */
export function readPlainFile(
  path: string,
  { maxBytes }: ReadPlainOptions = {},
): Buffer | undefined {
  return usePlainFile(path, (file, size) => {
    if (maxBytes !== undefined) assertFileBytes(path, size, maxBytes);
    return readFileSync(file);
  });
}

/**
 * Opens a file that was found in a folder, calls a function with its descriptor and its size in bytes, and closes it; see
 * {@link readPlainFile}.
 *
 * @returns `undefined` if there is none.
 * @throws StorageError with the code `io` if it is not a plain file or cannot be read.
 */
export function usePlainFile<Result>(
  path: string,
  use: (file: number, size: number) => Result,
): Result | undefined {
  const file = openPlainFile(path);
  if (file === undefined) return undefined;
  try {
    return use(file, fstatSync(file).size);
  } catch (error) {
    throw toFileError(error, 'read', path);
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a file that was found in a folder as a stream; see {@link readPlainFile}.
 *
 * @throws StorageError with the code `io` if it is not a plain file, is missing or cannot be opened.
 */
export function streamPlainFile(path: string): Readable {
  const fd = openPlainFile(path);
  if (fd !== undefined) return createReadStream('', { fd });
  throw new StorageError('io', `cannot read '${path}': there is no such file`, {
    context: { key: path },
  });
}

function openPlainFile(path: string): number | undefined {
  let file: number;
  try {
    file = openSync(path, READ);
  } catch (error) {
    // No file has a name that is too long.
    if (isMissing(error) || hasCode(error, 'ENAMETOOLONG')) return undefined;
    throw toFileError(error, 'read', path);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new StorageError('io', `cannot read '${path}': it is no plain file. Move it away`, {
    context: { key: path },
  });
}

/**
 * Reads a file that a user named, which may be a pipe, such as that of `<(...)` in a shell. A link to an
 * endless device ends at the limit.
 *
 * @throws StorageError with the code `io` if it cannot be read; `too-large`; the signal's reason.
 */
export async function readNamedFile(
  given: string | URL,
  { maxBytes = Infinity, signal }: ReadPlainOptions = {},
): Promise<Buffer> {
  const path = given instanceof URL ? fileURLToPath(given) : given;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, signal ? { signal } : {})) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream without an encoding
      const buffer = chunk as Buffer;
      bytes += buffer.length;
      assertFileBytes(path, bytes, maxBytes);
      chunks.push(buffer);
    }
    return Buffer.concat(chunks, bytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw toFileError(error, 'read', path);
  }
}
