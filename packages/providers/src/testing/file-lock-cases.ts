import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileStore } from '../storage/file-store.ts';
import { rejectsWith } from './assertions.ts';
import type { ContractCase } from './contract-suite.ts';

interface LockSubject {
  readonly files: FileStore;
  another(): Promise<FileStore>;
}

/** The cases of the `FileStore` contract about locks. */
export const fileLockCases: readonly ContractCase<LockSubject>[] = [
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
