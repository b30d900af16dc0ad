import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StorageError } from '../storage/storage-error.ts';
import { rowsOf } from '../storage/transaction-scope.ts';
import { poll } from '../concurrency/poll.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-error.ts';

/** A backup that was made before a migration: `database.db.memory-v3-1764000000000.bak`. */
const BACKUP = /^\.[^.]+-v\d+-\d+\.bak$/;

/**
 * Rewrites a database without what was deleted. Each text index is merged into one segment, which drops the terms of
 * deleted rows; then the file is rewritten without free pages, and the write-ahead log is emptied.
 *
 * Source: https://www.sqlite.org/fts5.html, section 6.8; https://www.sqlite.org/lang_vacuum.html.
 */
export function rewriteSqlite(connection: SqliteConnection): true {
  const tables = rowsOf(
    connection.run("SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"),
  );
  for (const { name, sql } of tables) {
    if (!/\busing\s+fts5\s*\(/iu.test(String(sql))) continue;
    const table = `"${String(name).replaceAll('"', '""')}"`;
    connection.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
  }
  connection.run('VACUUM');
  return true;
}

/**
 * Copies the write-ahead log into the database and empties it.
 *
 * @throws StorageError with the code `busy` if another process reads from it for too long.
 */
export async function emptyLog(
  connection: SqliteConnection,
  path: string,
  timeoutMs: number,
): Promise<void> {
  const isEmpty = await poll(
    () => {
      try {
        const [row] = rowsOf(connection.run('PRAGMA wal_checkpoint(TRUNCATE)'));
        return row?.['busy'] === 0 ? true : undefined;
      } catch (error) {
        if (isBusy(error)) return undefined;
        throw error;
      }
    },
    { timeoutMs },
  );
  if (isEmpty) return;
  throw new StorageError(
    'busy',
    `cannot empty the write-ahead log of ${path}: another process has been reading for more than ${timeoutMs} ms, ` +
      'and the log still holds what was deleted. Close that process, then purge again',
    { context: { path } },
  );
}

/** Deletes the backups that migrations of a database made. */
export async function deleteMigrationBackups(path: string): Promise<void> {
  const name = basename(path);
  for (const file of await readdir(dirname(path))) {
    const isBackup = file.startsWith(name) && BACKUP.test(file.slice(name.length));
    if (isBackup) await rm(join(dirname(path), file), { force: true });
  }
}
