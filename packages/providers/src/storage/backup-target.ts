import { existsSync } from 'node:fs';
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
