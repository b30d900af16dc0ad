import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  inMemoryStorage,
  localFileStore,
  openStorage,
  sqliteDatabase,
} from '@vizprompt/providers/node';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertOwnFiles } from '../../src/sqlite/own-files.ts';
import { lockFolder } from '../../src/sqlite/sqlite-lock.ts';
import { temporaryFolder } from '../support/subjects.ts';
import { superJournal } from '../support/super-journal.ts';

let folder: string;
let remove: () => Promise<void>;
let victim: string;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  victim = join(folder, 'victim.txt');
  writeFileSync(victim, 'precious');
});
afterEach(() => remove());

/** A database of a stranger in the older mode, whose journal SQLite rolls back. */
function foreignDatabase(path: string): void {
  const database = new Sqlite(path);
  database.exec('PRAGMA journal_mode = DELETE; CREATE TABLE note (text)');
  database.close();
}

async function open(path: string, readOnly = false): Promise<void> {
  const database = sqliteDatabase({ path, readOnly });
  try {
    await database.query('SELECT 1');
  } finally {
    await database.close();
  }
}

/** How a file of another place is put in place of a side file. */
const PLACES: Readonly<Record<string, (path: string) => void>> = {
  'a symbolic link': (path) => symlinkSync(victim, path),
  'a link to a missing file': (path) => symlinkSync(join(folder, 'missing'), path),
  'a hard link': (path) => linkSync(victim, path),
  'a folder': (path) => mkdirSync(path),
};

describe('a database from elsewhere', () => {
  it('is refused with a journal after whose rollback SQLite would delete a named file', async () => {
    const path = join(folder, 'a.db');
    foreignDatabase(path);
    const journal = superJournal(victim, { pages: 2 });
    writeFileSync(`${path}-journal`, journal);
    await expect(open(path)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringContaining(victim),
    });
    await open(path, true).catch(() => undefined);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    // The journal is one that SQLite obeys, up to version 3.53.
    const database = new Sqlite(path);
    database.exec('PRAGMA journal_mode = WAL');
    const version = database.prepare<[], { n: string }>('SELECT sqlite_version() AS n').get()?.n;
    database.close();
    expect(existsSync(victim)).toBe(Number(version?.split('.')[1]) > 53);
  });

  it('keeps a journal of its own, which SQLite rolls back', async () => {
    const path = join(folder, 'a.db');
    foreignDatabase(path);
    const own = superJournal('', { pages: 2 });
    writeFileSync(`${path}-journal`, own.subarray(0, 512 + 4));
    await open(path);
    expect(readdirSync(folder)).not.toContain('a.db-journal');
  });

  const cases = Object.keys(PLACES).flatMap((kind) =>
    ['-wal', '-shm', '-journal'].map((end) => [end, kind] as const),
  );
  it.each(cases)('is refused with a side file %s that is %s', async (end, kind) => {
    const path = join(folder, 'a.db');
    await open(path);
    rmSync(path + end, { force: true });
    PLACES[kind]?.(path + end);
    for (const readOnly of [false, true]) {
      await expect(open(path, readOnly)).rejects.toMatchObject({
        code: 'outside-root',
        message: expect.stringContaining(`a.db${end}`),
      });
    }
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  it('is followed where its user placed it by a link, and its side files are checked there', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real', 'a.db'), join(folder, 'a.db'));
    // A link without a target would make a file elsewhere.
    await expect(open(join(folder, 'a.db'))).rejects.toMatchObject({ code: 'outside-root' });
    await open(join(folder, 'real', 'a.db'));
    await open(join(folder, 'a.db'));
    expect(readdirSync(join(folder, 'real'))).toContain('a.db');
    symlinkSync(victim, join(folder, 'real', 'a.db-wal'));
    await expect(open(join(folder, 'a.db'))).rejects.toMatchObject({ code: 'outside-root' });
  });
});

