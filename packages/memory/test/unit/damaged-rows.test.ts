import { MemoryStore, type DamagedRecord } from '@vizprompt/memory';
import type { SqlValue } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { newStorage, ON_POSTGRES, textOf } from '../support/open-store.ts';

/** Damages of a stored event, as a disk makes them: the column, its value, the field, and what is said of it. */
const DAMAGES: readonly (readonly [string, SqlValue, string, RegExp])[] = [
  ['data_text', '{"content":"a\u0001', 'data', /expected JSON/],
  ['data_text', '[1]', 'data', /expected a JSON object/],
  ['data_text', '{}', 'data', /the field 'content' of a user_message is missing/],
  ['data_text', '{"content":7}', 'data', /the field 'content' of a user_message is 7/],
  ['meta', '{', 'meta', /expected JSON/],
  ['meta', '"lamp"', 'meta', /expected a JSON object/],
  ['type', 'user_massage', 'type', /expected one of user_message.*got "user_massage"/],
  ['timestamp', '2O26', 'timestamp', /expected a time in ISO 8601, got "2O26"/],
  ['timestamp', '2026-19-01T00:00:00.000Z', 'timestamp', /expected a time/],
  ['diff_hash', 'f'.repeat(64), 'diff_hash', /the content 'f+' is damaged or missing/],
  ['redactions', -1, 'redactions', /expected a whole number, got -1/],
];

/** Damages that only SQLite can store: a column has a type, but each value may have another. */
const OF_SQLITE: typeof DAMAGES = [
  ['data_text', new Uint8Array([1, 2]), 'data', /expected a string, got object/],
  ['meta', 7.5, 'meta', /expected JSON|expected a JSON object/],
  ['type', new Uint8Array([0xff]), 'type', /expected one of/],
  ['redactions', 'one', 'redactions', /expected a whole number, got "one"/],
  ['redactions', 0.5, 'redactions', /expected a whole number/],
  ['timestamp', 20_260_101, 'timestamp', /expected a time/],
  ['parent_event_id', new Uint8Array([1]), 'parent_event_id', /expected a string/],
];

const SESSION_DAMAGES: readonly (readonly [string, SqlValue, RegExp])[] = [
  ['metadata', '{"t', /^metadata: expected JSON/],
  ['metadata', '7', /^metadata: expected a JSON object/],
  ['metadata', '{"tags":"a"}', /^metadata.tags: expected a JSON list of strings/],
  ['metadata', '{"branch":[]}', /^metadata.branch: expected a string/],
  ['started_at', 'yesterday', /^started_at: expected a time/],
  ['ended_at', '', /^ended_at: expected a time/],
  ['updated_at', '2026-99', /^updated_at: expected a time/],
  ['event_count', -3, /^event_count: expected a whole number/],
];

