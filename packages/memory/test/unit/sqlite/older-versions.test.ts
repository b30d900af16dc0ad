import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { all, temporaryFolder } from '../../support/open-store.ts';

it('opens a memory of the first version, copies it beforehand, and finds the same in it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'memory.db');
  const before = await MemoryStore.open({ path });
  const { id } = await before.startSession({ workspace: '/w' });
  await before.logMany(id, [
    { type: 'user_message', data: { content: '障害 report' }, meta: { speaker: '花子' } },
    { type: 'user_message', data: { content: '障害 report' } },
  ]);
  const events = await all(before.events(id));
  const found = await before.search('花子の障害');
  await before.close();

  const database = new Sqlite(path);
  database.exec(`
    DROP INDEX memory_events_spoken;
    DELETE FROM vizprompt_migrations WHERE component = 'memory' AND version > 1;
  `);
  database.close();
  await using store = await MemoryStore.open({ path });
  expect(await all(store.events(id))).toEqual(events);
  expect(await store.search('花子の障害')).toEqual(found);
  expect(found.map(({ event }) => event.sequence)).toEqual([1, 2]);
  expect(await store.check()).toMatchObject({ isOk: true, events: 2 });
  const copies = (await readdir(folder)).filter((name) => name.includes('.memory-v1-'));
  expect(copies).toHaveLength(1);
  await using copy = await MemoryStore.open({ path: join(folder, copies[0] ?? '') });
  expect(await all(copy.events(id))).toEqual(events);
});
