import { closeSync, openSync } from 'node:fs';
import { isError, isOutOfFiles, messageOf, OUT_OF_FILES_HINT } from '../errors.ts';
import { StorageError, type StorageErrorCode } from '../storage/storage-error.ts';

/** Returns the SQLite result code of an error, such as `SQLITE_BUSY`, or `''`. */
function sqliteCode(error: unknown): string {
  const isCoded = isError(error) && 'code' in error && typeof error.code === 'string';
  return isCoded ? String(error.code) : '';
}

/** Checks whether another connection holds what was asked for. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(sqliteCode(error));
}

const CODES: readonly (readonly [RegExp, StorageErrorCode])[] = [
  [/^SQLITE_CONSTRAINT/, 'constraint'],
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'corrupt'],
  [/^SQLITE_TOOBIG/, 'too-large'],
  [/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|PERM)/, 'io'],
];

/** Returns the error of the SDK for anything that SQLite threw; other errors stay as they are. */
export function toStorageError(error: unknown, file: string, sql?: string): unknown {
  if (StorageError.isInstance(error)) return error;
  const sqlite = sqliteCode(error);
  const isMisuse = error instanceof TypeError || error instanceof RangeError;
  if (!sqlite.startsWith('SQLITE_') && !isMisuse) return error;
  const code = CODES.find(([pattern]) => pattern.test(sqlite))?.[1] ?? 'sql';
  const statement = sql === undefined ? '' : ` in "${sql.replace(/\s+/g, ' ').slice(0, 200)}"`;
  const advice = adviceFor(code, file);
  return new StorageError(code, `${file}: ${messageOf(error)}${statement}${advice}`, {
    cause: error,
    context: { file, ...(sqlite ? { sqlite } : {}) },
  });
}

function adviceFor(code: StorageErrorCode, file: string): string {
  if (code === 'io' && isAtFileLimit()) {
    return `. Too many files are open; ${OUT_OF_FILES_HINT}`;
  }
  if (code !== 'corrupt') return '';
  return (
    `. The file is damaged: close all that uses it, move it away together with its -wal and -shm, and ` +
    `restore the newest backup (${file}.*.bak are made before migrations); a cache is just deleted`
  );
}

/** The files that SQLite opens at once for a database: the file, its log, index, journal, folder, and a source of randomness. */
const FILES_OF_DATABASE = 6;

/** Checks whether files run out. SQLite then reports a file that is missing or read-only, and has closed its own. */
function isAtFileLimit(): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < FILES_OF_DATABASE) opened.push(openSync(process.execPath, 'r'));
    return false;
  } catch (error) {
    return isOutOfFiles(error);
  } finally {
    for (const file of opened) closeSync(file);
  }
}
