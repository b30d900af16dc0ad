import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { StorageError } from '../storage/storage-error.ts';
import type { DriverConnection, SqliteDriverName } from './sqlite-driver.ts';

/** The drivers of the files that are open in this process, with the number of their connections. */
const openFiles = new Map<string, { readonly driver: SqliteDriverName; connections: number }>();

/**
 * Opens a connection, unless another driver has the file open in this process. Each driver holds a copy of SQLite,
 * and one copy would drop the locks of the other, which damages the file.
 *
 * Source: https://www.sqlite.org/howtocorrupt.html, section 2.2.1.
 *
 * @param connect - Opens it; the connection calls `release` when it is closed.
 * @throws StorageError with the code `misuse`.
 */
export function claimFile(
  path: string,
  driver: SqliteDriverName,
  connect: (release: () => void) => DriverConnection,
): DriverConnection {
  const file = existsSync(path) ? realpathSync.native(path) : resolve(path);
  const claim = openFiles.get(file) ?? { driver, connections: 0 };
  if (claim.driver !== driver) {
    throw new StorageError(
      'misuse',
      `cannot open ${path} by ${driver}: ${claim.driver} has it open in this process, and two drivers on one file ` +
        'damage it. Close the other database first, or name the same driver',
      { context: { path, driver } },
    );
  }
  openFiles.set(file, claim);
  claim.connections++;
  const release = (): void => {
    claim.connections--;
    if (claim.connections === 0) openFiles.delete(file);
  };
  try {
    return connect(release);
  } catch (error) {
    release();
    throw error;
  }
}
