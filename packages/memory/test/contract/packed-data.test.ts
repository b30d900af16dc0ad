import { memoryComponent, type MemoryStore, type NewEvent } from '@vizprompt/memory';
import { copyStorage, type Storage } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { all, newStorage, newStore, textOf } from '../support/open-store.ts';

const LONG = `認証 🐈 \0 "quoted" ${'the gate of the garden was open. '.repeat(400)}`;
const SECRET = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF5hJ8'].join('_');

/** Long events of each type whose data are one JSON, and short ones. */
const EVENTS: readonly NewEvent[] = [
  { type: 'user_message', data: { content: `${LONG} kumquat?` } },
  {
    type: 'assistant_message',
    data: { content: LONG, tool_calls: [{ tool: 'x', args: { y: LONG } }] },
  },
  { type: 'thinking', data: { content: 'short', context: LONG } },
  { type: 'code_intention', data: { action: 'edit', file_path: 'a', reason: LONG } },
  {
    type: 'tool_use',
    // More than is compressed at once.
    data: { tool: 'Bash', parameters: { command: LONG }, result: { stdout: LONG.repeat(8) } },
  },
  { type: 'thinking', data: { content: 'short' } },
];

interface Packed {
  readonly type: string;
  readonly data_text: string;
  readonly data_size: number | null;
  readonly packed: Uint8Array | null;
}

function rowsOf({ database }: Storage): Promise<Packed[]> {
  return database.query<Packed>(
    'SELECT type, data_text, data_size, packed FROM memory_events ORDER BY sequence',
  );
}

/** Statements of a version from before data were packed. */
const OLDER = [
  `UPDATE memory_events SET type = type, data = '{}' WHERE sequence < 0`,
  `UPDATE memory_events SET data = data WHERE data LIKE '%ptta%'`,
];

/** Takes back the fourth version of the schema. */
async function takeBack(database: Storage['database']): Promise<void> {
  await database.execute('ALTER TABLE memory_events DROP COLUMN data_size');
  await database.execute('ALTER TABLE memory_events DROP COLUMN packed');
  await database.execute('ALTER TABLE memory_events RENAME COLUMN data_text TO data');
  await database.execute(
    `DELETE FROM vizprompt_migrations WHERE component = 'memory' AND version = 4`,
  );
}

async function filled(
  events = EVENTS,
  redact?: false,
): Promise<{ storage: Storage; store: MemoryStore; id: string }> {
  const storage = await newStorage();
  const store = await newStore({ storage, redact });
  const { id } = await store.startSession({ workspace: '/w' });
  await store.logMany(id, events);
  return { storage, store, id };
}

