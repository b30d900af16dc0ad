import fs, { fstatSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { FileChange, Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstPreamble } from '../../src/files/journal-file.ts';
import { temporaryFolder } from '../support/subjects.ts';

const { fsync } = fs;

let folder: string;
let storage: Storage;
let remove: () => Promise<void>;
/** The inodes of the files and folders that were brought to the disk. */
let synced: Set<bigint>;

function replace(name: keyof typeof fs, call: (...params: never) => unknown): void {
  Object.assign(fs, { [name]: call });
  syncBuiltinESMExports();
}

function replaceFsync(call: (file: number, done: fs.NoParamCallback) => void): void {
  replace('fsync', Object.assign(call, fsync));
}

function noting(file: number, done: fs.NoParamCallback): void {
  synced.add(fstatSync(file, { bigint: true }).ino);
  fsync(file, done);
}

beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  storage = await openStorage(folder);
  synced = new Set();
  replaceFsync(noting);
});
afterEach(async () => {
  replaceFsync(fsync);
  await storage.close();
  await remove();
});

const batchOf = (...keys: readonly string[]): FileChange[] =>
  keys.map((key) => ({ key, content: `new ${key}` }));

function missing(...paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const { ino } = statSync(join(folder, path), { bigint: true });
    return !synced.has(ino);
  });
}

const failing = (): Error => Object.assign(new Error('the disk fails'), { code: 'EIO' });

describe('a folder that a batch made', () => {
  it('is on the disk before the batch is', async () => {
    await storage.files.writeMany(batchOf('new/in/a.txt', 'new/in/b.txt', 'new/more/c.txt'));
    expect(missing('.', 'new')).toEqual([]);
    expect(missing('new/in', 'new/in/a.txt', 'new/more/c.txt')).toHaveLength(3);
    await storage.close();
    expect(missing('new/in', 'new/in/a.txt', 'new/in/b.txt', 'new/more/c.txt')).toEqual([]);
  });

  it.each([
    ['a folder in it could not be made', 'mkdirSync', ['new/in/a.txt', 'new/refused/b.txt']],
    ['the first folder in it could not be made', 'mkdirSync', ['new/refused/a.txt', 'b.txt']],
    ['a file in it could not be written', 'writeSync', ['new/in/a.txt', 'new/in/b.txt']],
  ] as const)('is on the disk where %s', async (_, name, keys) => {
    const call: (...params: never) => unknown = fs[name];
    const refuse = (...params: never): unknown => {
      const [first] = params as readonly unknown[];
      if (typeof first !== 'string' || first.endsWith('refused')) throw failing();
      return call(...params);
    };
    replace(name, refuse);
    try {
      await expect(storage.files.writeMany(batchOf(...keys))).rejects.toThrow('the disk fails');
    } finally {
      replace(name, call);
    }
    await storage.files.write('new/c.txt', 'alone');
    expect(missing('.', 'new', 'new/c.txt')).toEqual([]);
  });

  it('stops no other file where it is gone', async () => {
    await storage.files.writeMany(batchOf('a/b/1.txt', 'a/b/2.txt'));
    fs.rmSync(join(folder, 'a'), { recursive: true });
    await storage.files.write('z.txt', 'alone');
    await storage.files.append('l.txt', 'a line');
    await storage.files.append('l.txt', 'a line');
    await storage.close();
    expect(firstPreamble(join(folder, '.vizprompt/batch.journal'))).toBeUndefined();
  });
});

describe('files of many bytes in the journal', () => {
  const large = (key: string): FileChange => ({ key, content: 'x'.repeat(3_000_000) });
  const journal = (): string => join(folder, '.vizprompt/batch.journal');

  it('wait for the checkpoint, and nothing else waits for them', async () => {
    await storage.files.writeMany([large('a.txt'), large('b.txt')]);
    await storage.files.write('c.txt', 'alone');
    await storage.files.append('c.txt', ' and more');
    expect(missing('a.txt', 'b.txt')).toEqual(['a.txt', 'b.txt']);
    await storage.close();
    expect(missing('a.txt', 'b.txt')).toEqual([]);
    expect(firstPreamble(journal())).toBeUndefined();
  });

  it('stay in it where the disk fails, and the caller learns of it', async () => {
    await storage.files.writeMany(batchOf('c.txt', 'd.txt'));
    replaceFsync((file, done) => {
      if (fstatSync(file).isFile()) done(failing());
      else noting(file, done);
    });
    await storage.files.writeMany([large('a.txt'), large('b.txt')]);
    await expect(storage.close()).rejects.toThrow('the disk fails');
    expect(firstPreamble(journal())).toBeDefined();
  });
});
