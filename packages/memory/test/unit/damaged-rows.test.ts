import { MemoryStore, type DamagedRecord } from '@vizprompt/memory';
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

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

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
      const found: DamagedRecord[] = [];
      const onDamaged = (one: DamagedRecord): unknown => found.push(one);
      const text = await textOf(store.exportJson({ onDamaged }));
      expect(found).toEqual(page.damaged);
      expect(JSON.parse(text).records.at(-1).damaged).toEqual(page.damaged);
      await using copy = await MemoryStore.open({ storage: await newStorage() });
      expect(await copy.importJson(text)).toMatchObject({ sessions: 1, events: 4 });
      const html = await textOf(store.exportHtml({ onDamaged }));
      expect(found).toHaveLength(2);
      expect(html).toContain('Event 3 cannot be read');
      expect(html).toContain('lamp 4');
      await expect(store.getEvent(logged[2]?.id ?? '')).rejects.toMatchObject({ code: 'corrupt' });
      await store.log(id, 'user_message', { content: 'still written' });
      await store.close();
    },
  );

  it('of a session costs its metadata, and not the list', async () => {
    const storage = await newStorage();
    const store = await MemoryStore.open({ storage });
    const { id } = await store.startSession({ workspace: '/w', metadata: { tags: ['a'] } });
    const other = await store.startSession({ workspace: '/w' });
    await store.log(id, 'user_message', { content: 'x' });
    await storage.database.execute('UPDATE memory_sessions SET metadata = ? WHERE id = ?', [
      '{"t',
      id,
    ]);
    const listed = await store.listSessions();
    expect(listed.map(({ id: one }) => one).toSorted()).toEqual([id, other.id].toSorted());
    const marked = listed.filter((session) => session.damaged !== undefined);
    expect(marked).toMatchObject([{ id, damaged: expect.stringContaining('no JSON object') }]);
    const damaged: DamagedRecord[] = [];
    const text = await textOf(store.exportJson({ onDamaged: (one) => damaged.push(one) }));
    expect(damaged).toEqual([{ session_id: id, problem: expect.any(String) }]);
    await using copy = await MemoryStore.open({ storage: await newStorage() });
    expect(await copy.importJson(text)).toMatchObject({ sessions: 2, events: 1 });
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
