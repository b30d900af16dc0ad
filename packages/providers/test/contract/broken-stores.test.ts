import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import {
  StorageError,
  type Database,
  type FileStore,
  type SqlExecutor,
  type Storage,
} from '@vizprompt/providers';
import { inMemoryStorage, sqliteDatabase } from '@vizprompt/providers/node';
import {
  databaseCases,
  fileStoreCases,
  runContract,
  storageCases,
  type FileStoreSubject,
  type OpenedSubject,
} from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';

// A suite that lets a broken store pass proves nothing. Each of these stores has one fault, and the
// case that speaks of it must find it.

const NEVER = new AbortController().signal;

type Break<T> = (sound: T) => Partial<T>;

const brokenFileStores: Record<string, [Break<FileStore>, finds: string]> = {
  'delete does nothing': [
    (files) => ({ delete: async (key) => (await files.read(key)) !== null }),
    'deletes',
  ],
  'write never overwrites': [
    (files) => ({
      write: async (key, content, condition) =>
        (await files.read(key)) ?? files.write(key, content, condition),
    }),
    'overwrites, with a new version each time',
  ],
  'write ignores its condition': [
    (files) => ({ write: (key, content) => files.write(key, content) }),
    'creates only what is not there when asked to',
  ],
  'a condition is checked long before the write': [
    (files) => ({
      async write(key, content, condition = {}) {
        const version = (await files.read(key))?.version ?? null;
        if (condition.ifVersion !== undefined && condition.ifVersion !== version) {
          return files.write(key, content, condition);
        }
        await sleep(1);
        return files.write(key, content);
      },
    }),
    'lets only one of many writers with the same expectation win',
  ],
  'the lock does not exclude': [
    () => ({
      lock: async () => ({ lost: new AbortController().signal, release: async () => {} }),
    }),
    'locks out all others, on every handle',
  ],
  'waiting for a lock blocks the event loop': [
    (files) => ({
      lock: async (name, options = {}) => {
        const free = await files.lock(name, { ...options, timeoutMs: 0 }).catch(() => null);
        if (free) return free;
        const end = performance.now() + 100;
        while (performance.now() < end);
        throw new StorageError('lock-timeout', 'blocked for all of its time');
      },
    }),
    'leaves the event loop free while it waits for a lock',
  ],
  'list loses the last page': [
    (files) => ({
      async *list(prefix) {
        let count = 0;
        for await (const entry of files.list(prefix)) if (++count <= 1000) yield entry;
      },
    }),
    'lists every one of many files, once',
  ],
  'list takes a prefix for a folder': [
    (files) => ({
      list: (prefix) => files.list(prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`),
    }),
    'lists by prefix, also in the middle of a name',
  ],
  'a batch stops in its middle': [
    (files) => ({
      async writeMany(changes) {
        const versions: (string | null)[] = [];
        for (const change of changes) versions.push(...(await files.writeMany([change])));
        return versions;
      },
    }),
    'writes none of many when one condition does not hold',
  ],
  'a batch that fails leaves what came before': [
    (files) => ({
      async writeMany(changes) {
        const versions: (string | null)[] = [];
        for (const change of changes) {
          if (change.key === 'a/b') throw new Error('ENOTDIR');
          versions.push(...(await files.writeMany([change])));
        }
        return versions;
      },
    }),
    'writes all of a batch or nothing where a file is in place of a folder',
  ],
  'append replaces': [
    (files) => ({ append: (key, content) => files.write(key, content) }),
    'appends, also to what is not there',
  ],
  'text is repaired instead of refused': [
    (files) => ({
      write: (key, content, condition) =>
        files.write(key, typeof content === 'string' ? content.toWellFormed() : content, condition),
    }),
    'refuses text that UTF-8 would alter, and to read other bytes as text',
  ],
};

async function openBrokenFiles(
  breakIt: Break<FileStore>,
): Promise<OpenedSubject<FileStoreSubject>> {
  const storage = await inMemoryStorage();
  const files = { ...storage.files, ...breakIt(storage.files) };
  return { subject: { files, another: async () => files }, close: () => storage.close() };
}

/** One connection for everything, as a first attempt would have it. */
function naiveDatabase(): Database & { close(): Promise<void> } {
  const sound = sqliteDatabase({ path: ':memory:' });
  const connection = new BetterSqlite3(':memory:');
  const executor: SqlExecutor = {
    query: async <R extends object>(sql: string, params: readonly unknown[] = []) =>
      connection.prepare(sql).all(...params) as R[],
    execute: async (sql, params = []) => ({
      changes: connection.prepare(sql).run(...params).changes,
    }),
  };
  return {
    ...sound,
    ...executor,
    async transaction(work) {
      connection.exec('BEGIN');
      try {
        const result = await work(executor);
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        connection.exec('ROLLBACK');
        throw error;
      }
    },
    async close() {
      connection.close();
      await sound.close();
    },
  };
}

const brokenDatabases: Record<string, [Break<Database>, finds: string]> = {
  'another isolation is no transaction': [
    (database) => ({
      transaction: (work, options) =>
        options?.isolation === 'read-committed'
          ? work(database)
          : database.transaction(work, options),
    }),
    'runs each of many read-committed transactions once that lock a row before they read',
  ],
  'a read-committed transaction runs again, as if it had lost': [
    (database) => ({
      async transaction(work, options) {
        if (options?.isolation === 'read-committed') {
          const lost = new Error('a conflict');
          const first = database.transaction(async (tx) => {
            await work(tx);
            throw lost;
          });
          await first.catch((error: unknown) => {
            if (error !== lost) throw error;
          });
        }
        return database.transaction(work, options);
      },
    }),
    'runs each of many read-committed transactions once that lock a row before they read',
  ],
  'a transaction commits when it rejects': [
    (database) => ({
      async transaction(work, options) {
        let failure: { error: unknown } | undefined;
        const result = await database.transaction(async (tx) => {
          try {
            return await work(tx);
          } catch (error) {
            failure = { error };
            return undefined;
          }
        }, options);
        if (failure) throw failure.error;
        return result as Awaited<ReturnType<typeof work>>;
      },
    }),
    'commits a transaction that resolves, and takes back one that rejects',
  ],
  'a batch is not atomic': [
    (database) => ({
      async batch(statements) {
        const changes: number[] = [];
        for (const statement of statements) changes.push(...(await database.batch([statement])));
        return changes;
      },
    }),
    'runs a batch whole or not at all',
  ],
  'large integers become doubles': [
    (database) => ({
      query: async <R extends object>(...args: Parameters<Database['query']>) => {
        const rows = await database.query<Record<string, unknown>>(...args);
        const round = (value: unknown): unknown =>
          typeof value === 'bigint' ? Number(value) : value;
        return rows.map((row) =>
          Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)])),
        ) as R[];
      },
    }),
    'reads back every kind of value',
  ],
  'JSON is read and written anew': [
    (database) => ({
      execute: (sql, params = []) =>
        database.execute(
          sql,
          params.map((value) => {
            const isJson = typeof value === 'string' && value.startsWith('{');
            return isJson ? JSON.stringify(JSON.parse(value)) : value;
          }),
        ),
    }),
    'keeps texts and JSON verbatim',
  ],
  'a backup replaces what is there': [
    () => ({ backup: async () => {} }),
    'backs up to no file that exists',
  ],
  'a newer schema is opened': [
    (database) => ({
      migrate: (component, migrations) => database.migrate(component, migrations).catch(() => {}),
    }),
    'refuses a schema that is newer than the package',
  ],
};

describe('the FileStore suite finds a store in which', () => {
  for (const [fault, [breakIt, finds]] of Object.entries(brokenFileStores)) {
    it(fault, async () => {
      const cases = fileStoreCases.filter(({ name }) => name === finds);
      const report = await runContract(cases, () => openBrokenFiles(breakIt));
      expect(report.failed.map(({ name }) => name)).toEqual([finds]);
    });
  }

  it('nothing is broken: it has no fault to find', async () => {
    const report = await runContract(fileStoreCases, () => openBrokenFiles(() => ({})));
    expect(report.failed).toEqual([]);
    expect(report.passed.length).toBe(fileStoreCases.length);
  });
});

describe('the Storage suite finds a storage in which', () => {
  const faults: Record<string, [Break<Storage>, finds: string]> = {
    'close does nothing': [
      () => ({ close: async () => {} }),
      'refuses every call once it is closed',
    ],
    'locks can be taken after it is closed': [
      ({ files }) => ({
        files: { ...files, lock: async () => ({ lost: NEVER, release: async () => {} }) },
      }),
      'refuses every call once it is closed',
    ],
    'a second close fails': [
      ({ close }) => {
        let isClosed = false;
        return {
          async close() {
            if (isClosed) throw new Error('closed already');
            isClosed = true;
            await close();
          },
        };
      },
      'may be closed twice',
    ],
  };
  for (const [fault, [breakIt, finds]] of Object.entries(faults)) {
    it(fault, async () => {
      const cases = storageCases.filter(({ name }) => name === finds);
      const report = await runContract(cases, async () => {
        const storage = await inMemoryStorage();
        const subject = { ...storage, ...breakIt(storage) };
        return { subject, close: () => storage.close() };
      });
      expect(report.failed.map(({ name }) => name)).toEqual([finds]);
    });
  }
});

describe('the Database suite finds a database in which', () => {
  for (const [fault, [breakIt, finds]] of Object.entries(brokenDatabases)) {
    it(fault, async () => {
      const cases = databaseCases.filter(({ name }) => name === finds);
      const report = await runContract(cases, async () => {
        const database = sqliteDatabase({ path: ':memory:' });
        const subject = { ...database, ...breakIt(database) };
        return { subject, close: () => database.close() };
      });
      expect(report.failed.map(({ name }) => name)).toEqual([finds]);
    });
  }

  it('one connection serves all: rollback takes acknowledged rows', async () => {
    const report = await runContract(databaseCases, async () => {
      const subject = naiveDatabase();
      return { subject, close: () => subject.close() };
    });
    const failed = report.failed.map(({ name }) => name);
    expect(failed).toContain(
      "keeps an acknowledged row when another task's transaction is taken back",
    );
    expect(failed).toContain(
      'refuses statements that begin or end a transaction, and a second statement',
    );
    expect(failed).toContain('hides an open transaction from all others');
    expect(failed).toContain(
      'refuses the database itself within a transaction, and does not wait for ever',
    );
  });
});
