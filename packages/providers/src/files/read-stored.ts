import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFile as readFileCallback,
  readSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { ReadOptions, StoredFile } from '../storage/file-store.ts';
import { storedFile } from '../storage/file-content.ts';
import { SMALL_BYTES } from './durable.ts';
import { assertFileBytes, hasCode, isMissing } from '../storage/file-error.ts';
import { versionOf } from './file-version.ts';
import { keyPath, readPath } from './key-paths.ts';

const readFile = promisify(readFileCallback);

/** A pipe instead of a file is opened without waiting for its other end. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Refuses a symbolic link; absent on Windows. */
const NO_LINK: number | undefined = constants.O_NOFOLLOW;

/** Maximum number of bytes that Node reads from a file at once. */
const MAX_READ_BYTES = 2 ** 31 - 1;

/** Small files are read synchronously: that is ten times as fast as by way of a thread. */
export async function readStored(
  root: string,
  key: string,
  { maxBytes = Infinity }: ReadOptions = {},
): Promise<StoredFile | null> {
  let file: number;
  try {
    file = openKey(root, key);
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'EISDIR')) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return null;
    const size = Number(stats.size);
    assertFileBytes(key, size, Math.min(maxBytes, MAX_READ_BYTES));
    const data = size <= SMALL_BYTES ? readSmall(file, size) : await readFile(file);
    return storedFile(key, data, versionOf(stats));
  } finally {
    closeSync(file);
  }
}

/** Opens the file of a key. The system refuses a link instead of a file, which is then looked at. */
function openKey(root: string, key: string): number {
  if (NO_LINK === undefined) return openSync(keyPath(root, key), READ);
  try {
    return openSync(readPath(root, key), READ | NO_LINK);
  } catch (error) {
    if (!hasCode(error, 'ELOOP', 'EMLINK')) throw error;
    return openSync(keyPath(root, key), READ);
  }
}

/** Reads as many bytes as the file had when its version was taken: what was appended since is of the next one. */
function readSmall(file: number, size: number): Buffer {
  const data = Buffer.allocUnsafe(size);
  for (let end = 0; end < size;) {
    const count = readSync(file, data, end, size - end, end);
    if (count === 0) return data.subarray(0, end);
    end += count;
  }
  return data;
}
