import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { countSetAside } from '@vizprompt/providers/internal';
import { openStorage, readSetAside } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batchChange, leaveBatch } from '../support/leave-batch.ts';
import { temporaryFolder } from '../support/subjects.ts';
import type { SetAsideBatch } from '../../src/files/set-aside.ts';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  await (await openStorage(folder)).close();
});
afterEach(() => remove());

/** Opens a folder, and gives what was set aside meanwhile. */
async function open(at = folder, readOnly = false): Promise<SetAsideBatch[]> {
  const aside: SetAsideBatch[] = [];
  const storage = await openStorage(at, { readOnly, onSetAside: (one) => aside.push(one) });
  await storage.close();
  return aside;
}

/** Returns a journal as version 0.1 wrote it: without a seal. */
function unsealed(head: object, data: Buffer): Buffer {
  const headBytes = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(headBytes.length, 0);
  lengths.writeUInt32LE(data.length, 4);
  const record = Buffer.concat([lengths, headBytes, data]);
  const preamble = Buffer.alloc(8);
  preamble.writeUInt32LE(record.length, 0);
  preamble.writeUInt32LE(crc32(record), 4);
  return Buffer.concat([preamble, record, Buffer.alloc(8)]);
}

function journalIn(at: string): string {
  return join(at, '.vizprompt', 'batch.journal');
}

const KEYS = ['a.txt', '.git/config', '.GIT/hooks/post-checkout', 'git~1/config', 'package.json'];