describe('long data of events', () => {
  it('are packed, and read, searched, counted, exported and copied as they were given', async () => {
    const { storage, store, id } = await filled();
    const rows = await rowsOf(storage);
    expect(rows.map(({ packed }) => packed !== null)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    for (const { packed, data_size: size } of rows.slice(0, 5)) {
      expect(packed?.length).toBeLessThan((size ?? 0) / 10);
    }
    const events = await all(store.events(id));
    const given = EVENTS.map(({ data }) =>
      'file_path' in data ? { ...data, file_path: '/w/a' } : data,
    );
    expect(events.map(({ data }) => data)).toEqual(given);
    const [hit] = await store.search('kumquat');
    expect(hit?.event).toEqual(events[0]);
    expect(hit?.snippet.text).toContain('kumquat');
    const bytes = given.reduce((sum, data) => sum + Buffer.byteLength(JSON.stringify(data)), 0);
    expect((await store.stats()).event_bytes).toBe(bytes);
    // A page ends by the size that its events have for the caller.
    const page = await store.events(id, { maxBytes: 100_000 }).page();
    expect(page.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);

    const copy = await inMemoryStorage();
    onTestFinished(() => copy.close());
    await copyStorage(storage, copy, { components: [memoryComponent] });
    expect(await all((await newStore({ storage: copy })).events(id))).toEqual(events);
    const other = await newStore();
    await other.importJson([await textOf(store.exportJson())]);
    expect(await all(other.events(id))).toEqual(events);
    expect(await store.check()).toMatchObject({ isOk: true, events: 6 });
  });

  it('of a message show the ranking whether it ends with a question', async () => {
    const { storage } = await filled();
    expect((await rowsOf(storage))[0]?.data_text).toBe('t?"}');
  });

  it('go with their event, also as secrets and as quotes of a speaker', async () => {
    const { storage, store, id } = await filled(
      [
        { type: 'user_message', data: { content: `${LONG} ${SECRET}` } },
        {
          type: 'assistant_message',
          data: { content: `${LONG} said by Ann: plum pudding at noon` },
        },
        {
          type: 'user_message',
          data: { content: 'plum pudding at noon' },
          meta: { speaker: 'Ann' },
        },
      ],
      false,
    );
    expect((await rowsOf(storage)).map(({ packed }) => packed !== null)).toEqual([
      true,
      true,
      false,
    ]);
    const cleaning = await newStore({ storage });
    expect(await cleaning.redact()).toMatchObject({ secrets: 1, events: 1, damaged: 0 });
    await cleaning.eraseSpeaker({ speaker: 'Ann' });
    const text = JSON.stringify(await all(store.events(id)));
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('plum');
    expect(text).toContain('the gate of the garden');
    const rows = await rowsOf(storage);
    expect(rows.map(({ packed }) => packed !== null)).toEqual([true, true, false]);
    await store.forget({ session: id });
    for (const { data_text: data, data_size: size, packed } of await rowsOf(storage)) {
      expect({ data, size, packed }).toEqual({ data: '{}', size: null, packed: null });
    }
  });

  it('of calls of this memory are found by their copies when an event is forgotten', async () => {
    const answer = { hits: [{ text: 'the recipe for plum pudding' }, { text: LONG }] };
    const { storage, store, id } = await filled([
      { type: 'user_message', data: { content: 'the recipe for plum pudding' } },
      {
        type: 'tool_use',
        data: { tool: 'mcp__ptta__search', parameters: { q: 'x' }, result: answer },
      },
    ]);
    const [said] = await all(store.events(id));
    await store.forget({ event: said?.id ?? '' });
    expect(JSON.stringify(await all(store.events(id)))).not.toContain('plum');
    expect((await rowsOf(storage))[1]?.packed).toBeNull();
  });

  it('of an older version are read; it fails where it is open, and leaves no text', async () => {
    const { storage, store, id } = await filled();
    const events = await all(store.events(id));
    const { database } = storage;
    await takeBack(database);
    for (const { sequence, data } of events) {
      const sql = 'UPDATE memory_events SET data = ? WHERE sequence = ?';
      await database.execute(sql, [JSON.stringify(data), sequence]);
    }
    for (const sql of OLDER) await database.execute(sql);
    const newer = await newStore({ storage });
    expect(await all(newer.events(id))).toEqual(events);
    expect(await newer.check()).toMatchObject({ isOk: true, events: 6 });
    await newer.log(id, 'thinking', { content: LONG });
    for (const sql of OLDER) await expect(database.execute(sql)).rejects.toThrow('data');
    expect(await newer.check()).toMatchObject({ isOk: true, events: 7 });
  });

  it('that a forgotten event still has are not read, reported, and gone after vacuum()', async () => {
    const { storage, store, id } = await filled();
    await storage.database.execute(
      `UPDATE memory_events SET type = 'forgotten', data_text = '{}' WHERE sequence < 3`,
    );
    const first = (await all(store.events(id)))[0];
    expect(first).toMatchObject({ type: 'forgotten', data: {} });
    expect(await textOf(store.exportJson())).not.toContain('kumquat');
    const problem = { code: 'data', event: first?.id, field: 'data' };
    expect((await store.check()).problems).toMatchObject([problem, { code: 'data' }]);
    await store.vacuum();
    const rows = await rowsOf(storage);
    expect(rows.map(({ packed }) => packed !== null)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(rows[0]).toMatchObject({ data_text: '{}', data_size: null });
    expect((await store.check()).isOk).toBe(true);
  });

  it.each([
    ['packed', new Uint8Array([7, 7, 7]), 'packed'],
    ['data_size', 3, 'packed'],
    ['data_size', 99_999, 'data_size'],
    ['data_size', 1_500_000_000, 'packed'],
    ['data_size', null, 'data_size'],
  ])('are corrupt with their place where %s is %s', async (column, value, field) => {
    const { storage, store, id } = await filled();
    const sql = `UPDATE memory_events SET ${column} = ? WHERE sequence = 1`;
    await storage.database.execute(sql, [value]);
    await expect(all(store.events(id))).rejects.toMatchObject({
      code: 'corrupt',
      context: { field },
    });
    expect(await store.check()).toMatchObject({ isOk: false, events: 5 });
    expect((await store.stats()).event_bytes).toBeLessThan(1_000_000);
    expect(await store.redact()).toMatchObject({ damaged: 1 });
    const page = await store.events(id).page();
    expect(page.events).toHaveLength(5);
  });
});
