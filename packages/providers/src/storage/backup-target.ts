import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { StorageError } from './storage-error.ts';

/**
 * Keeps a backup from writing over another.
 *
 * @throws StorageError with the code `conflict`.
 */
export function assertNewFile(path: string): void {
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