describe('a journal that this user did not write on this machine', () => {
  it.each(KEYS)('without a seal is not finished, and set aside: %s', async (key) => {
    const head = { key, changeTime: 4_102_444_800, isDeleted: false };
    const journal = unsealed(head, Buffer.from('[core] fsmonitor = evil'));
    writeFileSync(journalIn(folder), journal);
    expect(await open(folder, true)).toEqual([]);
    expect(existsSync(join(folder, key))).toBe(false);
    const aside = await open();
    expect(aside).toEqual([
      { path: expect.stringMatching(/^\.vizprompt\/set-aside\//), keys: [key] },
    ]);
    expect(existsSync(join(folder, key))).toBe(false);
    expect(readFileSync(join(folder, aside[0]?.path ?? ''))).toEqual(journal);
    expect(await open()).toEqual([]);
  });

  it('with the seal of another user is not finished', async () => {
    await leaveBatch(folder, [batchChange('a.txt', 'theirs')], { key: randomBytes(32) });
    expect(await open()).toMatchObject([{ keys: ['a.txt'] }]);
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  });

  it('is not finished in a copy of the folder, and is where it was written', async () => {
    await leaveBatch(folder, [batchChange('a.txt', 'mine')]);
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true });
    expect(await open(copy)).toMatchObject([{ keys: ['a.txt'] }]);
    expect(existsSync(join(copy, 'a.txt'))).toBe(false);
    expect(await open()).toEqual([]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine');
    await import('node:fs/promises').then(({ rm }) => rm(copy, { recursive: true }));
  });

  it('is finished where its folder was renamed back', async () => {
    await leaveBatch(folder, [batchChange('a.txt', 'mine')]);
    renameSync(folder, `${folder}-moved`);
    renameSync(`${folder}-moved`, folder);
    expect(await open()).toEqual([]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine');
  });

  it('is only emptied where all of it has reached its files', async () => {
    const change = batchChange('a.txt', 'done');
    writeFileSync(join(folder, 'a.txt'), 'done');
    await leaveBatch(folder, [change], { key: randomBytes(32) });
    expect(await open()).toEqual([]);
    expect(readdirSync(join(folder, '.vizprompt'))).not.toContain('set-aside');
  });

  it('after a batch of this user does not go with it', async () => {
    const end = await leaveBatch(folder, [batchChange('a.txt', 'mine')]);
    await leaveBatch(folder, [batchChange('b.txt', 'theirs')], {
      offset: end,
      key: randomBytes(32),
    });
    expect(await open()).toMatchObject([{ keys: ['b.txt'] }]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'b.txt'))).toBe(false);
  });

  it('is valid at no other offset', async () => {
    const end = await leaveBatch(folder, [batchChange('a.txt', 'one')]);
    await leaveBatch(folder, [batchChange('b.txt', 'two')], { offset: end });
    const bytes = readFileSync(journalIn(folder));
    writeFileSync(journalIn(folder), bytes.subarray(end));
    expect(await open()).toMatchObject([{ keys: ['b.txt'] }]);
    expect(existsSync(join(folder, 'b.txt'))).toBe(false);
  });

  it('that makes no sense is set aside, whatever its bytes', async () => {
    let seed = Buffer.from('journal');
    for (let round = 0; round < 100; round++) {
      seed = createHash('sha256').update(seed).digest();
      const record = Buffer.concat([seed, Buffer.alloc(8)]).subarray(seed[0]! % 9);
      const preamble = Buffer.alloc(8);
      preamble.writeUInt32LE(record.length, 0);
      preamble.writeUInt32LE(crc32(record), 4);
      writeFileSync(journalIn(folder), Buffer.concat([preamble, record, Buffer.alloc(8)]));
      expect(await open()).toMatchObject([{ keys: [] }]);
    }
    expect(readdirSync(join(folder, '.vizprompt', 'set-aside'))).toHaveLength(100);
  });

  it('takes nothing of this user along, be it before its batches or after them', async () => {
    await leaveBatch(folder, [batchChange('old.txt', 'done'.repeat(1000))]);
    await open();
    const end = await leaveBatch(folder, [batchChange('a.txt', 'mine')]);
    await leaveBatch(folder, [batchChange('b.txt', 'theirs')], {
      offset: end,
      key: randomBytes(32),
    });
    const [aside] = await open();
    const text = readFileSync(join(folder, aside?.path ?? ''), 'latin1');
    expect([text.includes('done'), text.includes('mine'), text.includes('theirs')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await readSetAside(folder, aside?.path ?? '')).toMatchObject([{ key: 'b.txt' }]);
  });

  it('stays when the store is purged, but for what is of this user', async () => {
    const own = join(folder, '.vizprompt', 'set-aside');
    const put = async (name: string, keys: readonly (Buffer | undefined)[]): Promise<void> => {
      let offset = 0;
      for (const key of keys) {
        const change = batchChange('a.txt', key ? 'theirs' : 'mine');
        offset = await leaveBatch(folder, [change], { offset, ...(key ? { key } : {}) });
      }
      mkdirSync(own, { recursive: true });
      renameSync(journalIn(folder), join(own, `batch-${name.repeat(12)}.journal`));
    };
    await put('a', [undefined]);
    await put('b', [undefined, randomBytes(32)]);
    await put('c', [randomBytes(32)]);
    expect(countSetAside(folder)).toBe(3);
    const storage = await openStorage(folder);
    await storage.files.purge?.();
    await storage.close();
    expect(readdirSync(own)).toHaveLength(2);
    expect(countSetAside(folder)).toBe(2);
    for (const name of readdirSync(own)) {
      const text = readFileSync(join(own, name), 'latin1');
      expect([text.includes('mine'), text.includes('theirs')]).toEqual([false, true]);
    }
  });

  it('is not finished before a write, by a process that had the store open', async () => {
    const aside: SetAsideBatch[] = [];
    await using storage = await openStorage(folder, { onSetAside: (one) => aside.push(one) });
    mkdirSync(join(folder, '.git'));
    const head = { key: '.git/config', changeTime: 4_102_444_800, isDeleted: false };
    writeFileSync(journalIn(folder), unsealed(head, Buffer.from('evil')));
    await storage.files.writeMany([
      { key: 'a.txt', content: 'a' },
      { key: 'b.txt', content: 'b' },
    ]);
    expect(aside).toHaveLength(1);
    expect(existsSync(join(folder, '.git', 'config'))).toBe(false);
  });
});
