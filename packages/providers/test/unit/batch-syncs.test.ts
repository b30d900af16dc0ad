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

function replaceFsync(call: (file: number, done: fs.NoParamCallback) => void): void {
  Object.assign(fs, { fsync: Object.assign(call, fsync) });
  syncBuiltinESMExports();
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

describe('a folder that a batch made', () => {
  it('is on the disk when the journal is emptied', async () => {
    await storage.files.writeMany(batchOf('new/in/a.txt', 'new/in/b.txt'));
    await storage.close();
    expect(missing('.', 'new', 'new/in', 'new/in/a.txt', 'new/in/b.txt')).toEqual([]);
  });

  it('is on the disk before a file in it that no journal has', async () => {
    await storage.files.writeMany(batchOf('new/a.txt', 'new/b.txt'));
    await storage.files.write('new/c.txt', 'alone');
    expect(missing('.', 'new', 'new/c.txt')).toEqual([]);
    await storage.files.writeMany(batchOf('more/a.txt', 'more/b.txt'));
    synced.clear();
    await storage.files.append('more/a.txt', ' and more');
    expect(missing('.', 'more/a.txt')).toEqual([]);
  });

  it('is on the disk when another process empties the journal', async () => {
    await storage.files.writeMany(batchOf('new/in/a.txt', 'new/in/b.txt'));
    synced.clear();
    const other = await openStorage(folder);
    expect(missing('.', 'new', 'new/in', 'new/in/a.txt')).toEqual([]);
    await other.close();
  });
});

describe('files of many bytes in the journal', () => {
  const large = (key: string): FileChange => ({ key, content: 'x'.repeat(3_000_000) });
  const journal = (): string => join(folder, '.vizprompt/batch.journal');

  it('are brought to the disk while others are written, and stay in the journal', async () => {
    await storage.files.writeMany([large('a.txt'), large('b.txt')]);
    const first = firstPreamble(journal());
    await expect.poll(() => missing('a.txt', 'b.txt')).toEqual([]);
    await storage.files.writeMany(batchOf('c.txt', 'd.txt'));
    expect(missing('c.txt', 'd.txt')).toEqual(['c.txt', 'd.txt']);
    expect(firstPreamble(journal())).toEqual(first);
    await storage.close();
    expect(missing('c.txt', 'd.txt')).toEqual([]);
    expect(firstPreamble(journal())).toBeUndefined();
  });

  it('are brought there by the checkpoint where that failed', async () => {
    await storage.files.writeMany(batchOf('c.txt', 'd.txt'));
    let refused = 0;
    replaceFsync((file, done) => {
      if (!fstatSync(file).isFile()) return noting(file, done);
      refused++;
      done(Object.assign(new Error('the disk fails'), { code: 'EIO' }));
    });
    await storage.files.writeMany([large('a.txt'), large('b.txt')]);
    await expect.poll(() => refused).toBeGreaterThan(1);
    replaceFsync(noting);
    await storage.close();
    expect(missing('a.txt', 'b.txt')).toEqual([]);
    expect(firstPreamble(journal())).toBeUndefined();
  });
});
