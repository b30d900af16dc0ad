import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileEntry, FileStore } from '../storage/file-store.ts';
import {
  type ContractCase,
  declareSuite,
  difficultTexts,
  rejectsWith,
  type SuiteOptions,
} from './contract-suite.ts';

interface LockSubject {
  readonly files: FileStore;
  another(): Promise<FileStore>;
}

/** The cases of the `FileStore` contract about locks. */
const fileLockCases: readonly ContractCase<LockSubject>[] = [
  {
    name: 'locks out all others, on every handle',
    async run({ files, another }) {
      const lock = await files.lock('project');
      assert.equal(lock.lost.aborted, false);
      await rejectsWith('lock-timeout', files.lock('project', { timeoutMs: 30 }));
      await rejectsWith('lock-timeout', (await another()).lock('project', { timeoutMs: 30 }));
      await lock.release();
      await (await (await another()).lock('project', { timeoutMs: 1000 })).release();
    },
  },
  {
    name: 'keeps locks of different names apart, and a lock given back twice harmless',
    async run({ files }) {
      const first = await files.lock('first');
      const second = await files.lock('second', { timeoutMs: 1000 });
      await first.release();
      const again = await files.lock('first', { timeoutMs: 1000 });
      await first.release();
      await rejectsWith('lock-timeout', files.lock('first', { timeoutMs: 30 }));
      await Promise.all([again.release(), second.release()]);
    },
  },
  {
    name: 'loses no update of many that read and write under a lock',
    async run({ files, another }) {
      const stores = [files, await another()];
      await files.write('count.txt', '0');
      const increment = async (store: FileStore): Promise<void> => {
        const lock = await store.lock('count', { timeoutMs: 20_000 });
        const count = Number((await store.read('count.txt'))?.text);
        await store.write('count.txt', String(count + 1));
        await lock.release();
      };
      const tasks = Array.from({ length: 20 }, (_, index) => increment(stores[index % 2] ?? files));
      await Promise.all(tasks);
      assert.equal((await files.read('count.txt'))?.text, '20');
    },
  },
  {
    name: 'leaves the event loop free while it waits for a lock',
    async run({ files, another }) {
      const lock = await files.lock('busy');
      const other = await another();
      // It is given back by a timer, which does not fire while the loop is blocked.
      const giveBack = sleep(20).then(() => lock.release());
      const [taken] = await Promise.all([other.lock('busy', { timeoutMs: 60_000 }), giveBack]);
      await taken.release();
    },
  },
  {
    name: 'stops waiting for a lock when aborted, and does not take it later',
    async run({ files, another }) {
      const lock = await files.lock('stop');
      const other = await another();
      const controller = new AbortController();
      const waiting = other.lock('stop', { signal: controller.signal });
      await sleep(20);
      controller.abort(new Error('told to'));
      await assert.rejects(waiting, /told to/);
      await assert.rejects(other.lock('x', { signal: controller.signal }), /told to/);
      await lock.release();
      await (await other.lock('stop', { timeoutMs: 1000 })).release();
    },
  },
  {
    name: 'refuses lock names that are no plain names',
    async run({ files }) {
      for (const name of ['', '..', 'a/b', 'a b', 'ロック', 'x'.repeat(65)]) {
        await rejectsWith('invalid-key', files.lock(name), `lock of ${JSON.stringify(name)}`);
      }
    },
  },
];

/** The subject of the file store suite. */
export interface FileStoreSubject {
  readonly files: FileStore;
  /** Returns a second handle on the same data, as another process would have it; or the same one. */
  another(): Promise<FileStore>;
}

async function listAll(files: FileStore, prefix = ''): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for await (const entry of files.list(prefix)) entries.push(entry);
  return entries.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

async function readText(files: FileStore, key: string): Promise<string | undefined> {
  return (await files.read(key))?.text;
}

const INVALID_KEYS = [
  '',
  '/etc/passwd',
  '../outside',
  'a/../../b',
  'a/./b',
  'a//b',
  'a/',
  'a\0b',
  'a\nb',
  'a\\b',
  'c:/x',
  'con',
  'x/NUL.txt',
  'dot.',
  'space ',
  '\ud800',
  '.vizprompt/x',
  'x'.repeat(256),
  `${'x'.repeat(200)}/`.repeat(6) + 'x',
];

