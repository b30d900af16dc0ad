import fs, {
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StorageError, type FileChange, type Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inParallel } from '../../src/files/durable.ts';
import { firstPreamble } from '../../src/files/journal-file.ts';
import { batchChange, leaveBatch } from '../support/leave-batch.ts';
import { temporaryFolder } from '../support/subjects.ts';

const { renameSync, fsync } = fs;

// Root may write everywhere, so what fails is provoked between the store and the system.
function replaceInSystem(calls: Partial<Pick<typeof fs, 'renameSync' | 'fsync'>>): void {
  Object.assign(fs, calls);
  syncBuiltinESMExports();
}

let folder: string;
let storage: Storage;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  storage = await openStorage(folder);
});
afterEach(async () => {
  replaceInSystem({ renameSync, fsync });
  await storage.close();
  await remove();
});

const batchOf = (...keys: readonly string[]): FileChange[] =>
  keys.map((key) => ({ key, content: `new ${key}` }));

async function failureOf(work: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (failure: unknown) => failure,
  );
  if (!StorageError.isInstance(error)) throw error;
  expect(error.message).not.toMatch(/\.tmp/);
  return error;
}

function filesIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const isFile = (name: string): boolean => statSync(join(path, name)).isFile();
  return names.filter((name) => !name.startsWith('.vizprompt') && isFile(name)).toSorted();
}

describe('a batch that cannot be written', () => {
  const obstacles: Record<string, { batch: readonly FileChange[]; key: string; why: RegExp }> = {
    'a file lies where a folder must be': {
      batch: batchOf('x/y/c.txt', 'file/deep/b.txt'),
      key: 'file/deep/b.txt',
      why: /'file' is a file/,
    },
    'a folder lies where a file must be': {
      batch: batchOf('c.txt', 'folder'),
      key: 'folder',
      why: /there is a folder of this name/,
    },
    'one of its files lies where it needs a folder itself': {
      batch: batchOf('c.txt', 'new/b.txt', 'new'),
      key: 'new/b.txt',
      why: /the same batch makes 'new' a file/,
    },
    'it deletes the file and writes below it': {
      batch: [{ key: 'file', content: null }, ...batchOf('c.txt', 'file/b.txt')],
      key: 'file/b.txt',
      why: /'file' is a file/,
    },
  };

  it.each(Object.entries(obstacles))(
    'leaves nothing behind: %s',
    async (_, { batch, key, why }) => {
      writeFileSync(join(folder, 'file'), 'old');
      mkdirSync(join(folder, 'folder'));
      const error = await failureOf(storage.files.writeMany(batch));
      expect(error).toMatchObject({ code: 'io', context: { key } });
      expect(error.message).toMatch(why);
      expect(error.message).toContain(`'${key}'`);
      expect(filesIn(folder)).toEqual(['file']);
      expect(readdirSync(folder).toSorted()).toEqual(['.vizprompt', 'file', 'folder']);
      expect(firstPreamble(join(folder, '.vizprompt/batch.journal'))).toBeUndefined();
      await storage.files.writeMany(batchOf('c.txt', 'd.txt'));
      expect(filesIn(folder)).toEqual(['c.txt', 'd.txt', 'file']);
    },
  );

  it('may delete what is a folder by now: there is no file', async () => {
    mkdirSync(join(folder, 'folder'));
    const changes = [{ key: 'folder', content: null }, ...batchOf('c.txt')];
    expect(await storage.files.writeMany(changes)).toEqual([null, expect.any(String)]);
  });
});

