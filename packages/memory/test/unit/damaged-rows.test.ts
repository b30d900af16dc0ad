import { MemoryStore } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStorage } from '../support/open-store.ts';

/** Damages of a stored event, as a disk makes them, and what is said of each. */
const DAMAGES: readonly (readonly [string, string, RegExp])[] = [
  ['data', '{"content":"a\u0001', /its data is no JSON/],
  ['data', '[1]', /its data is no object/],
  ['data', '{}', /the field 'content' of a user_message is missing/],
  ['data', '{"content":7}', /the field 'content' of a user_message is 7/],
  ['meta', '{', /its meta is no JSON/],
  ['type', 'user_massage', /its type "user_massage" is none/],
  ['timestamp', '2O26', /its time '2O26' is no time/],
];

describe('a damaged row', () => {
  it.each(DAMAGES)(
    'in %s (%s) is corrupt with its place, and the rest reads on',
    async (column, value, problem) => {
      const storage = await newStorage();
      const store = await MemoryStore.open({ storage });
      const { id } = await store.startSession({ workspace: '/w' });
      const logged = await store.logMany(
        id,
        Array.from({ length: 5 }, (_, at) => ({
          type: 'user_message' as const,
          data: { content: `lamp ${at}` },
        })),
      );
      const sequence = 3;
      await storage.database.execute(`UPDATE memory_events SET ${column} = ? WHERE sequence = ?`, [
        value,
        sequence,
      ]);

      const read: number[] = [];
      const reading = (async () => {
        for await (const event of store.events(id, { limit: 2 })) read.push(event.sequence);
      })();
      await expect(reading).rejects.toMatchObject({
        code: 'corrupt',
        message: expect.stringMatching(problem),
        context: { session_id: id, sequence },
      });
      expect(read).toEqual([1, 2, 4, 5]);
      const page = await store.events(id).page();
      expect(page.damaged).toEqual([
        { id: logged[2]?.id, session_id: id, sequence, problem: expect.stringMatching(problem) },
      ]);
      expect(
        (await store.search('lamp')).map(({ event }) => event.sequence).toSorted((a, b) => a - b),
      ).toEqual([1, 2, 4, 5]);
      await expect(store.getEvent(logged[2]?.id ?? '')).rejects.toMatchObject({ code: 'corrupt' });
      await store.log(id, 'user_message', { content: 'still written' });
      await store.close();
    },
  );

  it('of a session costs its metadata, and not the list', async () => {
    const storage = await newStorage();
    const store = await MemoryStore.open({ storage });
    const { id } = await store.startSession({ workspace: '/w', metadata: { tags: ['a'] } });
    await store.startSession({ workspace: '/w' });
    await store.log(id, 'user_message', { content: 'x' });
    await storage.database.execute('UPDATE memory_sessions SET metadata = ? WHERE id = ?', [
      '{"t',
      id,
    ]);
    expect(await store.listSessions()).toHaveLength(2);
    await expect(store.getSession(id)).rejects.toMatchObject({
      code: 'corrupt',
      context: { session: id },
    });
    expect((await store.events(id).page()).events).toHaveLength(1);
    await store.close();
  });
});

it('a page ends by bytes, and gives one event at least', async () => {
  const store = await MemoryStore.open({ storage: await newStorage() });
  const { id } = await store.startSession({ workspace: '/w' });
  for (const size of [10, 10, 5000, 10])
    await store.log(id, 'user_message', { content: 'x'.repeat(size) });
  const pages: number[][] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = await store.events(id, { after, maxBytes: 1000 }).page();
    pages.push(page.events.map(({ sequence }) => sequence));
    after = page.next;
  }
  expect(pages).toEqual([[1, 2], [3], [4]]);
  await store.close();
});