describe('a damaged row', () => {
  it.each([...DAMAGES, ...(ON_POSTGRES ? [] : OF_SQLITE)])(
    'in %s (%s) is corrupt with its place, and the rest reads on',
    async (column, value, field, problem) => {
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
        context: { id: logged[2]?.id, session_id: id, sequence, table: 'memory_events', field },
      });
      expect(read).toEqual([1, 2, 4, 5]);
      const page = await store.events(id).page();
      expect(page.damaged).toEqual([
        {
          id: logged[2]?.id,
          session_id: id,
          sequence,
          table: 'memory_events',
          field,
          problem: expect.stringMatching(problem),
        },
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

  it.each(SESSION_DAMAGES)(
    'of a session in %s (%s) marks it in lists, and its events can be read',
    async (column, value, problem) => {
      const storage = await newStorage();
      const store = await MemoryStore.open({ storage });
      const { id } = await store.startSession({ workspace: '/w', metadata: { tags: ['a'] } });
      const other = await store.startSession({ workspace: '/w' });
      await store.log(id, 'user_message', { content: 'x' });
      await storage.database.execute(`UPDATE memory_sessions SET ${column} = ? WHERE id = ?`, [
        value,
        id,
      ]);
      const listed = await store.listSessions();
      expect(listed.map(({ id: one }) => one).toSorted()).toEqual([id, other.id].toSorted());
      const marked = listed.filter((session) => session.damaged !== undefined);
      expect(marked).toMatchObject([{ id, damaged: expect.stringMatching(problem) }]);
      await store.listSessions({ tag: 'a' });
      const damaged: DamagedRecord[] = [];
      const text = await textOf(store.exportJson({ onDamaged: (one) => damaged.push(one) }));
      expect(damaged).toEqual([{ session_id: id, problem: expect.stringMatching(problem) }]);
      await textOf(store.exportHtml({}));
      await using copy = await MemoryStore.open({ storage: await newStorage() });
      expect(await copy.importJson(text)).toMatchObject({ sessions: 2, events: 1 });
      await expect(store.getSession(id)).rejects.toMatchObject({
        code: 'corrupt',
        context: { table: 'memory_sessions', id },
      });
      expect((await store.events(id).page()).events).toHaveLength(1);
      const problems = (await store.check()).problems.filter(({ code }) => code === 'data');
      expect(problems).toMatchObject([{ session: id, table: 'memory_sessions' }]);
      await store.deleteSession(id);
      expect(await store.listSessions()).toHaveLength(1);
      await store.close();
    },
  );

  it.skipIf(ON_POSTGRES).each(['x', 2.5, new Uint8Array([9])])(
    'with the sequence %s is reported once, on the last page',
    async (value) => {
      const storage = await newStorage();
      const store = await MemoryStore.open({ storage });
      const { id } = await store.startSession({ workspace: '/w' });
      const content = ['a', 'b', 'c', 'd'];
      for (const one of content) await store.log(id, 'user_message', { content: one });
      await storage.database.execute(`UPDATE memory_events SET sequence = ? WHERE sequence = 2`, [
        value,
      ]);
      const read: number[] = [];
      const reading = (async () => {
        for await (const event of store.events(id, { limit: 1 })) read.push(event.sequence);
      })();
      await expect(reading).rejects.toMatchObject({
        code: 'corrupt',
        context: { sequence: 0, table: 'memory_events', field: 'sequence' },
      });
      expect(read).toEqual([1, 3, 4]);
      await store.close();
    },
  );

  it('of an edit is named where a text needs it, and forgotten with the rest', async () => {
    const storage = await newStorage();
    const store = await MemoryStore.open({ storage });
    const { id } = await store.startSession({ workspace: '/w' });
    const edits = [];
    for (const text of ['one', 'two', 'three']) {
      const data = { action: 'edit', file_path: 'a', new_content: text, success: true } as const;
      edits.push(await store.log(id, 'file_edit', data, { meta: { speaker: 'Ada' } }));
    }
    await storage.database.execute(`UPDATE memory_events SET data_text = '{"x' WHERE sequence = 2`);
    expect(await store.fileAt('a', { workspace: '/w' })).toMatchObject({ content: 'three' });
    const [, second, third] = edits;
    await expect(store.fileAt('a', { workspace: '/w', event: second?.id })).rejects.toMatchObject({
      code: 'corrupt',
      context: { id: second?.id, field: 'data' },
    });
    expect(await store.fileHistory('a', { workspace: '/w' })).toHaveLength(2);
    const intention = { action: 'edit', file_path: 'a', reason: 'why' } as const;
    await store.log(id, 'code_intention', intention);
    const erased = await store.eraseSpeaker({ speaker: 'Ada', dryRun: true });
    expect(erased.remains).toContainEqual({ place: 'damaged-rows', count: 1 });
    await store.forget({ event: second?.id ?? '' });
    expect((await store.events(id).page()).damaged).toBeUndefined();
    await storage.database.execute(`UPDATE memory_blobs SET size = 1 WHERE hash = (
      SELECT new_hash FROM memory_events WHERE sequence = 3)`);
    await expect(store.getEvent(third?.id ?? '')).rejects.toMatchObject({
      code: 'corrupt',
      context: { field: 'new_hash' },
    });
    expect(await store.redact()).toMatchObject({ damaged: 1 });
    await store.deleteSession(id);
    expect((await store.check()).problems).toEqual([]);
    await store.close();
  });

  it('keeps no other from being redacted', async () => {
    const storage = await newStorage();
    const store = await MemoryStore.open({ storage, redact: false });
    const { id } = await store.startSession({ workspace: '/w' });
    const token = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF5hJ8'].join('_');
    await store.log(id, 'user_message', { content: 'x' });
    await store.log(id, 'user_message', { content: token });
    await storage.database.execute(`UPDATE memory_events SET data_text = ? WHERE sequence = 1`, [
      `{"content":"${token}`,
    ]);
    expect(await store.redact()).toMatchObject({ secrets: 2, events: 2 });
    const rows = await storage.database.query('SELECT data_text FROM memory_events');
    expect(JSON.stringify(rows)).not.toContain(token);
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
