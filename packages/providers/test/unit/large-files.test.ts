import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inMemoryStorage, localFileStore } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import { toSqlValues } from '../../src/storage/sql-statements.ts';
import { temporaryFolder } from '../support/subjects.ts';

const LIMIT = 2_000_000_000;
/** Memory that no byte of is used. */
const zeros = (bytes: number): Uint8Array => new Uint8Array(new ArrayBuffer(bytes));

describe('a file that could not be read again', () => {
  it('is refused by a folder when it is written, in a batch, and when it grows', async () => {
    const folder = await temporaryFolder();
    await using files = await localFileStore(folder.path);
    const tooLarge = { code: 'too-large', context: { maxBytes: LIMIT } };
    await expect(files.write('a.bin', zeros(LIMIT + 1))).rejects.toMatchObject(tooLarge);
    const half = zeros(LIMIT / 2 + 1);
    const batch = ['a.bin', 'b.bin'].map((key) => ({ key, content: half }));
    await expect(files.writeMany(batch)).rejects.toMatchObject(tooLarge);
    expect(await files.read('a.bin')).toBeNull();
    writeFileSync(join(folder.path, 'log.txt'), '');
    truncateSync(join(folder.path, 'log.txt'), LIMIT - 1);
    await files.append('log.txt', 'x');
    await expect(files.append('log.txt', 'y')).rejects.toMatchObject(tooLarge);
    await files.delete('log.txt');
    await folder.remove();
  });

  it('is too large to read, however it came there', async () => {
    const folder = await temporaryFolder();
    await using files = await localFileStore(folder.path);
    writeFileSync(join(folder.path, 'huge.bin'), '');
    truncateSync(join(folder.path, 'huge.bin'), 2 ** 31);
    await expect(files.read('huge.bin')).rejects.toMatchObject({ code: 'too-large' });
    await folder.remove();
  });

  it('is refused by a database', async () => {
    const storage = await inMemoryStorage();
    const writing = storage.files.write('a.bin', zeros(999_000_001));
    await expect(writing).rejects.toMatchObject({ code: 'too-large' });
    expect(await storage.files.read('a.bin')).toBeNull();
    await storage.close();
  });
});

describe('a parameter that could not be read again', () => {
  const check = (value: string | Uint8Array, maxBytes: number, maxTextBytes?: number): unknown =>
    toSqlValues('INSERT INTO t VALUES (?)', [value], maxBytes, maxTextBytes);

  it('is refused with its place and its bytes, and is taken up to the limit', () => {
    expect(check(zeros(10), 10)).toHaveLength(1);
    expect(() => check(zeros(11), 10)).toThrow(
      'parameter 1 of "INSERT INTO t VALUES (?)": expected at most 10 bytes, got 11',
    );
  });

  it('is measured in bytes of UTF-8 where it is text', () => {
    expect(check('a猫猫', 2, 7)).toHaveLength(1);
    expect(() => check('猫猫猫', 10, 7)).toThrow('expected at most 7 bytes, got 9');
    // Without a limit of its own, a text may be as long as a string.
    expect(check('猫'.repeat(1000), 10)).toHaveLength(1);
  });
});