describe('a batch of which a file cannot be put in its place', () => {
  const all = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt'];

  /** A folder appears instead of `c.txt` when the batch is in the journal already. */
  async function leaveHalf(): Promise<void> {
    await storage.files.writeMany(batchOf('before/1.txt', 'before/2.txt'));
    replaceInSystem({
      renameSync(from, to) {
        if (to === join(folder, 'c.txt')) mkdirSync(join(to, 'in the way'), { recursive: true });
        renameSync(from, to);
      },
    });
    const error = await failureOf(storage.files.writeMany(batchOf(...all)));
    replaceInSystem({ renameSync });
    expect(error).toMatchObject({ code: 'io', context: { key: 'c.txt' } });
    expect(error.message).toMatch(/'c\.txt'.*EISDIR.*kept in the journal/);
    expect(filesIn(folder)).not.toContain('c.txt');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  }

  async function expectWhole(opened: Storage): Promise<void> {
    for (const key of all) expect((await opened.files.read(key))?.text).toBe(`new ${key}`);
    expect((await opened.files.read('before/1.txt'))?.text).toBe('new before/1.txt');
  }

  it('is finished by the next write', async () => {
    await leaveHalf();
    rmSync(join(folder, 'c.txt'), { recursive: true });
    await storage.files.write('next.txt', 'x');
    await expectWhole(storage);
    expect((await storage.files.read('next.txt'))?.text).toBe('x');
  });

  it('is finished by the next process that opens the store', async () => {
    await leaveHalf();
    await storage.close();
    rmSync(join(folder, 'c.txt'), { recursive: true });
    storage = await openStorage(folder);
    expect(filesIn(folder)).toContain('c.txt');
    await expectWhole(storage);
  });

  it('lets nothing be written or opened while it is in the way, and names the file', async () => {
    await leaveHalf();
    const attempts = [
      () => storage.files.write('next.txt', 'x'),
      () => storage.files.writeMany(batchOf('next.txt', 'other.txt')),
      () => storage.files.append('next.txt', 'x'),
      () => storage.files.delete('a.txt'),
      () => openStorage(folder),
    ];
    for (const attempt of attempts) {
      const error = await failureOf(attempt());
      expect(error).toMatchObject({ code: 'io', context: { key: 'c.txt' } });
      expect(error.message).toMatch(/unfinished batch.*'c\.txt'/);
    }
    expect(filesIn(folder)).not.toContain('next.txt');
    rmSync(join(folder, 'c.txt'), { recursive: true });
    await storage.files.delete('nothing');
    await expectWhole(storage);
  });

  it('has nothing pending when the failure is reported', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = inParallel([1, 2, 3, 4, 5, 6, 7, 8], async (item) => {
      begun.push(item);
      if (item === 2) throw new Error('on purpose');
      await nextTurn();
      ended.push(item);
    });
    await expect(work).rejects.toThrow('on purpose');
    expect(begun).toEqual([1, 2, 3, 4]);
    expect(ended).toEqual([1, 3, 4]);
  });
});

describe('a batch of another process', () => {
  it('is durable before it is removed from the journal', async () => {
    await storage.files.writeMany(batchOf('a.txt', 'b.txt'));
    const synced = new Set<number>();
    const noting = (...[file, done]: Parameters<typeof fs.fsync>): void => {
      synced.add(fstatSync(file).ino);
      fsync(file, done);
    };
    replaceInSystem({ fsync: Object.assign(noting, fsync) });
    const other = await openStorage(folder);
    const inodes = ['a.txt', 'b.txt'].map((key) => statSync(join(folder, key)).ino);
    expect(inodes.filter((inode) => !synced.has(inode))).toEqual([]);
    await other.close();
  });

  it('that puts a folder in place of its own file is finished in the right order', async () => {
    writeFileSync(join(folder, 'a'), 'old');
    await leaveBatch(folder, [batchChange('a/b.txt', 'new'), batchChange('a', null)]);
    const other = await openStorage(folder);
    expect(readFileSync(join(folder, 'a/b.txt'), 'utf8')).toBe('new');
    await other.close();
  });
});

describe('a file that cannot be put in its place', () => {
  it('leaves no temporary file behind', async () => {
    mkdirSync(join(folder, 'folder'));
    await failureOf(storage.files.write('folder', 'x'));
    await failureOf(storage.files.append('folder', 'x'));
    expect(readdirSync(folder).toSorted()).toEqual(['.vizprompt', 'folder']);
  });
});