describe('a lock from elsewhere', () => {
  it('is refused with a journal that names a file, or a side file that is a link', async () => {
    foreignDatabase(join(folder, 'commit.lock'));
    const side = join(folder, 'commit.lock-journal');
    writeFileSync(side, superJournal(victim, { pages: 2 }));
    const take = async (): Promise<void> => {
      const locks = lockFolder(folder);
      try {
        await (await locks.lock('commit')).release();
      } finally {
        await locks.close();
      }
    };
    await expect(take()).rejects.toMatchObject({ code: 'corrupt' });
    rmSync(side);
    symlinkSync(victim, side);
    await expect(take()).rejects.toMatchObject({ code: 'outside-root' });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });
});

describe('a folder from elsewhere', () => {
  it('loses a cache with such a journal, and no file next to it', async () => {
    await (await openStorage(folder)).close();
    const cache = join(folder, '.vizprompt', 'cache.db');
    for (const end of ['', '-wal', '-shm']) rmSync(cache + end, { force: true });
    foreignDatabase(cache);
    writeFileSync(`${cache}-journal`, superJournal(victim, { pages: 2 }));
    await using storage = await openStorage(folder);
    await storage.cache.query('SELECT 1');
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(existsSync(`${cache}-journal`)).toBe(false);
  });

  it('is not written with a lock whose journal names a file', async () => {
    await (await localFileStore(folder)).close();
    const lock = join(folder, '.vizprompt', 'commit.lock');
    rmSync(lock, { force: true });
    foreignDatabase(lock);
    writeFileSync(`${lock}-journal`, superJournal(victim, { pages: 2 }));
    await using files = await localFileStore(folder);
    await expect(files.write('a.txt', 'a')).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });
});

it('a journal that another process ends while it is checked is no fault', async () => {
  const path = join(folder, 'a.lock');
  foreignDatabase(path);
  const other = new Worker(
    `const { rmSync, writeFileSync } = require('node:fs');
    for (;;) { writeFileSync(${JSON.stringify(`${path}-journal`)}, ''); rmSync(${JSON.stringify(`${path}-journal`)}, { force: true }); }`,
    { eval: true },
  );
  try {
    let seen = 0;
    const end = Date.now() + 3000;
    while (seen < 3000 && Date.now() < end) {
      if (existsSync(`${path}-journal`)) seen++;
      assertOwnFiles(path);
    }
    expect(seen).toBeGreaterThan(0);
  } finally {
    await other.terminate();
  }
});

describe('a folder in place of a file, and a file in place of a folder', () => {
  it.each([false, true])('is named: read-only %s', async (readOnly) => {
    await expect(open(folder, readOnly)).rejects.toMatchObject({
      code: 'io',
      message: `cannot open ${folder}: expected a file, got a folder. Name a file in it`,
    });
  });

  it('is named for a storage', async () => {
    await expect(openStorage(victim)).rejects.toMatchObject({
      code: 'io',
      message: `cannot open '${victim}': expected a folder, got a file`,
    });
  });
});

describe('a write that plain JavaScript makes', () => {
  const storages = {
    'in files': () => openStorage(join(folder, 'data')),
    'in a database': () => inMemoryStorage(),
  };
  it.each(Object.entries(storages))('is refused if it is mistyped: %s', async (_, make) => {
    await using storage = await make();
    const { files } = storage;
    await files.write('a', 'first');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
    const condition = { ifVersoin: null } as object;
    await expect(files.write('a', 'second', condition)).rejects.toThrow(
      "the condition of a write has no option 'ifVersoin': is 'ifVersion' meant?",
    );
    await expect(files.delete('a', condition)).rejects.toThrow("no option 'ifVersoin'");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
    await expect(files.write('a', 5 as unknown as string)).rejects.toThrow(
      "the content of 'a': expected a string, or bytes, got 5",
    );
    expect((await files.read('a'))?.text).toBe('first');
  });
});
