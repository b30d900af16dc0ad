import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { isMissing, toFileError } from '../storage/file-error.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { DriverConnection, SqliteDriverName } from './sqlite-driver.ts';

/** Files that SQLite reads, writes and deletes next to a database, by the end of their names. */
const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;
/** The end of a rollback journal that names a super-journal; see https://sqlite.org/fileformat2.html. */
const MAGIC = Buffer.from('d9d505f920a163d7', 'hex');
/** The length and the checksum of the name, before the magic. */
const TAIL_BYTES = 16;
const MAX_NAME_BYTES = 4096;

/**
 * Checks a database that may come from elsewhere before SQLite opens it. SQLite follows a link in place of
 * a side file and writes to its target, and it deletes the file that a rollback journal names as its
 * super-journal. The SDK never creates either.
 *
 * @throws StorageError with the code `io` for a folder; `outside-root` for a side file that is not a plain file or has another
 * name, too; `corrupt` for a journal that names another file.
 */
export function assertOwnFiles(path: string): void {
  try {
    checkFiles(path);
  } catch (error) {
    throw toFileError(error, 'open', path);
  }
}

function checkFiles(path: string): void {
  const database = realPath(path);
  const kind = lstatSync(database, { throwIfNoEntry: false });
  if (kind?.isDirectory()) throw folderInstead(path);
  if (kind && !kind.isFile()) throw notPlain(database);
  for (const end of SIDE_FILES) {
    const side = lstatSync(database + end, { throwIfNoEntry: false });
    if (!side) continue;
    if (!side.isFile() || side.nlink > 1) throw notPlain(database + end);
    if (end === '-journal') refuseSuperJournal(database + end);
  }
}

/** SQLite stores side files next to the target of a link. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path;
}

function folderInstead(path: string): StorageError {
  const message = `cannot open ${path}: expected a file, got a folder. Name a file in it`;
  return new StorageError('io', message, { context: { path } });
}

function notPlain(path: string): StorageError {
  const message =
    `cannot open ${path}: it is a link (symbolic or hard) or no plain file, so that what is written ` +
    'there would be written elsewhere. Remove it, then open again';
  return new StorageError('outside-root', message, { context: { path } });
}

function refuseSuperJournal(journal: string): void {
  const named = superJournalOf(journal);
  if (named === undefined) return;
  const message =
    `${journal}: expected the journal of one database, got one that names ${JSON.stringify(named)}, ` +
    'which SQLite would delete. Remove the journal, then open again';
  throw new StorageError('corrupt', message, { context: { path: journal, named } });
}

/** Returns the file that a journal names as its super-journal, if it names one. */
function superJournalOf(journal: string): string | undefined {
  const file = openIfThere(journal);
  if (file === undefined) return undefined;
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(TAIL_BYTES);
    if (size < TAIL_BYTES) return undefined;
    readSync(file, tail, 0, TAIL_BYTES, size - TAIL_BYTES);
    if (!tail.subarray(TAIL_BYTES - MAGIC.length).equals(MAGIC)) return undefined;
    const name = Buffer.alloc(Math.min(tail.readUInt32BE(0), size - TAIL_BYTES, MAX_NAME_BYTES));
    readSync(file, name, 0, name.length, size - TAIL_BYTES - name.length);
    return name.toString();
  } finally {
    closeSync(file);
  }
}

/** Opens a journal, unless another process has ended its transaction since it was seen. */
function openIfThere(journal: string): number | undefined {
  try {
    return openSync(journal, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

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
  const file = resolve(realPath(path));
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
