import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import type { Storage } from '../storage/storage.ts';
import {
  type ContractCase,
  declareSuite,
  rejectsWith,
  type SuiteOptions,
} from './contract-suite.ts';

function usesOf(database: Database): (() => Promise<unknown>)[] {
  const up = async (): Promise<void> => undefined;
  return [
    () => database.query('SELECT 1 AS one'),
    () => database.execute('CREATE TABLE late (x BIGINT)'),
    () => database.batch([{ sql: 'CREATE TABLE late (x BIGINT)' }]),
    () => database.transaction(async (tx) => tx.query('SELECT 1 AS one')),
    () => database.migrate('late', [{ version: 1, name: 'late', up }]),
    () => database.backup('/nowhere/late.backup'),
  ];
}

/** The cases of the `Storage` contract; those of its parts have suites of their own. */
export const storageCases: readonly ContractCase<Storage>[] = [
  {
    name: 'refuses every call once it is closed',
    async run(storage) {
      const { files, database, cache } = storage;
      await files.writeMany(['a.txt', 'b.txt'].map((key) => ({ key, content: 'x' })));
      await (await files.lock('project')).release();
      await Promise.all([database, cache].map((part) => part.query('SELECT 1 AS one')));
      await storage.close();
      const uses = [
        () => files.read('a.txt'),
        () => files.write('a.txt', 'y'),
        () => files.writeMany([{ key: 'a.txt', content: 'y' }]),
        () => files.writeMany(['a.txt', 'b.txt'].map((key) => ({ key, content: null }))),
        () => files.append('a.txt', 'y'),
        () => files.delete('a.txt'),
        () => files.list('')[Symbol.asyncIterator]().next(),
        () => files.lock('project'),
        ...usesOf(database),
        ...usesOf(cache),
      ];
      for (const use of uses) await rejectsWith('closed', use);
    },
  },
  {
    name: 'ends what runs while it is closed: it is done, or fails with `closed`',
    async run(storage) {
      const { files, database } = storage;
      await database.execute('CREATE TABLE thing (x BIGINT)');
      const running = Promise.allSettled([
        files.write('a.txt', 'x'),
        files.writeMany(['b.txt', 'c.txt'].map((key) => ({ key, content: 'x' }))),
        files.append('d.txt', 'x'),
        files.lock('project').then((lock) => lock.release()),
        database.query('SELECT x FROM thing'),
        database.execute('INSERT INTO thing VALUES (1)'),
        database.transaction((tx) => tx.execute('INSERT INTO thing VALUES (2)')),
      ]);
      await storage.close();
      for (const outcome of await running) {
        if (outcome.status === 'fulfilled') continue;
        await rejectsWith('closed', Promise.reject(outcome.reason));
      }
    },
  },
  {
    name: 'may be closed twice',
    async run(storage) {
      await storage.database.query('SELECT 1 AS one');
      await Promise.all([storage.close(), storage.close()]);
      await storage[Symbol.asyncDispose]();
      assert.equal(storage.specVersion, 1);
    },
  },
];

/** Declares the tests of the `Storage` contract; see `testFileStore` for an example. */
export function testStorage(options: SuiteOptions<Storage>): void {
  declareSuite('Storage', storageCases, options);
}
