import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFile as readFileCallback,
  readFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { assertFileBytes } from '../storage/file-too-large.ts';
import type { ReadOptions, StoredFile } from '../storage/file-store.ts';
import { storedFile } from '../storage/stored-file.ts';
import { SMALL_BYTES } from './durable.ts';
import { hasCode, isMissing } from '../storage/file-error.ts';
import { versionOf } from './file-version.ts';
import { keyPath } from './key-paths.ts';

const readFile = promisify(readFileCallback);

/** A pipe instead of a file is opened without waiting for its other end. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

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
    file = openSync(keyPath(root, key), READ);
  } catch (error) {
    if (isMissing(error) || hasCode(error, 'EISDIR')) return null;
    throw error;
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return null;
    assertFileBytes(key, Number(stats.size), Math.min(maxBytes, MAX_READ_BYTES));
    const data = stats.size <= SMALL_BYTES ? readFileSync(file) : await readFile(file);
    return storedFile(key, data, versionOf(stats));
  } finally {
    closeSync(file);
  }
}
