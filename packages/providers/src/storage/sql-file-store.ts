import { randomBytes } from 'node:crypto';
import type { Database, Dialect, Migration, SqlExecutor } from './database.ts';
import {
  assertKey,
  assertCondition,
  assertVersion,
  checkChanges,
  encodeContent,
  type FileEntry,
  type FileStore,
  keyProblem,
  storedFile,
  type WriteCondition,
} from './file-store.ts';
import { assertFileBytes } from './file-error.ts';
import { MAX_VALUE_BYTES } from './sql-statements.ts';
import { StorageError } from './storage-error.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'files',
    async up(tx, dialect) {
      // Keys are compared by their bytes, whatever the language of the server.
      const text = dialect === 'sqlite' ? 'TEXT' : 'TEXT COLLATE "C"';
      const bytes = dialect === 'sqlite' ? 'BLOB' : 'BYTEA';
      await tx.execute(
        `CREATE TABLE files_file (
          key ${text} PRIMARY KEY, data ${bytes} NOT NULL, size BIGINT NOT NULL, version TEXT NOT NULL
        )`,
      );
    },
  },
];

interface StoredRow {
  /** Its first piece; `null` if it is too large or empty. */
  readonly data: Uint8Array | null;
  readonly size: number;
  readonly version: string;
  /** The bytes that are there, which `size` says once more. */
  readonly bytes: number;
}

/** A file as it was read. */
interface StoredBytes {
  readonly data: Uint8Array;
  readonly version: string;
}

/** How many entries `list` fetches at a time. */
const PAGE = 1000;

/** The most bytes of a file: a value of SQLite has no more, and one of PostgreSQL 1 GiB. */
const MAX_FILE_BYTES = MAX_VALUE_BYTES.sqlite;

/** The bytes of a file that are read at once: PostgreSQL sends two digits for each. */
const PIECE_BYTES = 64 * 2 ** 20;

/**
 * Files as rows of a database: the file store of storages that have no file system.
 *
 * @param lock - The `lock` of the store, which the dialects do not share.
 */
export async function sqlFileStore(
  database: Database,
  lock: FileStore['lock'],
): Promise<FileStore> {
  await database.migrate('files', MIGRATIONS);
  const { dialect } = database;

  return {
    specVersion: 1,

    async read(key, { maxBytes = Infinity } = {}) {
      assertKey(key);
      const file = await readFile(database, key, maxBytes);
      return file ? storedFile(key, file.data, file.version) : null;
    },

    async write(key, content, condition = {}) {
      const [change] = checkChanges([{ ...condition, key, content }]);
      const version = await database.transaction((tx) =>
        put(tx, key, change?.content ?? new Uint8Array(), condition, dialect),
      );
      return { version };
    },

    async writeMany(changes) {
      const checked = checkChanges(changes);
      return database.transaction(async (tx) => {
        const versions: (string | null)[] = [];
        for (const { key, content, ...condition } of checked) {
          if (content === null) await remove(tx, key, condition);
          versions.push(content === null ? null : await put(tx, key, content, condition, dialect));
        }
        return versions;
      });
    },

    async append(key, content) {
      assertKey(key);
      const added = encodeContent(key, content);
      const version = await database.transaction(async (tx) => {
        const before = await readFile(tx, key);
        return put(tx, key, before ? Buffer.concat([before.data, added]) : added, {}, dialect);
      });
      return { version };
    },

    async delete(key, condition = {}) {
      assertKey(key);
      return database.transaction((tx) => remove(tx, key, condition));
    },

    list: (prefix) => listRows(database, prefix),
    lock,
  };
}

