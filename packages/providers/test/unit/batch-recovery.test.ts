import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStorage } from '@vizprompt/providers/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstPreamble, type BatchChange } from '../../src/files/journal-file.ts';
import { batchChange as change, leaveBatch as leaveBatchIn } from '../support/leave-batch.ts';
import { temporaryFolder } from '../support/subjects.ts';

let folder: string;
let journal: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  journal = join(folder, '.vizprompt/batch.journal');
  await (await openStorage(folder)).close();
});
afterEach(() => remove());

/** Leaves the files of a process that dies right after the batch became durable. */
async function leaveBatch(changes: readonly BatchChange[], offset = 0): Promise<number> {
  return leaveBatchIn(folder, changes, { offset });
}

async function textOf(key: string): Promise<string | undefined> {
  await using storage = await openStorage(folder);
  return (await storage.files.read(key))?.text;
}

describe('a batch that a crash interrupted', () => {
  it('is finished when the store is opened', async () => {
    writeFileSync(join(folder, 'old.txt'), 'old');
    writeFileSync(join(folder, 'gone.txt'), 'gone');
    utimesSync(join(folder, 'old.txt'), 1, 1);
    utimesSync(join(folder, 'gone.txt'), 1, 1);
    await leaveBatch([
      change('new/file.txt', '新しい'),
      change('old.txt', 'changed'),
      change('gone.txt', null),
    ]);
    expect(await textOf('new/file.txt')).toBe('新しい');
    expect(await textOf('old.txt')).toBe('changed');
    expect(existsSync(join(folder, 'gone.txt'))).toBe(false);
    expect(firstPreamble(journal)).toBeUndefined();
  });

  it('is finished before the next write of a process that had the store open', async () => {
    await using storage = await openStorage(folder);
    await leaveBatch([change('a.txt', 'batch')]);
    await storage.files.write('a.txt', 'later');
    expect((await storage.files.read('a.txt'))?.text).toBe('later');
    expect(firstPreamble(journal)).toBeUndefined();
  });

  it('does not exist before it is whole, however much of it was written', async () => {
    await leaveBatch([change('a.txt', 'batch'), change('b.txt', 'batch')]);
    const bytes = await readFile(journal);
    for (const length of [1, 4, 20, 60]) {
      writeFileSync(journal, bytes.subarray(0, length));
      expect(await textOf('a.txt')).toBeUndefined();
      expect(firstPreamble(journal)).toBeUndefined();
    }
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(journal, bytes);
    expect(await textOf('a.txt')).toBeUndefined();
  });

  it('is finished together with its neighbours, the last change of a file winning', async () => {
    const first = [change('a.txt', 'one'), change('b.txt', 'one'), change('c.txt', 'one')];
    const end = await leaveBatch(first);
    const second = await leaveBatch([change('a.txt', 'two'), change('b.txt', null)], end);
    const third = await leaveBatch([change('a.txt', 'three')], second);
    const bytes = await readFile(journal);
    bytes[third - 1] = (bytes[third - 1] ?? 0) ^ 1;
    writeFileSync(journal, bytes);
    expect(await textOf('a.txt')).toBe('two');
    expect(await textOf('b.txt')).toBeUndefined();
    expect(await textOf('c.txt')).toBe('one');
  });

  it('repairs a file that a loss of power left empty', async () => {
    const torn = change('torn.txt', 'whole');
    await leaveBatch([torn]);
    writeFileSync(join(folder, 'torn.txt'), '');
    utimesSync(join(folder, 'torn.txt'), torn.changeTime, torn.changeTime);
    expect(await textOf('torn.txt')).toBe('whole');
  });

  it('leaves a file alone that was edited since', async () => {
    await leaveBatch([change('a.txt', 'batch'), change('b.txt', 'batch')]);
    const later = Date.now() / 1000 + 10;
    writeFileSync(join(folder, 'a.txt'), 'edited since');
    utimesSync(join(folder, 'a.txt'), later, later);
    expect(await textOf('a.txt')).toBe('edited since');
    expect(await textOf('b.txt')).toBe('batch');
  });
});
