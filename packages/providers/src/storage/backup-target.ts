import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { StorageError } from './storage-error.ts';

/**
 * Keeps a backup from writing over another, and from a folder that does not exist.
 *
 * @throws StorageError with the code `conflict`, or `io` without the folder.
 */
export function assertNewFile(path: string): void {
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) {
    const message = `cannot back up to ${path}: there is no folder ${folder}: make it, or name another one`;
    throw new StorageError('io', message, { context: { path } });
  }
  if (!existsSync(path)) return;
  throw new StorageError(
    'conflict',
    `cannot back up to ${path}: there is a file already, and a backup replaces none`,
    { context: { path } },
  );
}

/** Makes an empty file that only this user can read, and takes it away if it could not be filled. */
export async function intoPrivateFile(path: string, fill: () => unknown): Promise<void> {
  const isMade = await open(path, 'wx', 0o600).then(
    (file) => file.close().then(() => true),
    // The reason is reported by the call that fills it.
    () => false,
  );
  try {
    await fill();
  } catch (error) {
    if (isMade) await rm(path, { force: true });
    throw error;
  }
}
