import { existsSync } from 'node:fs';
import { memoryComponent, MemoryStore } from '@vizprompt/memory';
import { copyStorage } from '@vizprompt/providers';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { wordAnalyzer } from '@vizprompt/providers/text';
import { expect, it, onTestFinished } from 'vitest';
import { all, newStorage, newStore, temporaryFolder } from '../support/open-store.ts';

it('moves from a laptop to any other storage, and continues there', async () => {
  const laptop = await openStorage(await temporaryFolder());
  onTestFinished(() => laptop.close());
  const before = await newStore({ storage: laptop });
  const { id } = await before.startSession({ workspace: '/w' });
  await before.log(id, 'user_message', { content: '認証 🐈 \0' });
  await before.log(id, 'file_edit', {
    action: 'create',
    file_path: 'a',
    new_content: '設定 '.repeat(100),
    success: true,
  });
  const target = await newStorage();
  await copyStorage(laptop, target, { components: [memoryComponent] });
  const after = await newStore({ storage: target });
  expect(await all(after.events(id))).toEqual(await all(before.events(id)));
  const next = await after.log(id, 'thinking', { content: 'goes on' });
  expect(next.sequence).toBe(3);
  await after.startSession({ workspace: '/w' });
  for (const query of ['認証', '設定', 'goes']) expect(await after.search(query)).toHaveLength(1);
  expect(await after.check()).toMatchObject({ isOk: true, events: 3, contents: 2 });
});

it('rebuilds its index where the analyser is another', async () => {
  const storage = await newStorage();
  const store = await newStore({ storage });
  const { id } = await store.startSession({ workspace: '/w' });
  const data = { action: 'edit', file_path: 'a', old_content: 'old', new_content: 'new' } as const;
  const [said] = await store.logMany(id, [
    { type: 'user_message', data: { content: 'kumquat' } },
    { type: 'file_edit', data: { ...data, success: true } },
    { type: 'thinking', data: { content: 'gone' } },
  ]);
  const gone = (await all(store.events(id)))[2];
  await store.forget({ event: gone?.id ?? '' });
  const analyzer = { ...wordAnalyzer(), id: 'another' };
  const other = await newStore({ storage, analyzer });
  expect((await other.search('kumquat')).map(({ event }) => event.id)).toEqual([said?.id]);
  expect(await other.search('old')).toHaveLength(1);
  expect(await other.search('gone')).toEqual([]);
  expect((await other.check()).isOk).toBe(true);
});

it('takes either a path or a storage, and closes only what it opened', async () => {
  const storage = await inMemoryStorage();
  onTestFinished(() => storage.close());
  const both = newStore({ storage, path: 'x.db' });
  await expect(both).rejects.toMatchObject({ code: 'invalid-input' });
  const store = await newStore({ storage });
  await store.close();
  expect(await storage.database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('is never stored at the path :memory:', async () => {
  await using store = await MemoryStore.open({ path: ':memory:' });
  const { id } = await store.startSession({ workspace: '/w' });
  await store.log(id, 'user_message', { content: '認証' });
  expect(await store.search('認証')).toHaveLength(1);
  expect(existsSync(':memory:')).toBe(false);
});
