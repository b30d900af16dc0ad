import { isError } from '../errors.ts';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, RENAME_DELAYS_MS, renameOver, syncFolder, tempName } from './durable.ts';
import { hasCode } from '../storage/file-error.ts';

/** Options of {@link replaceFile}. */
export interface ReplaceFileOptions {
  /**
   * True if content and name are on the disk when it returns. Without it a crash of the machine may leave the
   * old file or an empty one, which is enough for caches. Default: `true`.
   */
  readonly durable?: boolean | undefined;
  /** The permission bits of a new file; a file that is replaced keeps its own. Default: 0o666, less the umask. */
  readonly mode?: number | undefined;
  /** Runs directly before each attempt to move the file into place; what it throws leaves the old file. */
  readonly beforeMove?: (() => void) | undefined;
}

/** The content of a file, whole or in pieces. */
export type FileContent =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/**
 * Replaces a file as a whole: readers see the old content or the new one, also after a crash. The folder is
 * created when it is missing. While another program holds the file (a virus scanner on Windows), it tries
 * for 0.4 seconds. A symbolic link is replaced, not followed.
 *
 * @throws the error of `node:fs`, naming `path`; the temporary file is gone then.
 */
export async function replaceFile(
  path: string,
  content: FileContent,
  { durable = true, mode, beforeMove }: ReplaceFileOptions = {},
): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const temp = join(folder, tempName());
  const keptMode = modeOf(path);
  try {
    const file = await open(temp, 'wx', keptMode ?? mode ?? 0o666);
    try {
      for await (const piece of piecesOf(content)) await file.writeFile(piece);
      if (keptMode !== undefined) await file.chmod(keptMode);
      if (durable) await file.sync();
    } finally {
      await file.close();
    }
    await renameOver(temp, path, beforeMove);
  } catch (error) {
    await rm(temp, { force: true });
    throw naming(path, temp, error);
  }
  if (durable) await syncFolder(folder);
}

/** Does what {@link replaceFile} does, without leaving the turn: for what must be done before anything else runs. */
export function replaceFileSync(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
  { durable = true, mode, beforeMove }: ReplaceFileOptions = {},
): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const temp = join(folder, tempName());
  const keptMode = modeOf(path);
  try {
    const file = openSync(temp, 'wx', keptMode ?? mode ?? 0o666);
    try {
      for (const piece of wholeOrPieces(content)) writeAll(file, piece);
      if (keptMode !== undefined) fchmodSync(file, keptMode);
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameOverSync(temp, path, beforeMove);
  } catch (error) {
    rmSync(temp, { force: true });
    throw naming(path, temp, error);
  }
  if (durable) syncFolderSync(folder);
}

function renameOverSync(from: string, to: string, beforeMove?: () => void): void {
  for (const delay of [...RENAME_DELAYS_MS, undefined]) {
    beforeMove?.();
    try {
      return renameSync(from, to);
    } catch (error) {
      if (delay === undefined || !hasCode(error, 'EPERM', 'EBUSY', 'EACCES')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delay);
    }
  }
}

/** Brings the names in a folder to the disk; see {@link syncFolder}. */
function syncFolderSync(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o7777;
}

async function* piecesOf(content: FileContent): AsyncGenerator<string | Uint8Array> {
  if (typeof content === 'object' && Symbol.asyncIterator in content) yield* content;
  else yield* wholeOrPieces(content);
}

function wholeOrPieces(
  content: string | Uint8Array | Iterable<string | Uint8Array>,
): Iterable<string | Uint8Array> {
  return typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
}

function writeAll(file: number, piece: string | Uint8Array): void {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** No caller knows the temporary file. */
function naming(path: string, temp: string, error: unknown): unknown {
  if (isError(error)) error.message = error.message.replaceAll(temp, path);
  return error;
}
