import { randomBytes } from 'node:crypto';
import type { Database, Migration, SqlExecutor } from './database.ts';
import { assertVersion, checkChanges } from './file-changes.ts';
import { assertKey } from './file-key.ts';
import type { FileEntry, FileStore, WriteCondition } from './file-store.ts';
import { fileTooLarge } from './file-too-large.ts';
import { decodeText, encodeContent } from './text.ts';

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
  /** `null` if it is too large. */
  readonly data: Uint8Array | null;
  readonly size: number;
  readonly version: string;
}

/** How many entries `list` fetches at a time. */
const PAGE = 1000;

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

  return {
    specVersion: 1,

    async read(key, { maxBytes = Infinity } = {}) {
      assertKey(key);
      const [row] = await database.query<StoredRow>(
        `SELECT CASE WHEN size > ? THEN NULL ELSE data END AS data, size, version
         FROM files_file WHERE key = ?`,
        [Math.min(maxBytes, Number.MAX_SAFE_INTEGER), key],
      );
      if (!row) return null;
      const { data, size, version } = row;
      if (data === null) throw fileTooLarge(key, size, maxBytes);
      return {
        data,
        version,
        get text() {
          return decodeText(key, data);
        },
      };
    },

    async write(key, content, condition = {}) {
      const [change] = checkChanges([{ ...condition, key, content }]);
      const version = await database.transaction((tx) =>
        put(tx, key, change?.content ?? new Uint8Array(), condition),
      );
      return { version };
    },

    async writeMany(changes) {
      const checked = checkChanges(changes);
      return database.transaction(async (tx) => {
        const versions: (string | null)[] = [];
        for (const { key, content, ...condition } of checked) {
          if (content === null) await remove(tx, key, condition);
          versions.push(content === null ? null : await put(tx, key, content, condition));
        }
        return versions;
      });
    },

    async append(key, content) {
      assertKey(key);
      const added = encodeContent(key, content);
      const version = await database.transaction(async (tx) => {
        const [row] = await tx.query<{ data: Uint8Array }>(
          'SELECT data FROM files_file WHERE key = ?',
          [key],
        );
        return put(tx, key, row ? Buffer.concat([row.data, added]) : added, {});
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

/** Writes one file and gives its new version. */
async function put(
  tx: SqlExecutor,
  key: string,
  content: Uint8Array,
  condition: WriteCondition,
): Promise<string> {
  await checkVersion(tx, key, condition);
  const version = randomBytes(12).toString('hex');
  await tx.execute(
    `INSERT INTO files_file (key, data, size, version) VALUES (?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE
     SET data = excluded.data, size = excluded.size, version = excluded.version`,
    [key, content, content.length, version],
  );
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
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    from = `${last.key}\u0001`;
  }
}
