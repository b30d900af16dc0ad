import { createReadStream } from 'node:fs';
import { writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryStore } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { all, newStore, temporaryFolder, textOf } from '../../support/open-store.ts';

async function filled(workspace = '/w'): Promise<{ store: MemoryStore; id: string }> {
  const store = await newStore();
  const { id } = await store.startSession({ workspace, metadata: { tags: ['a'], 日本: '語' } });
  const said = await store.log(id, 'user_message', { content: '改行\nと"引用"と\0' });
  const data = { action: 'edit', file_path: 'a', old_content: 'x', new_content: 'y' } as const;
  const why = { ...data, reason: 'because' };
  const { id: intention } = await store.log(id, 'code_intention', why, { parent: said.id });
  const edit = { ...data, success: true, intention_event_id: intention };
  await store.log(id, 'file_edit', edit, { parent: intention, meta: { speaker: '花子' } });
  await store.log(id, 'thinking', { content: 'ghp_0123456789abcdef0123456789abcdef0123' });
  await store.endSession(id);
  return { store, id };
}

describe('an export', () => {
  it('is one JSON document that brings everything into another memory, once', async () => {
    const { store, id } = await filled();
    const file = join(await temporaryFolder(), 'memory.json');
    await writeFile(file, store.exportJson());
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ format: 'vizprompt-memory', version: 1 });
    const other = await newStore();
    expect(await other.importJson(text)).toEqual({
      sessions: 1,
      events: 4,
      known: 0,
      forgotten: 0,
    });
    expect(await all(other.events(id))).toEqual(await all(store.events(id)));
    const session = await other.getSession(id);
    const { updated_at: _, ...same } = await store.getSession(id);
    expect(session).toMatchObject(same);
    expect(await other.stats()).toMatchObject({ redactions: 1, events: 4 });
    expect(await other.search('because')).toHaveLength(1);
    const again = { sessions: 0, events: 0, known: 4, forgotten: 0 };
    expect(await other.importJson(text)).toEqual(again);
    expect(await other.importJson(JSON.stringify(JSON.parse(text), null, 2))).toEqual(again);
    const pieces = Array.from(text);
    expect(await other.importJson(pieces)).toEqual(again);
    expect((await other.check()).isOk).toBe(true);
  });

  it('is read from a file as it is on the disk, in pieces of any size, with a byte order mark', async () => {
    const { store, id } = await filled();
    const file = join(await temporaryFolder(), 'memory.json');
    await writeFile(file, `\uFEFF${(await textOf(store.exportJson())).replaceAll('\n', '\r\n')}`);
    for (const source of [
      createReadStream(file, { highWaterMark: 7 }),
      await readFile(file),
      await readFile(file, 'utf8'),
    ]) {
      const other = await newStore();
      expect(await other.importJson(source)).toMatchObject({ events: 4 });
      expect(await all(other.events(id))).toEqual(await all(store.events(id)));
    }
    const latin = Buffer.from(await readFile(file)).fill(0xff, 40, 41);
    const { code }: { code?: string } = await store.importJson(latin).catch((error) => error);
    expect(code).toBe('invalid-import');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
    const numbers = store.importJson([1, 2] as never);
    await expect(numbers).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('merges two machines that worked on the same session', async () => {
    const { store: one, id } = await filled();
    const two = await newStore();
    await two.importJson(one.exportJson());
    await one.updateSession(id, { endedAt: null });
    await two.updateSession(id, { endedAt: null, metadata: { two: true } });
    await one.log(id, 'thinking', { content: 'said on one' });
    await two.log(id, 'thinking', { content: 'said on two' });
    const [fromOne, fromTwo] = [await textOf(one.exportJson()), await textOf(two.exportJson())];
    expect(await one.importJson(fromTwo)).toMatchObject({ events: 1, known: 5 - 1 });
    expect(await two.importJson(fromOne)).toMatchObject({ events: 1, known: 5 - 1 });
    const ids = async (store: MemoryStore): Promise<string[]> =>
      (await all(store.events(id))).map((event) => event.id).toSorted();
    expect(await ids(one)).toEqual(await ids(two));
    expect((await one.getSession(id)).metadata).toMatchObject({ two: true, tags: ['a'] });
    for (const store of [one, two]) {
      expect(await store.check()).toMatchObject({ isOk: true, events: 6 });
    }
  });

  it('carries what was forgotten, and does not bring it back', async () => {
    const { store: one, id } = await filled();
    const old = await textOf(one.exportJson());
    const two = await newStore();
    await two.importJson(old);
    const [said] = await all(one.events(id));
    await one.forget({ event: said?.id ?? '' });
    expect(await one.importJson(old)).toMatchObject({ events: 0, known: 4 });
    expect(await one.getEvent(said?.id ?? '')).toMatchObject({ type: 'forgotten' });
    const after = await textOf(one.exportJson());
    expect(await two.importJson(after)).toMatchObject({ events: 0, forgotten: 1 });
    expect(await two.search('引用')).toEqual([]);
    const three = await newStore();
    expect(await three.importJson(after)).toMatchObject({ events: 4 });
    expect(await three.importJson(old)).toMatchObject({ events: 0, known: 4 });
    expect(await three.search('引用')).toEqual([]);
    expect((await three.check()).isOk).toBe(true);
  });

  it('can be of one session, one workspace or one file', async () => {
    const { store, id } = await filled();
    const other = await store.startSession({ workspace: '/other' });
    await store.log(other.id, 'thinking', { content: 'elsewhere' });
    const kinds = async (pieces: AsyncIterable<string>): Promise<string[]> => {
      const { records } = JSON.parse(await textOf(pieces)) as {
        records: { session?: { id: string }; event?: { type: string } }[];
      };
      return records.map(({ session, event }) => session?.id ?? event?.type ?? '');
    };
    expect(await kinds(store.exportJson({ session: other.id }))).toEqual([other.id, 'thinking']);
    expect(await kinds(store.exportJson({ workspace: '/other' }))).toEqual([other.id, 'thinking']);
    const ofFile = [id, 'code_intention', 'file_edit'];
    expect(await kinds(store.exportFile('/w/a'))).toEqual(ofFile);
    expect(await kinds(store.exportFile('a', { workspace: '/w' }))).toEqual(ofFile);
    const stopped = textOf(store.exportJson({ signal: AbortSignal.abort() }));
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it('names the version that it does not read, whatever else is there', async () => {
  const store = await newStore();
  const short = store.importJson('{"format":"vizprompt-memory","version":99}');
  await expect(short).rejects.toThrow('of version 99');
  const none = store.importJson('{"format":"vizprompt-memory","version":1}');
  await expect(none).rejects.toThrow('no list of records');
});

it('refuses what is no export, was cut off or comes from the future', async () => {
  const { store } = await filled();
  const text = await textOf(store.exportJson());
  const other = await newStore();
  const wrong = [
    '',
    'hello',
    '{}',
    '[]',
    '{"format":"vizprompt-memory","version":1,"records":{}}',
    text.replace('"version":1', '"version":2'),
    text.slice(0, -20),
    text.slice(0, text.lastIndexOf('\n]}')),
    `${text}{"more":1}\n`,
    text.replace('{"session":', '{"sessions":'),
    text.replace(/\{"session":.*\n/, ''),
    text.replace('"thinking"', '"dreaming"'),
    text.replace('"content":', '"contents":'),
    text.replace('"success":true', '"success":"yes"'),
    text.replace(/"timestamp":"[^"]*"/, '"timestamp":"yesterday"'),
    text.replace('"日本"', '"\\ud800"'),
    text.replace('"tags":["a"]', '"tags":"a"'),
    text.replace('"workspace_path":"/w"', '"workspace_path":7'),
    text.replace(/"id":"[^"]*"/, '"id":7'),
  ];
  for (const one of wrong) {
    const code: unknown = await other
      .importJson(one)
      .catch((error: { code: string }) => error.code);
    expect([one.slice(0, 80), code]).toEqual([one.slice(0, 80), 'invalid-import']);
  }
  expect(await other.importJson(text)).toMatchObject({ events: 4 });
  expect((await other.check()).isOk).toBe(true);
});
