import { MemoryStore, type MemoryEvent, type NewEvent } from '@vizprompt/memory';
import type { Database } from '@vizprompt/providers';
import { silentLogger } from '@vizprompt/providers/internal';
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

/** Events of one batch with more words than are left as they were written. */
function manyWords(): NewEvent[] {
  const numbers = [...Array.from({ length: 700 }).keys()];
  return numbers.slice(0, 200).map((at): NewEvent => {
    const content = numbers.map((word) => `w${at}x${word}`).join(' ');
    return { type: 'user_message', data: { content } };
  });
}

/** Opens a store whose transactions that arrange words begin with `hold`. */
async function storeThatHolds(hold: () => Promise<void>): Promise<{
  readonly store: MemoryStore;
  readonly hasSettled: () => boolean;
  readonly warnings: string[];
}> {
  const storage = await newPostgres();
  let hasSettled = false;
  const transaction: Database['transaction'] = async (work, options) => {
    if (options?.isolation !== 'read-committed') return storage.database.transaction(work, options);
    const result = await storage.database.transaction(async (tx) => {
      await hold();
      return work(tx);
    }, options);
    hasSettled = true;
    return result;
  };
  const warnings: string[] = [];
  const store = await MemoryStore.open({
    storage: { ...storage, database: { ...storage.database, transaction } },
    logger: { ...silentLogger, warn: (message) => void warnings.push(message) },
  });
  return { store, hasSettled: () => hasSettled, warnings };
}

it.runIf(ON_POSTGRES)(
  'a writer does not wait until its words are arranged; closing does',
  async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const { store, hasSettled, warnings } = await storeThatHolds(() => held);
    const { id } = await store.startSession({ workspace: '/w' });
    await store.logMany(id, manyWords());
    expect((await store.search('w199x699', { session: id })).length).toBe(1);
    expect(hasSettled()).toBe(false);
    const closed = store.close();
    letGo();
    await closed;
    expect(hasSettled()).toBe(true);
    expect(warnings).toEqual([]);
  },
);

it.runIf(ON_POSTGRES)('words that cannot be arranged are reported, and are found', async () => {
  const { store, warnings } = await storeThatHolds(() => Promise.reject(new Error('no room')));
  const { id } = await store.startSession({ workspace: '/w' });
  await store.logMany(id, manyWords());
  await store.logMany(id, someEvents(1));
  expect(warnings).toEqual(['the text index could not be arranged: searches take longer']);
  expect((await store.search('w199x699', { session: id })).length).toBe(1);
  await store.close();
});
