import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStorage } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { leaveBatch } from '../support/leave-batch.ts';
import { temporaryFolder } from '../support/subjects.ts';

async function folderOf(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}

it('shows the files of a folder and writes nothing there', async () => {
  const folder = await folderOf();
  mkdirSync(join(folder, 'ノート'));
  writeFileSync(join(folder, 'ノート', '猫.md'), '🐈');
  await using storage = await openStorage(folder, { readOnly: true });
  const { files, cache } = storage;
  expect((await files.read('ノート/猫.md'))?.text).toBe('🐈');
  expect(await files.read('none')).toBeNull();
  const refused = { code: 'unsupported' };
  await expect(files.write('a', 'x')).rejects.toMatchObject(refused);
  await expect(files.writeMany([{ key: 'a', content: 'x' }])).rejects.toMatchObject(refused);
  await expect(files.append('a', 'x')).rejects.toMatchObject(refused);
  await expect(files.delete('ノート/猫.md')).rejects.toMatchObject(refused);
  await expect(files.read('../a')).rejects.toMatchObject({ code: 'invalid-key' });
  await (await files.lock('a')).release();
  await cache.execute('CREATE TABLE t (a TEXT)');
  expect(readdirSync(folder)).toEqual(['ノート']);
  await storage.close();
  await expect(files.read('ノート/猫.md')).rejects.toMatchObject({ code: 'closed' });
  await expect(openStorage(join(folder, 'none'), { readOnly: true })).rejects.toMatchObject({
    code: 'io',
  });
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

it('sees a batch that is durable and not finished as if it were', async () => {
  const folder = await folderOf();
  writeFileSync(join(folder, 'gone.txt'), 'old');
  writeFileSync(join(folder, 'kept.txt'), 'kept');
  const changeTime = Date.now() / 1000 + 60;
  const changes = [
    { key: 'new/a.txt', data: Buffer.from('新しい'), changeTime },
    { key: 'gone.txt', data: null, changeTime },
  ];
  await leaveBatch(folder, changes);
  await using storage = await openStorage(folder, { readOnly: true });
  const keys: string[] = [];
  for await (const { key } of storage.files.list('')) keys.push(key);
  expect(keys.toSorted()).toEqual(['kept.txt', 'new/a.txt']);
  expect((await storage.files.read('new/a.txt'))?.text).toBe('新しい');
  expect(await storage.files.read('gone.txt')).toBeNull();
  expect(readdirSync(folder).toSorted()).toEqual(['.vizprompt', 'gone.txt', 'kept.txt']);

  await using writer = await openStorage(folder);
  expect((await writer.files.read('new/a.txt'))?.text).toBe('新しい');
  expect((await storage.files.read('new/a.txt'))?.text).toBe('新しい');
});
