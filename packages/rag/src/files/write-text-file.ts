import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import { RagError } from '../errors.ts';
import { hasCode } from '@vizprompt/providers/internal';
import { fileFailure, linkError, pathGone } from './file-failure.ts';
import { tooLarge } from './read-text-file.ts';
import type { DirectoryHandle } from './directory-handle.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const TEMP_NAME = /^\.dialogoi-[0-9a-f]{16}\.(?:tmp|claim)$/;
/** A temporary file of this age belongs to a process that died. */
const ABANDONED_MS = 3_600_000;

/**
 * Returns the bytes of a text that may be written.
 *
 * @throws RagError with the code `file-invalid` for a text with a lone surrogate, or too large a one.
 */
export function bytesOf(text: string, path: string, maxBytes: number): Uint8Array {
  if (!text.isWellFormed()) {
    throw new RagError('file-invalid', `the text for ${path} holds half of a character`, {
      context: { path },
    });
  }
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return bytes;
  throw new RagError('file-invalid', tooLarge(path, bytes.length, maxBytes), {
    context: { path, size: bytes.length },
  });
}

/**
 * Writes a file whole or not at all, and on the disk when it resolves. Without `overwrite`, a file
 * that comes to be at the last moment is not replaced either.
 *
 * @throws RagError with the code `file-exists`, `path-invalid` for a link in its place, `file-failed`.
 */
export async function writeTextFile(
  folder: DirectoryHandle,
  name: string,
  bytes: Uint8Array,
  overwrite: boolean,
): Promise<void> {
  const path = folder.titleOf(name);
  const temp = `.dialogoi-${randomBytes(8).toString('hex')}.tmp`;
  try {
    const mode = await modeOf(folder, name, path);
    await writeNew(folder, temp, bytes, mode);
    try {
      folder.assertUnmoved();
      if (overwrite) await rename(folder.at(temp), folder.at(name));
      else await placeNew(folder, { temp, name, bytes, mode });
    } finally {
      await unlink(folder.at(temp)).catch(() => undefined);
    }
    folder.assertUnmoved();
    await folder.sync();
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? existsError(path, error) : fileFailure(error, path);
  }
}

/** There is a file already. */
export function existsError(path: string, cause?: unknown): RagError {
  const message = `${path} is there already: choose another name, or overwrite it (overwrite: true, --overwrite)`;
  return new RagError('file-exists', message, { cause, context: { path } });
}

/** Deletes what writers that died left in a folder. */
export async function sweepAbandoned(
  folder: DirectoryHandle,
  now: number = Date.now(),
): Promise<void> {
  const entries = folder.entries();
  for (const { name } of entries.filter((entry) => TEMP_NAME.test(entry.name))) {
    const stats = await lstat(folder.at(name)).catch(() => undefined);
    if (!stats?.isFile() || now - stats.mtimeMs < ABANDONED_MS) continue;
    await unlink(folder.at(name)).catch(() => undefined);
  }
}

/** Returns the rights of the file that is there, for the one that takes its place. */
async function modeOf(
  folder: DirectoryHandle,
  name: string,
  path: string,
): Promise<number | undefined> {
  try {
    const stats = await lstat(folder.at(name));
    if (stats.isSymbolicLink()) throw linkError(path);
    if (!stats.isFile()) throw pathGone(path, 'it is no file');
    return stats.mode & 0o777;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function writeNew(
  folder: DirectoryHandle,
  name: string,
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const handle = await open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  try {
    await handle.writeFile(bytes);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } catch (error) {
    await unlink(folder.at(name)).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

interface NewFile {
  readonly temp: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
}

/** A second name for the finished file is given only if nothing has it; some disks know no such thing. */
async function placeNew(
  folder: DirectoryHandle,
  { temp, name, bytes, mode }: NewFile,
): Promise<void> {
  try {
    await link(folder.at(temp), folder.at(name));
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV')) throw error;
    await writeNew(folder, name, bytes, mode);
  }
}
