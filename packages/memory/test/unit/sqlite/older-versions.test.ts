import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryStore } from '@vizprompt/memory';
import { silentLogger } from '@vizprompt/providers/internal';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { all, temporaryFolder } from '../../support/open-store.ts';

/** Data that this version packs, and older ones do not. */
const LONG = '長い report '.repeat(200);

/** Takes back the third version of the schema and the ones after it. */
const WITHOUT_LINES = `ALTER TABLE memory_events RENAME COLUMN data_text TO data;
  ALTER TABLE memory_events DROP COLUMN data_size;
  ALTER TABLE memory_events DROP COLUMN packed;
  DROP INDEX memory_events_lines_hash;
  ALTER TABLE memory_events DROP COLUMN lines_hash;`;

it('moves lines of transcripts out of the facts about events and sessions, but for known ones', async () => {
  const path = join(await temporaryFolder(), 'memory.db');
  const before = await MemoryStore.open({ path });
  await before.startSession({ id: 's', workspace: '/w', metadata: { agent: 'codex', title: 't' } });
  for (const content of ['一', '二']) {
    await before.log('s', 'user_message', { content }, { meta: { agent: 'codex' } });
  }
  await before.close();
  const known = { type: 'event_msg', payload: { type: 'token_count' } };
  const unknown = [{ type: 'response_item', payload: { type: 'hologram' } }, 'torn {"ZEBRA'];
  const database = new Sqlite(path);
  database.exec(`${WITHOUT_LINES}
    DELETE FROM vizprompt_migrations WHERE component = 'memory' AND version > 2;`);
  database
    .prepare('UPDATE memory_events SET meta = ? WHERE sequence = 1')
    .run(JSON.stringify({ agent: 'codex', lines: [known, ...unknown] }));
  database
    .prepare('UPDATE memory_events SET meta = ? WHERE sequence = 2')
    .run(JSON.stringify({ agent: 'codex', lines: [{ early: 1 }] }));
  const trailing = { trailing_lines: [known, { late: 1 }], trailing_lines_child: [{ late: 2 }] };
  database
    .prepare('UPDATE memory_sessions SET metadata = ?')
    .run(JSON.stringify({ agent: 'codex', title: 't', ...trailing }));
  database
    .prepare(`INSERT INTO memory_sessions SELECT key + 1, tenant, 'damaged', workspace_path, home_path,
      started_at, ended_at, ?, 0, updated_at FROM memory_sessions`)
    .run('{"trailing_lines": [');
  database.close();
  await using store = await MemoryStore.open({ path });
  const { problems } = await store.check();
  expect(problems).toMatchObject([{ code: 'data', session: 'damaged', field: 'metadata' }]);
  await store.deleteSession('damaged');
  expect((await store.getSession('s')).metadata).toEqual({ agent: 'codex', title: 't' });
  expect((await all(store.events('s'))).map(({ meta }) => meta)).toEqual([
    { agent: 'codex' },
    { agent: 'codex' },
  ]);
  const [first, second] = await all(store.events('s', { contents: 'all' }));
  expect(first?.meta?.['lines']).toEqual(unknown);
  expect(second?.meta?.['lines']).toEqual([{ early: 1 }, { late: 1 }, { late: 2 }]);
  // The list without the late lines is gone, so that it is forgotten with them.
  expect(await store.check()).toMatchObject({ isOk: true, contents: 2 });
  // Once more, they are stored in another memory as they were, and forgotten there.
  await using other = await MemoryStore.open({ path: ':memory:' });
  await other.importJson(store.exportJson());
  expect(await all(other.events('s', { contents: 'all' }))).toEqual([first, second]);
  await store.deleteSession('s');
  expect(await store.check()).toMatchObject({ isOk: true, contents: 0 });
});

it('opens a memory of the first version, copies it beforehand, and finds the same in it', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'memory.db');
  const before = await MemoryStore.open({ path });
  const { id } = await before.startSession({ workspace: '/w' });
  await before.logMany(id, [
    { type: 'user_message', data: { content: '障害 report' }, meta: { speaker: '花子' } },
    { type: 'user_message', data: { content: '障害 report' } },
    { type: 'thinking', data: { content: LONG } },
  ]);
  const events = await all(before.events(id));
  const found = await before.search('花子の障害');
  await before.close();

  const database = new Sqlite(path);
  database.exec(`
    DROP INDEX memory_events_spoken;
    ${WITHOUT_LINES}
    DELETE FROM vizprompt_migrations WHERE component = 'memory' AND version > 1;
  `);
  const sql = 'UPDATE memory_events SET data = ? WHERE sequence = 3';
  database.prepare(sql).run(JSON.stringify({ content: LONG }));
  database.close();
  await using store = await MemoryStore.open({ path });
  expect(await all(store.events(id))).toEqual(events);
  expect(await store.search('花子の障害')).toEqual(found);
  expect(found.map(({ event }) => event.sequence)).toEqual([1, 2]);
  expect(await store.check()).toMatchObject({ isOk: true, events: 3 });
  await store.log(id, 'thinking', { content: LONG });
  const packed = (await all(store.events(id))).slice(2).map(({ data }) => data);
  expect(packed).toEqual([{ content: LONG }, { content: LONG }]);
  const copies = (await readdir(folder)).filter((name) => name.includes('.memory-v1-'));
  expect(copies).toHaveLength(1);
  await using copy = await MemoryStore.open({ path: join(folder, copies[0] ?? '') });
  expect(await all(copy.events(id))).toEqual(events);
});

it('rebuilds the search once where several processes open a memory of another version', async () => {
  const path = join(await temporaryFolder(), 'memory.db');
  const before = await MemoryStore.open({ path });
  await before.startSession({ id: 's' });
  await before.logMany(
    's',
    Array.from({ length: 1200 }, (_, at) => ({
      type: 'user_message' as const,
      data: { content: `word${at}` },
    })),
  );
  await before.close();
  const database = new Sqlite(path);
  database.exec('DELETE FROM derived_text_index');
  database.close();
  let rebuilt = 0;
  const info = (): number => rebuilt++;
  const logger = { ...silentLogger, info };
  const stores = await Promise.all([1, 2, 3].map(() => MemoryStore.open({ path, logger })));
  expect(rebuilt).toBe(1);
  for (const store of stores) {
    expect(await store.search('word1199')).toHaveLength(1);
    expect(await store.check()).toMatchObject({ isOk: true });
    await store.close();
  }
});
