import { join } from 'node:path';
import {
  localFileStore,
  type LocalFileStoreOptions,
  LOCAL_FILE_STORE_OPTIONS,
} from '../files/local-file-store.ts';
import { readOnlyFileStore } from '../files/read-only-file-store.ts';
import type { Logger } from '../logging/logger.ts';
import { loadSqlite } from '../sqlite/load-sqlite.ts';
import { sqliteDatabase } from '../sqlite/sqlite-database.ts';
import type { SqliteDriverName } from '../sqlite/sqlite-driver.ts';
import { RESERVED_SEGMENT } from '../storage/file-store.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { Storage } from '../storage/storage.ts';
import { checkOptions } from '../input/check-input.ts';
import { ANYTHING, FLAG, type Kinds, LOGGER, oneOf, optional, shownValue } from '../input/kinds.ts';

/** Where the parts of a storage lie, when one folder is not what is wanted. */
interface StoragePaths {
  /** The folder of the files. */
  readonly files: string;
  /** The SQLite file of the database. Default: `.vizprompt/database.db` in the folder. */
  readonly database?: string;
  /** The SQLite file of the cache. Default: `.vizprompt/cache.db` in the folder. */
  readonly cache?: string;
}

/** Options of {@link openStorage}. */
export interface OpenStorageOptions extends LocalFileStoreOptions {
  /** The durability of the database; see `sqliteDatabase`. Default: `'full'`. */
  readonly durability?: 'full' | 'normal' | undefined;
  /**
   * True if nothing is written there: the folder must exist, its files can be read, and database and
   * cache are empty ones in memory. Every write of a file fails with `unsupported`. Default: `false`.
   */
  readonly readOnly?: boolean | undefined;
  /**
   * The library that opens the database and the cache; see `sqliteDatabase`. Locks always use the default. Default:
   * the environment variable `VIZPROMPT_SQLITE`, else the library that fits this runtime.
   */
  readonly driver?: SqliteDriverName | undefined;
  /** Receives a message when a corrupt cache is replaced. Default: a silent one. */
  readonly logger?: Logger | undefined;
}

const KINDS: Kinds<OpenStorageOptions> = {
  ...LOCAL_FILE_STORE_OPTIONS,
  durability: optional(oneOf('full', 'normal')),
  readOnly: optional(FLAG),
  driver: ANYTHING,
  logger: optional(LOGGER),
};

/**
 * Opens a storage in a folder: files as they are, next to them `.vizprompt/` with a SQLite database
 * and a SQLite cache, which git ignores. A database file is made when it is first used.
 *
 * A cache that is damaged is rebuilt; a damaged database fails with `corrupt` when it is first used.
 *
 * Several processes may open the same folder. The folder must be on a local disk.
 *
 * @param where - The folder, made when missing, or the places of the parts.
 * @throws StorageError with the code `misuse` for no folder.
 * @throws StorageError with the code `io` if the folder cannot be made or read.
 * @throws StorageError with the code `no-sqlite` if neither better-sqlite3 nor `node:sqlite` can be used.
 *
 * @example
 * ```ts
 * await using storage = await openStorage('./data');
 * await storage.files.write('hello.txt', 'こんにちは');
 * ```
 */
export async function openStorage(
  where: string | StoragePaths,
  options: OpenStorageOptions = {},
): Promise<Storage> {
  checkOptions('openStorage', options, KINDS);
  const { driver } = options;
  const paths = pathsOf(where);
  await loadSqlite(driver);
  if (options.readOnly) return openReadOnly(paths.files, driver);
  const own = join(paths.files, RESERVED_SEGMENT);
  const { isWritable, onSetAside } = options;
  const files = await localFileStore(paths.files, { isWritable, onSetAside });
  const database = sqliteDatabase({
    path: paths.database ?? join(own, 'database.db'),
    durability: options.durability ?? 'full',
    driver,
  });
  const cache = sqliteDatabase({
    path: paths.cache ?? join(own, 'cache.db'),
    durability: 'normal',
    backupBeforeMigration: false,
    whenCorrupt: 'replace',
    driver,
    ...(options.logger ? { logger: options.logger } : {}),
  });
  const close = async (): Promise<void> => {
    await Promise.all([files.close(), database.close(), cache.close()]);
  };
  return { specVersion: 1, files, database, cache, close, [Symbol.asyncDispose]: close };
}

/** @throws StorageError with the code `misuse` for what names no folder. */
function pathsOf(where: string | StoragePaths): StoragePaths {
  const paths = typeof where === 'string' ? { files: where } : where;
  // Plain JavaScript may pass anything.
  const files: unknown = paths?.files;
  if (typeof files === 'string' && files !== '') return paths;
  const message = `openStorage: expected a folder, such as './data', or { files: './data' }, got ${shownValue(where)}`;
  throw new StorageError('misuse', message);
}

async function openReadOnly(
  folder: string,
  driver: SqliteDriverName | undefined,
): Promise<Storage> {
  const files = await readOnlyFileStore(folder);
  const database = sqliteDatabase({ path: ':memory:', driver });
  const cache = sqliteDatabase({ path: ':memory:', driver });
  const close = async (): Promise<void> => {
    await Promise.all([files.close(), database.close(), cache.close()]);
  };
  return { specVersion: 1, files, database, cache, close, [Symbol.asyncDispose]: close };
}
