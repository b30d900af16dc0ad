import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '@vizprompt/providers';
import { sqliteDatabase, type SqliteDriverName } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unusableHere } from '../../src/sqlite/better-sqlite3-driver.ts';
import { loadSqlite } from '../../src/sqlite/load-sqlite.ts';
import { sqliteCodeName } from '../../src/sqlite/node-sqlite-driver.ts';
import {
  SQLITE_DRIVERS,
  type DriverConnection,
  type SqliteDriver,
} from '../../src/sqlite/sqlite-driver.ts';
import { temporaryFolder } from '../support/subjects.ts';

const loading = await Promise.allSettled(SQLITE_DRIVERS.map((name) => loadSqlite(name)));
const here = loading.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => ({ path: folder, remove } = await temporaryFolder()));
afterEach(() => remove());

/** Each statement, and whether SQLite's own `sqlite3_stmt_readonly` says that it only reads. */
const STATEMENTS: readonly (readonly [sql: string, isReadonly: boolean, returnsRows: boolean])[] = [
  ['SELECT * FROM t', true, true],
  ['/* a */ -- b\n SELECT 1; -- c\n /* d', true, true],
  ['WITH a AS (SELECT 1 AS x) SELECT * FROM a', true, true],
  ['WITH a AS (SELECT 1) INSERT INTO t SELECT 1, * FROM a', false, false],
  ['VALUES (1), (2)', true, true],
  ['EXPLAIN SELECT 1', true, true],
  ['EXPLAIN QUERY PLAN SELECT * FROM t', true, true],
  ['INSERT INTO t VALUES (1, 2)', false, false],
  ['INSERT INTO t VALUES (1, 2) RETURNING a', false, true],
  ['UPDATE t SET a = 1', false, false],
  ['DELETE FROM t RETURNING *', false, true],
  ['REPLACE INTO t VALUES (1, 2)', false, false],
  ['CREATE TABLE u (a)', false, false],
  ['DROP TABLE t', false, false],
  ['ALTER TABLE t ADD COLUMN c', false, false],
  ['VACUUM', false, false],
  ['ANALYZE', false, false],
  ['PRAGMA user_version', true, true],
  ['PRAGMA user_version = 3', false, false],
  ['PRAGMA table_info(t)', true, true],
  ['PRAGMA journal_mode', false, true],
  ['PRAGMA wal_checkpoint(TRUNCATE)', false, true],
  ["SELECT * FROM f WHERE f MATCH 'x'", true, true],
  ["INSERT INTO f (f) VALUES ('optimize')", false, false],
];

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function tables(connection: DriverConnection): DriverConnection {
  connection.exec('CREATE TABLE t (a UNIQUE, b NOT NULL)');
  connection.exec('CREATE VIRTUAL TABLE f USING fts5(x)');
  return connection;
}

describe.each(here.map((driver) => [driver.name, driver] as const))(
  '%s',
  (name, driver: SqliteDriver) => {
    it('says which statements only read, and which return rows', () => {
      const connection = tables(driver.open(':memory:'));
      const found = STATEMENTS.map(([sql]) => {
        const { isReadonly, returnsRows } = connection.prepare(sql);
        return [sql, isReadonly, returnsRows];
      });
      expect(found).toEqual(STATEMENTS);
      connection.close();
    });

    it('takes one statement, and as many values as it has parameters', () => {
      const connection = tables(driver.open(':memory:'));
      for (const sql of [
        '',
        ' ;',
        '-- x',
        '/* x',
        'SELECT 1; SELECT 2',
        'SELECT 1; /* x */ SELECT',
      ]) {
        expect([sql, failureOf(() => connection.prepare(sql))]).toEqual([
          sql,
          expect.any(RangeError),
        ]);
      }
      const statement = connection.prepare("SELECT ?, '?', ? -- ?");
      for (const count of [0, 1, 3, 4]) {
        const values = Array.from({ length: count }, () => 1n);
        expect([count, failureOf(() => statement.all(values))]).toEqual([
          count,
          expect.any(RangeError),
        ]);
      }
      expect(Object.values(statement.all([1n, 2n])[0] ?? {})).toEqual([1n, '?', 2n]);
      const insert = connection.prepare('INSERT INTO t VALUES (?, ?)');
      expect(failureOf(() => insert.run([1n]))).toBeInstanceOf(RangeError);
      expect(connection.prepare('SELECT * FROM t').all([])).toEqual([]);
      expect(insert.run([1n, 2n])).toBe(1);
      connection.close();
    });

    it('names the result codes of SQLite', () => {
      const path = join(folder, 'a.db');
      const writer = tables(driver.open(path));
      const reader = driver.open(path, { readonly: true });
      const other = driver.open(path);
      writer.exec('INSERT INTO t VALUES (1, 1)');
      const bad = join(folder, 'bad.db');
      writeFileSync(bad, 'x'.repeat(4096));
      const codes = {
        SQLITE_ERROR: () => writer.prepare('SELEC'),
        SQLITE_CONSTRAINT_UNIQUE: () => writer.exec('INSERT INTO t VALUES (1, 1)'),
        SQLITE_CONSTRAINT_NOTNULL: () => writer.exec('INSERT INTO t VALUES (2, NULL)'),
        SQLITE_READONLY: () => reader.exec('INSERT INTO t VALUES (2, 2)'),
        SQLITE_CANTOPEN: () => driver.open(join(folder, 'none.db'), { readonly: true }),
        SQLITE_NOTADB: () => driver.open(bad).exec('SELECT * FROM sqlite_master'),
        SQLITE_BUSY: () => {
          writer.exec('BEGIN IMMEDIATE');
          expect(writer.inTransaction).toBe(true);
          other.exec('BEGIN IMMEDIATE');
        },
      };
      for (const [code, work] of Object.entries(codes)) {
        expect(failureOf(work)).toMatchObject({ code });
      }
      for (const connection of [other, reader, writer]) connection.close();
      expect(writer.isOpen).toBe(false);
    });

    it('opens a file that another holds, and reads nothing of it before it is asked', () => {
      const path = join(folder, 'held.db');
      const holder = tables(driver.open(path));
      holder.exec('BEGIN EXCLUSIVE');
      const other = driver.open(path);
      expect(failureOf(() => other.exec('SELECT * FROM t'))).toMatchObject({ code: 'SQLITE_BUSY' });
      holder.exec('COMMIT');
      expect(other.prepare('SELECT * FROM t').all([])).toEqual([]);
      for (const connection of [other, holder]) connection.close();
    });

    it('reads a file as it is, with no file next to it and none created', () => {
      const path = join(folder, 'a?b#c%20.db');
      const writer = tables(driver.open(path));
      writer.exec('PRAGMA journal_mode = WAL');
      writer.exec('INSERT INTO t VALUES (1, 1)');
      writer.close();
      const connection = driver.openImmutable(path);
      expect(connection.prepare('SELECT a FROM t').all([])).toEqual([{ a: 1n }]);
      connection.close();
    });

    it('opens what a database of the SDK names, and returns plain rows', async () => {
      const database = sqliteDatabase({ path: join(folder, 'a.db'), driver: name });
      await database.execute('CREATE TABLE t (a, b, c, d)');
      const row = { a: 2n ** 62n, b: Buffer.from([0, 255]), c: 'あ😀', d: 1.5 };
      await database.execute('INSERT INTO t VALUES (?, ?, ?, ?)', Object.values(row));
      expect(await database.query('SELECT * FROM t')).toStrictEqual([row]);
      // A statement that was prepared before sees the columns of now.
      await database.execute('ALTER TABLE t RENAME COLUMN d TO e');
      const [renamed] = await database.query('SELECT * FROM t');
      expect(Object.keys(renamed ?? {})).toEqual(['a', 'b', 'c', 'e']);
      await expect(
        database.execute('INSERT INTO t (a) VALUES (?)', [2n ** 63n]),
      ).rejects.toMatchObject({ code: 'sql' });
      await database.close();
    });
  },
);

