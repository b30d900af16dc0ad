import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/open-store.ts';

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test.skipIf(process.platform === 'win32')('others cannot read the files of a memory', async () => {
  const folder = await temporaryFolder();
  const umask = process.umask(0o022);
  try {
    await using store = await MemoryStore.open({ path: join(folder, 'below', 'm.db') });
    const { id } = await store.startSession({ workspace: folder });
    await store.log(id, 'user_message', { content: '秘密' });
    await store.backup(join(folder, 'below', 'copy.db'));

    const names = await readdir(join(folder, 'below'));
    expect(names).toEqual(expect.arrayContaining(['m.db', 'm.db-wal', 'copy.db']));
    for (const name of names) expect(await modeOf(join(folder, 'below', name))).toBe(0o600);
    await using copy = await MemoryStore.open({ path: join(folder, 'below', 'copy.db') });
    expect(await copy.stats()).toMatchObject({ events: 1 });
  } finally {
    process.umask(umask);
  }
});

test.skipIf(process.platform === 'win32')('a file that is there keeps its mode', async () => {
  const path = join(await temporaryFolder(), 'm.db');
  await writeFile(path, '');
  await chmod(path, 0o640);
  await using store = await MemoryStore.open({ path });
  await store.startSession({ workspace: '/w' });
  expect(await modeOf(path)).toBe(0o640);
});

test('a backup that fails leaves nothing', async () => {
  const folder = await temporaryFolder();
  await using store = await MemoryStore.open({ path: join(folder, 'm.db') });
  await expect(store.backup(join(folder, 'missing', 'copy.db'))).rejects.toBeInstanceOf(Error);
  await expect(store.backup(join(folder, 'm.db'))).rejects.toMatchObject({ code: 'conflict' });
});
