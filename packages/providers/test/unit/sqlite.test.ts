import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import type { Migration } from '@vizprompt/providers';
import { openStorage, sqliteDatabase } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/subjects.ts';

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
afterEach(() => remove());

const first: Migration = {
  version: 1,
  name: 'note',
  up: async (tx) => void (await tx.execute('CREATE TABLE note (text TEXT)')),
};
const second: Migration = {
  version: 2,
  name: 'author',
  up: async (tx) => void (await tx.execute('ALTER TABLE note ADD COLUMN author TEXT')),
};

describe('the log of a SQLite database', () => {
  it('goes into the file in fewer and larger pieces where the data can be made again', async () => {
    const pages = async (path: string, whenCorrupt: 'fail' | 'replace') => {
      const database = sqliteDatabase({ path, durability: 'normal', whenCorrupt });
      const rows = await database.transaction((tx) => tx.query('PRAGMA wal_autocheckpoint'));
      await database.close();
      return rows;
    };
    const cache = await pages(join(folder, 'cache.db'), 'replace');
    expect(cache).toEqual([{ wal_autocheckpoint: 4000 }]);
    const data = await pages(join(folder, 'data.db'), 'fail');
    expect(data).toEqual([{ wal_autocheckpoint: 1000 }]);
  });
});

describe.skipIf(process.platform === 'win32')('a SQLite database that is mapped', () => {
  it('reads what was just written, also by others, and the rest of a file that shrank', async () => {
    const path = join(folder, 'app.db');
    const mapped = sqliteDatabase({ path, mapBytes: 2 ** 24 });
    await mapped.execute('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)');
    const other = sqliteDatabase({ path });
    expect(await mapped.query('PRAGMA mmap_size')).toEqual([{ mmap_size: 2 ** 24 }]);
    expect(await other.query('PRAGMA mmap_size')).toEqual([{ mmap_size: 0 }]);
    const text = '猫'.repeat(1000);
    const sum = 'SELECT count(*) AS n, sum(length(text)) AS size FROM note';
    for (let round = 1; round <= 4; round++) {
      for (const database of [mapped, other]) {
        await database.batch(
          Array.from({ length: 250 }, () => ({
            sql: 'INSERT INTO note (text) VALUES (?)',
            params: [text],
          })),
        );
        const n = round * 500 - (database === mapped ? 250 : 0);
        expect(await mapped.query(sum)).toEqual([{ n, size: n * 1000 }]);
      }
    }
    const before = statSync(path).size;
    await other.execute('DELETE FROM note WHERE id > 10');
    await other.execute('VACUUM');
    await other.query('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(statSync(path).size).toBeLessThan(before / 10);
    expect(await mapped.query(sum)).toEqual([{ n: 10, size: 10_000 }]);
    await mapped.execute('INSERT INTO note (text) VALUES (?)', [text]);
    expect(await mapped.query(sum)).toEqual([{ n: 11, size: 11_000 }]);
    await mapped.close();
    await other.close();
  });
});

describe('a SQLite database for reading only', () => {
  it('shows what there is, also what is written meanwhile, and refuses every change', async () => {
    const path = join(folder, 'app.db');
    const writer = sqliteDatabase({ path });
    await writer.execute('CREATE TABLE note (text TEXT)');
    const reader = sqliteDatabase({ path, readOnly: true });
    const count = 'SELECT count(*) AS n FROM note';
    expect(await reader.query(count)).toEqual([{ n: 0 }]);
    await writer.execute('INSERT INTO note VALUES (?)', ['猫']);
    expect(await reader.query(count)).toEqual([{ n: 1 }]);
    const sql = 'DELETE FROM note';
    const changes = [
      () => reader.execute(sql),
      () => reader.batch([{ sql }]),
      () => reader.transaction((tx) => tx.execute(sql)),
      () => reader.migrate('note', [first]),
    ];
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'io' });
    expect(await reader.query(count)).toEqual([{ n: 1 }]);
    await reader.close();
    await writer.close();
  });

  it('is not made where there is none', async () => {
    const path = join(folder, 'none/app.db');
    const reader = sqliteDatabase({ path, readOnly: true });
    await expect(reader.query('SELECT 1')).rejects.toThrow(`${path}: there is no such file`);
    await reader.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a SQLite database', () => {
  it('is in write-ahead mode, durable on the loss of power by default', async () => {
    for (const [durability, synchronous] of [
      ['full', 2],
      ['normal', 1],
    ] as const) {
      const path = join(folder, `${durability}.db`);
      const database = sqliteDatabase({ path, durability });
      await database.execute('CREATE TABLE t (x TEXT)');
      // A change with RETURNING runs on the writing connection, whose settings count.
      const [row] = await database.query(
        `INSERT INTO t SELECT
           (SELECT journal_mode FROM pragma_journal_mode) || ' ' ||
           (SELECT synchronous FROM pragma_synchronous) || ' ' ||
           (SELECT foreign_keys FROM pragma_foreign_keys) RETURNING x`,
      );
      expect(row?.['x']).toBe(`wal ${synchronous} 1`);
      await database.close();
    }
  });

  it('gives the durability of a storage to its database, and less to its cache', async () => {
    const storage = await openStorage({
      files: folder,
      database: join(folder, 'here.db'),
      cache: join(folder, 'there.db'),
    });
    const read = 'CREATE TABLE t AS SELECT synchronous AS x FROM pragma_synchronous';
    await Promise.all([storage.database.execute(read), storage.cache.execute(read)]);
    expect(await storage.database.query('SELECT x FROM t')).toEqual([{ x: 2 }]);
    expect(await storage.cache.query('SELECT x FROM t')).toEqual([{ x: 1 }]);
    await storage.close();
    expect(existsSync(join(folder, 'here.db'))).toBe(true);
    expect(existsSync(join(folder, 'there.db'))).toBe(true);
  });

  it('stops waiting for its turn when the signal says so', async () => {
    const database = sqliteDatabase({ path: join(folder, 'a.db') });
    const controller = new AbortController();
    const gate = new AbortController();
    const holding = database.transaction(() => once(gate.signal, 'abort'));
    const waiting = database.transaction(async () => 'never', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    gate.abort();
    await holding;
    expect(await database.transaction(async () => 'next')).toBe('next');
    await database.close();
  });

  it('is backed up as it is while it is written', async () => {
    const database = sqliteDatabase({ path: join(folder, 'a.db') });
    await database.migrate('note', [first]);
    await database.execute("INSERT INTO note VALUES ('前')");
    await database.backup(join(folder, 'copy.db'));
    await expect(database.backup(join(folder, 'copy.db'))).rejects.toMatchObject({
      code: 'conflict',
    });
    const copy = new BetterSqlite3(join(folder, 'copy.db'), { readonly: true });
    expect(copy.prepare('SELECT text FROM note').all()).toEqual([{ text: '前' }]);
    copy.close();
    await database.close();
  });

  it('is copied before its schema changes, if there is data of the component in it', async () => {
    const backups = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.bak'));
    const database = sqliteDatabase({ path: join(folder, 'a.db') });
    await database.migrate('note', [first]);
    expect(backups()).toEqual([]);
    await database.execute("INSERT INTO note VALUES ('前')");
    await database.migrate('note', [first, second]);
    expect(backups()).toHaveLength(1);
    expect(backups()[0]).toMatch(/^a\.db\.note-v1-\d+\.bak$/);
    const copy = new BetterSqlite3(join(folder, backups()[0] ?? ''), { readonly: true });
    expect(copy.prepare('SELECT * FROM note').all()).toEqual([{ text: '前' }]);
    copy.close();
    await database.close();
  });

  it('says which file is no database, and leaves it as it is', async () => {
    const path = join(folder, 'broken.db');
    writeFileSync(path, 'this is no database, and long enough to be sure of it '.repeat(30));
    const database = sqliteDatabase({ path });
    await expect(database.query('SELECT 1')).rejects.toMatchObject({ code: 'corrupt' });
    await expect(database.query('SELECT 1')).rejects.toThrow(path);
    await database.close();
  });

  it('refuses work once it is closed', async () => {
    const database = sqliteDatabase({ path: join(folder, 'a.db') });
    await database.execute('CREATE TABLE t (x TEXT)');
    await database.close();
    await database.close();
    await expect(database.query('SELECT 1')).rejects.toMatchObject({ code: 'closed' });
    const storage = await openStorage(folder);
    await storage.close();
    await expect(storage.files.read('a')).rejects.toMatchObject({ code: 'closed' });
  });
});
