import { MemoryStore, type MemoryEvent, type NewEvent } from '@vizprompt/memory';
import type { Database } from '@vizprompt/providers';
import { expect, it, vi } from 'vitest';
import { ON_POSTGRES } from '../support/open-store.ts';
import { newPostgres } from '../support/postgres-storages.ts';

const WORDS = ['plain', 'a "quoted" one', 'back\\slash {brace}, comma', '猫 🐈', "l'apostrophe"];

function someEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, at): NewEvent => {
    const content = `${WORDS[at % WORDS.length] ?? ''} n${at}`;
    return { type: 'user_message', data: { content }, meta: { speaker: `Ann ${at}` } };
  });
}

it.runIf(ON_POSTGRES)('a batch of events takes three statements on PostgreSQL', async () => {
  const storage = await newPostgres();
  const batchRows = vi.fn<Database['batchRows']>((all) => storage.database.batchRows(all));
  const database = { ...storage.database, batchRows };
  await using store = await MemoryStore.open({ storage: { ...storage, database } });
  const { id } = await store.startSession({ workspace: '/w' });
  await store.log(id, 'user_message', { content: 'first of all' });
  batchRows.mockClear();
  const events = someEvents(250);
  const logged = await store.logMany(id, events);
  expect(batchRows.mock.calls.map(([statements]) => statements.length)).toEqual([3]);
  expect(logged.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 2));
  const stored: MemoryEvent[] = [];
  for await (const event of store.events(id)) stored.push(event);
  expect(stored.slice(1)).toEqual(logged);
  expect(logged.map(({ data }) => data)).toEqual(events.map(({ data }) => data));
  for (const at of [0, 1, 2, 3, 4, 249]) {
    const [hit] = await store.search(`n${at}`, { session: id });
    expect(hit?.event.id).toBe(logged[at]?.id);
  }
  expect((await store.check()).isOk).toBe(true);
});

it.runIf(ON_POSTGRES)('a batch for a session that ended is refused as a whole', async () => {
  await using store = await MemoryStore.open({ storage: await newPostgres() });
  const { id } = await store.startSession({ workspace: '/w' });
  await store.endSession(id);
  await expect(store.logMany(id, someEvents(3))).rejects.toThrow(/ended/);
  await store.logMany(id, someEvents(3), { intoEnded: true });
  const [event] = await store.logMany(id, someEvents(1), { intoEnded: true });
  const again: NewEvent[] = [...someEvents(1), { ...someEvents(1)[0], id: event?.id } as NewEvent];
  await expect(store.logMany(id, again, { intoEnded: true })).rejects.toThrow(/already/);
  expect((await store.stats()).events).toBe(4);
});