describe.skipIf(here.length < 2)('two drivers', () => {
  it('do not open one file at once, and do so one after the other', async () => {
    const path = join(folder, 'a.db');
    const [first, second] = here.map(({ name }) => sqliteDatabase({ path, driver: name }));
    await first?.execute('CREATE TABLE t (a)');
    await expect(second?.query('SELECT * FROM t')).rejects.toMatchObject({
      code: 'misuse',
      message: expect.stringContaining('Close the other database first'),
    });
    await first?.close();
    expect(await second?.query('SELECT * FROM t')).toEqual([]);
    await second?.close();
  });
});

describe('the choice of a driver', () => {
  it('refuses one that does not exist', async () => {
    // As from JavaScript, where types are not checked.
    const driver = 'sqlite3' as SqliteDriverName;
    const database = sqliteDatabase({ path: ':memory:', driver });
    const failure = await database.query('SELECT 1').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(StorageError.isInstance(failure) && failure.code).toBe('misuse');
    expect(failure).toMatchObject({ message: expect.stringContaining("'node:sqlite'") });
  });

  /** Versions of better-sqlite3 for each Node. Sources: its changelog, and issue 1514 of WiseLibs/better-sqlite3. */
  it.each([
    ['12.11.1', undefined, '20.19.0', 9, undefined],
    ['12.11.1', undefined, '22.16.0', 10, undefined],
    ['12.11.1', undefined, '24.18.1', 10, undefined],
    ['12.11.1', undefined, '24.19.0', 10, 'npm install better-sqlite3@13'],
    ['12.11.1', undefined, '26.0.0', 10, 'npm install better-sqlite3@13'],
    ['13.2.0', 10, '20.19.0', 9, 'npm install better-sqlite3@12'],
    ['13.2.0', 10, '22.13.1', 9, 'npm install better-sqlite3@12'],
    ['13.2.0', 10, '22.14.0', 10, undefined],
    ['13.2.0', 10, '26.10.0', 10, undefined],
    ['14.0.0', 11, '26.10.0', 10, 'npm install better-sqlite3@12'],
  ])('better-sqlite3 %s for Node-API %s on Node %s: %s', (version, napi, node, has, fix) => {
    expect(unusableHere({ version, napi }, { node, napi: has })?.fix).toBe(fix);
  });

  it('knows the names of extended result codes', () => {
    const names = { 5: 'BUSY', 517: 'BUSY_SNAPSHOT', 516: 'ABORT_ROLLBACK', 3082: 'IOERR_NOMEM' };
    for (const [number, name] of Object.entries(names)) {
      expect(sqliteCodeName(Number(number))).toBe(`SQLITE_${name}`);
    }
    expect(sqliteCodeName(2067)).toBe('SQLITE_CONSTRAINT_UNIQUE');
    expect(sqliteCodeName(8202)).toBe('SQLITE_IOERR_DATA');
    expect(sqliteCodeName(255)).toBe('SQLITE_ERROR');
  });
});