/** Reads a file in pieces. One that is replaced meanwhile is read again. */
async function readFile(
  executor: Pick<SqlExecutor, 'query'>,
  key: string,
  maxBytes = Infinity,
): Promise<StoredBytes | undefined> {
  for (;;) {
    const [row] = await executor.query<StoredRow>(
      `SELECT CASE WHEN size > ? THEN NULL ELSE substr(data, 1, ${PIECE_BYTES}) END AS data,
         size, version, length(data) AS bytes
       FROM files_file WHERE key = ?`,
      [Math.min(maxBytes, Number.MAX_SAFE_INTEGER), key],
    );
    if (!row) return undefined;
    const { data, size, version, bytes } = row;
    if (bytes !== size) throw corruptRow(key, size, bytes);
    assertFileBytes(key, size, maxBytes);
    // SQLite cuts no piece of zero bytes.
    const first = data ?? new Uint8Array();
    if (first.length === size) return { data: first, version };
    const whole = await readRest(executor, key, row, first);
    if (whole) return { data: whole, version };
  }
}

/** Reads what follows the first piece; `undefined` if the file was replaced. */
async function readRest(
  executor: Pick<SqlExecutor, 'query'>,
  key: string,
  { size, version }: StoredRow,
  first: Uint8Array,
): Promise<Uint8Array | undefined> {
  const whole = Buffer.allocUnsafe(size);
  whole.set(first);
  for (let at = first.length; at < size; at += PIECE_BYTES) {
    const [piece] = await executor.query<{ data: Uint8Array }>(
      `SELECT substr(data, ?, ${PIECE_BYTES}) AS data FROM files_file WHERE key = ? AND version = ?`,
      [at + 1, key, version],
    );
    if (!piece) return undefined;
    whole.set(piece.data, at);
  }
  return whole;
}

/** Returns the error for a row that was not written by a file store. */
function corruptRow(key: string, size: unknown, bytes: unknown): StorageError {
  return new StorageError(
    'corrupt',
    `'${key}' in the table files_file: expected ${String(size)} bytes, found ${String(bytes)}: write the file again, ` +
      'or restore a backup',
    { context: { key, size, bytes } },
  );
}

/**
 * Writes one file and returns its new version. The content beyond a parameter is added in pieces, in the same
 * transaction.
 */
async function put(
  tx: SqlExecutor,
  key: string,
  content: Uint8Array,
  condition: WriteCondition,
  dialect: Dialect,
): Promise<string> {
  assertFileBytes(key, content.length, MAX_FILE_BYTES);
  await checkVersion(tx, key, condition);
  const version = randomBytes(12).toString('hex');
  const step = MAX_VALUE_BYTES[dialect];
  await tx.execute(
    `INSERT INTO files_file (key, data, size, version) VALUES (?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE
     SET data = excluded.data, size = excluded.size, version = excluded.version`,
    [key, content.subarray(0, step), content.length, version],
  );
  for (let at = step; at < content.length; at += step) {
    await tx.execute('UPDATE files_file SET data = data || ? WHERE key = ?', [
      content.subarray(at, at + step),
      key,
    ]);
  }
  return version;
}

async function remove(tx: SqlExecutor, key: string, condition: WriteCondition): Promise<boolean> {
  await checkVersion(tx, key, condition);
  const { changes } = await tx.execute('DELETE FROM files_file WHERE key = ?', [key]);
  return changes > 0;
}

async function checkVersion(
  tx: SqlExecutor,
  key: string,
  condition: WriteCondition,
): Promise<void> {
  assertCondition(condition);
  if (condition.ifVersion === undefined) return;
  const [row] = await tx.query<{ version: string }>(
    'SELECT version FROM files_file WHERE key = ?',
    [key],
  );
  assertVersion(key, row?.version ?? null, condition);
}

async function* listRows(database: Database, prefix: string): AsyncGenerator<FileEntry> {
  const end = `${prefix}\u{10ffff}`;
  for (let from = prefix; ;) {
    const rows = await database.query<FileEntry>(
      `SELECT key, size, version FROM files_file
       WHERE key >= ? AND key < ? ORDER BY key LIMIT ${PAGE}`,
      [from, end],
    );
    // Rows of others may have names that no reader accepts.
    yield* rows.filter(({ key }) => keyProblem(key) === undefined);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    from = `${last.key}\u0001`;
  }
}