/** The cases of the `FileStore` contract. */
export const fileStoreCases: readonly ContractCase<FileStoreSubject>[] = [
  {
    name: 'reads back what was written, byte for byte',
    async run({ files, another }) {
      for (const [index, text] of difficultTexts.entries()) {
        await files.write(`texts/${index}.txt`, text);
        assert.equal(await readText(files, `texts/${index}.txt`), text);
      }
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      await files.write('画像/猫 🐈.bin', bytes);
      const file = await (await another()).read('画像/猫 🐈.bin');
      assert.deepEqual(Buffer.from(file?.data ?? []), Buffer.from(bytes));
    },
  },
  {
    name: 'gives null for a file that is not there, and for a folder',
    async run({ files }) {
      assert.equal(await files.read('nothing.txt'), null);
      await files.write('folder/file.txt', 'x');
      assert.equal(await files.read('folder'), null);
      assert.equal(await files.read('folder/file.txt/below'), null);
    },
  },
  {
    name: 'overwrites, with a new version each time',
    async run({ files }) {
      const versions = new Set<string>();
      for (const text of ['one', 'two', 'two', 'six']) {
        versions.add((await files.write('a.txt', text)).version);
        assert.equal(await readText(files, 'a.txt'), text);
      }
      assert.equal(versions.size, 4);
    },
  },
  {
    name: 'returns the same version when writing, reading and listing',
    async run({ files, another }) {
      const { version } = await files.write('a.txt', 'text');
      assert.equal((await files.read('a.txt'))?.version, version);
      assert.deepEqual(await listAll(await another()), [{ key: 'a.txt', size: 4, version }]);
    },
  },
  {
    name: 'creates only what is not there when asked to',
    async run({ files, another }) {
      await files.write('a.txt', 'first', { ifVersion: null });
      const second = await another();
      await rejectsWith('conflict', second.write('a.txt', 'second', { ifVersion: null }));
      assert.equal(await readText(files, 'a.txt'), 'first');
    },
  },
  {
    name: 'replaces and deletes only the version that is expected',
    async run({ files, another }) {
      const first = await files.write('a.txt', 'first');
      const second = await (await another()).write('a.txt', 'later');
      await rejectsWith('conflict', files.write('a.txt', 'lost', { ifVersion: first.version }));
      await rejectsWith('conflict', files.delete('a.txt', { ifVersion: first.version }));
      assert.equal(await readText(files, 'a.txt'), 'later');
      await files.write('a.txt', 'third', { ifVersion: second.version });
      assert.equal(await readText(files, 'a.txt'), 'third');
      await rejectsWith('conflict', files.write('b.txt', 'x', { ifVersion: first.version }));
      await rejectsWith('conflict', files.delete('b.txt', { ifVersion: first.version }));
    },
  },
  {
    name: 'lets only one of many writers with the same expectation win',
    async run({ files, another }) {
      const { version } = await files.write('a.txt', 'start');
      const stores = [files, await another()];
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, index) =>
          stores[index % 2]?.write('a.txt', `writer ${index}`, { ifVersion: version }),
        ),
      );
      const winners = outcomes.flatMap(({ status }, index) =>
        status === 'fulfilled' ? [index] : [],
      );
      assert.equal(winners.length, 1);
      assert.equal(await readText(files, 'a.txt'), `writer ${winners[0]}`);
    },
  },
  {
    name: 'deletes',
    async run({ files, another }) {
      const { version } = await files.write('a/b.txt', 'x');
      assert.equal(await files.delete('a/b.txt', { ifVersion: version }), true);
      assert.equal(await files.read('a/b.txt'), null);
      assert.equal(await (await another()).read('a/b.txt'), null);
      assert.deepEqual(await listAll(files), []);
      assert.equal(await files.delete('a/b.txt'), false);
      assert.equal(await files.delete('never/there.txt'), false);
      await files.write('file', 'x');
      assert.equal(await files.delete('file/below.txt'), false);
    },
  },
  {
    name: 'writes and deletes many files as one',
    async run({ files, another }) {
      await files.write('old.txt', 'old');
      await files.write('gone.txt', 'gone');
      const versions = await files.writeMany([
        { key: 'new.txt', content: '新しい', ifVersion: null },
        { key: 'old.txt', content: Buffer.from('changed') },
        { key: 'gone.txt', content: null },
        { key: 'deep/er/file.txt', content: '' },
      ]);
      assert.deepEqual(
        versions.map((version) => version === null),
        [false, false, true, false],
      );
      const entries = await listAll(await another());
      assert.deepEqual(
        entries.map(({ key }) => key),
        ['deep/er/file.txt', 'new.txt', 'old.txt'],
      );
      assert.equal(entries[1]?.version, versions[0]);
      assert.equal(await readText(files, 'old.txt'), 'changed');
    },
  },
  {
    name: 'writes none of many when one condition does not hold',
    async run({ files }) {
      const { version } = await files.write('a.txt', 'a');
      await files.write('a.txt', 'b');
      const changes = [
        { key: 'fresh.txt', content: 'x' },
        { key: 'a.txt', content: 'c', ifVersion: version },
      ];
      await rejectsWith('conflict', files.writeMany(changes));
      assert.equal(await files.read('fresh.txt'), null);
      assert.equal(await readText(files, 'a.txt'), 'b');
    },
  },
  {
    name: 'writes all of a batch or nothing where a file is in place of a folder',
    async run({ files, another }) {
      await files.write('a', 'file');
      const changes = ['b/new.txt', 'a/b', 'c.txt'].map((key) => ({ key, content: 'x' }));
      const isDone = await files.writeMany(changes).then(
        () => true,
        () => false,
      );
      const keys = isDone ? ['a', 'a/b', 'b/new.txt', 'c.txt'] : ['a'];
      for (const store of [files, await another()]) {
        const entries = await listAll(store);
        assert.deepEqual(
          entries.map(({ key }) => key),
          keys,
        );
      }
      assert.equal(await readText(files, 'a'), 'file');
      await files.writeMany(['c.txt', 'd.txt'].map((key) => ({ key, content: 'next' })));
      assert.equal(await readText(files, 'c.txt'), 'next');
    },
  },
  {
    name: 'refuses a batch with the same key twice, and takes an empty one',
    async run({ files }) {
      const twice = ['1', '2'].map((content) => ({ key: 'a.txt', content }));
      await rejectsWith('misuse', files.writeMany(twice));
      assert.equal(await files.read('a.txt'), null);
      assert.deepEqual(await files.writeMany([]), []);
    },
  },
  {
    name: 'appends, also to what is not there',
    async run({ files, another }) {
      const { version } = await files.append('log/a.tsv', '一行目\n');
      const next = await (await another()).append('log/a.tsv', Buffer.from('二行目\n'));
      assert.notEqual(next.version, version);
      assert.equal(await readText(files, 'log/a.tsv'), '一行目\n二行目\n');
      assert.equal((await listAll(files))[0]?.version, next.version);
    },
  },
  {
    name: 'loses no line of many that append at once',
    async run({ files, another }) {
      const stores = [files, await another()];
      const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
      await Promise.all(
        lines.map(async (line, index) => stores[index % 2]?.append('log.txt', line)),
      );
      const found = (await readText(files, 'log.txt'))?.match(/.*\n/g) ?? [];
      assert.deepEqual(found.toSorted(), lines.toSorted());
    },
  },
  {
    name: 'lists by prefix, also in the middle of a name',
    async run({ files }) {
      const keys = ['a.txt', 'nodes/00/00.xml', 'nodes/00/01.xml', 'nodes/01/00.xml', 'nodes2/x'];
      for (const key of keys) await files.write(key, key);
      const found = async (prefix: string): Promise<string[]> =>
        (await listAll(files, prefix)).map(({ key }) => key);
      assert.deepEqual(await found(''), keys);
      assert.deepEqual(await found('nodes/'), keys.slice(1, 4));
      assert.deepEqual(await found('nodes/00/0'), keys.slice(1, 3));
      assert.deepEqual(await found('nodes'), keys.slice(1));
      assert.deepEqual(await found('none/'), []);
    },
  },
  {
    name: 'lists every one of many files, once',
    async run({ files }) {
      const keys = Array.from({ length: 1100 }, (_, index) => `many/${index % 11}/${index}.txt`);
      await files.writeMany(keys.map((key) => ({ key, content: 'x' })));
      const found = await listAll(files, 'many/');
      assert.deepEqual(
        found.map(({ key }) => key),
        keys.toSorted(),
      );
    },
  },
  {
    name: 'refuses keys that lead elsewhere or that no file system takes',
    async run({ files }) {
      for (const key of INVALID_KEYS) {
        const calls: Readonly<Record<string, () => Promise<unknown>>> = {
          read: () => files.read(key),
          write: () => files.write(key, 'x'),
          writeMany: () => files.writeMany([{ key, content: 'x' }]),
          append: () => files.append(key, 'x'),
          delete: () => files.delete(key),
        };
        for (const [method, call] of Object.entries(calls)) {
          await rejectsWith('invalid-key', call, `${method} of ${JSON.stringify(key)}`);
        }
      }
      assert.deepEqual(await listAll(files), []);
    },
  },
  {
    name: 'refuses text that UTF-8 would alter, and to read other bytes as text',
    async run({ files }) {
      await rejectsWith('invalid-text', files.write('a.txt', 'x\ud800y'));
      await rejectsWith('invalid-text', files.append('a.txt', '\udc00'));
      await rejectsWith('invalid-text', files.writeMany([{ key: 'a.txt', content: '\ud800' }]));
      assert.equal(await files.read('a.txt'), null);
      await files.write('b.bin', Uint8Array.of(0xff, 0xfe));
      const file = await files.read('b.bin');
      await rejectsWith('not-text', () => file?.text);
    },
  },
  ...fileLockCases,
];

/**
 * Declares the tests of the `FileStore` contract.
 *
 * @example
 * ```ts
 * import { describe, it } from 'vitest';
 *
 * testFileStore({
 *   name: 'my store',
 *   runner: { describe, it },
 *   open: async () => {
 *     const files = myStore();
 *     return { subject: { files, another: async () => files }, close: () => files.close() };
 *   },
 * });
 * ```
 */
export function testFileStore(options: SuiteOptions<FileStoreSubject>): void {
  declareSuite('FileStore', fileStoreCases, options);
}
