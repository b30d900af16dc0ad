import type { EventType, NewEvent } from '@vizprompt/memory';
import { newEventSchema } from '@vizprompt/memory/schemas';
import { describe, expect, it } from 'vitest';
import { all, newStore } from '../support/open-store.ts';

/** An event of each type, each field with a word of its own. */
const FULL: readonly NewEvent[] = [
  { type: 'user_message', data: { content: 'usercontent 認証機能を追加' } },
  {
    type: 'assistant_message',
    data: {
      content: 'answercontent',
      tool_calls: [{ tool: 'calltool', args: { calledargs: 'argvalue', n: 4711 } }],
    },
  },
  { type: 'thinking', data: { content: 'thoughtcontent JWTを使用し', context: 'thoughtcontext' } },
  {
    type: 'code_intention',
    data: {
      action: 'edit',
      file_path: 'src/intendedpath/authMiddleware.ts',
      reason: 'intendedreason',
      old_content: 'intendedold\nshared\n',
      new_content: 'intendednew\nshared\n',
      diff: '@@ -1 +1 @@\n-intendeddiff\n+x\n',
    },
  },
  {
    type: 'file_edit',
    data: {
      action: 'edit',
      file_path: 'src/editedpath.ts',
      old_content: 'editedold\nshared\n',
      new_content: 'editednew\nshared\n',
      diff: '@@ -1 +1 @@\n-editeddiff\n+x\n',
      success: false,
      error_message: 'editederror',
    },
  },
  {
    type: 'tool_use',
    data: {
      tool: 'toolname',
      parameters: { command: 'toolparameter', list: ['toolitem'] },
      result: { stdout: 'toolresult 設定を変更' },
      duration_ms: 12.5,
      success: true,
    },
  },
];

const WORDS: Readonly<Record<EventType, readonly string[]>> = {
  user_message: ['usercontent', '認証', '機能', '追加'],
  assistant_message: ['answercontent', 'calltool', 'calledargs', 'argvalue', '4711'],
  thinking: ['thoughtcontent', 'thoughtcontext', 'JWT', '使用'],
  code_intention: [
    'intendedpath',
    'middleware',
    'intendedreason',
    'intendedold',
    'intendednew',
    'intendeddiff',
  ],
  file_edit: ['editedpath', 'editedold', 'editednew', 'editeddiff', 'editederror'],
  tool_use: ['toolname', 'command', 'toolparameter', 'toolitem', 'stdout', 'toolresult', '設定'],
};

describe('events', () => {
  it('come back as they were logged, in order, on pages and one by one', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/home/ann/app' });
    const logged = await store.logMany(id, FULL);
    expect(logged.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await all(store.events(id))).toEqual(logged);
    expect(await all(store.events(id, { limit: 2 }))).toEqual(logged);
    for (const event of logged) expect(await store.getEvent(event.id)).toEqual(event);
    expect(logged[5]?.data).toEqual(FULL[5]?.data);
    expect(logged[3]?.data).toMatchObject({
      ...FULL[3]?.data,
      file_path: '/home/ann/app/src/intendedpath/authMiddleware.ts',
    });
    const page = await store.events(id, { limit: 4, after: 1 }).page();
    expect(page).toEqual({ events: logged.slice(1, 5), next: 5 });
    expect(await store.events(id, { after: 4 }).page()).toEqual({ events: logged.slice(4) });
    const types = await all(store.events(id, { type: ['thinking', 'tool_use'], limit: 1 }));
    expect(types).toEqual([logged[2], logged[5]]);
    expect(await all(store.events(id, { path: 'src/editedpath.ts' }))).toEqual([logged[4]]);
    const bare = await store.events(id, { type: 'file_edit', contents: 'omit' }).page();
    expect(bare.events[0]?.data).not.toHaveProperty('old_content');
    for (const event of FULL) expect(newEventSchema.parse(event)).toEqual(event);
  });

  it('are found by each of their fields', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/home/ann/app' });
    await store.logMany(id, FULL);
    for (const [type, words] of Object.entries(WORDS)) {
      for (const word of words) {
        const hits = await store.search(word);
        expect([word, hits.map(({ event }) => event.type)]).toEqual([word, [type]]);
      }
    }
  });

  it('of a file are found by its text once, and then by what they change', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/home/ann/app' });
    const body = Array.from({ length: 40 }, (_, line) => `line${line}\n`).join('');
    let text = body;
    for (let round = 0; round < 5; round++) {
      const next = text.replace(/line30.*\n/, `line30 change${round}\n`);
      await store.log(id, 'file_edit', {
        action: 'edit',
        file_path: 'a.ts',
        old_content: text,
        new_content: next,
        success: true,
      });
      text = next;
    }
    const sequences = async (query: string): Promise<number[]> =>
      (await store.search(query)).map(({ event }) => event.sequence).toSorted((a, b) => a - b);
    expect(await sequences('line1')).toEqual([1]);
    expect(await sequences('change2')).toEqual([3, 4]);
  });

  it('of a file are found by its text once in each session, by type and path', async () => {
    const store = await newStore();
    const diff = '@@ -1 +1 @@\n-x\n+y\n';
    const text = '同じ identical';
    for (const path of ['a.ts', 'b.ts']) {
      const { id } = await store.startSession({ workspace: '/home/ann/app' });
      const made = { action: 'create', file_path: path, new_content: text, diff } as const;
      const both: NewEvent[] = [
        { type: 'code_intention', data: { ...made, reason: 'why' } },
        { type: 'file_edit', data: { ...made, success: true } },
      ];
      const changed = { action: 'edit', file_path: path, old_content: text, diff } as const;
      await store.logMany(id, [
        ...both,
        ...both,
        { type: 'file_edit', data: { ...made, file_path: `other/${path}`, success: true } },
      ]);
      await store.logMany(id, [
        ...both,
        { type: 'file_edit', data: { ...changed, new_content: 'else', success: true } },
      ]);
      const hits = await store.search('"同じ identical"', { session: id, k: 50 });
      expect(hits.map(({ event }) => event.sequence).toSorted((a, b) => a - b)).toEqual([1, 2, 5]);
    }
  });

  it('keep texts of every size', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    const sizes = [9, 12, 13, 15, 16, 17]
      .map((bits) => 2 ** bits)
      .flatMap((size) => [size - 263, size - 262, size - 261, size - 1, size, size + 1]);
    const words = Array.from({ length: 40_000 }, (_, place) => `${(place * place) % 9973} `).join(
      '',
    );
    const texts = [0, 1, 127, 128, 129, ...sizes].map((size) => words.slice(0, size));
    await store.logMany(
      id,
      texts.map((text) => ({
        type: 'file_edit',
        data: { action: 'create', file_path: 'a.txt', new_content: text, success: true },
      })),
    );
    const stored = await all(store.events(id, { type: 'file_edit' }));
    expect(stored.map(({ data }) => data)).toMatchObject(
      texts.map((text) => ({ new_content: text })),
    );
  });

  it('have one number each however many write', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    await Promise.all(
      Array.from({ length: 40 }, async (_, writer) =>
        writer % 4 === 0
          ? store.logMany(id, [
              { type: 'thinking', data: { content: `a${writer}` } },
              { type: 'thinking', data: { content: `b${writer}` } },
            ])
          : store.log(id, 'thinking', { content: `c${writer}` }),
      ),
    );
    const sequences = (await all(store.events(id))).map(({ sequence }) => sequence);
    expect(sequences).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(await store.check()).toMatchObject({ isOk: true, events: 50 });
  });

  it('with ids that are stored are refused, or left out on request', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    const event = (name: string): NewEvent => ({
      id: name,
      type: 'thinking',
      data: { content: name },
      timestamp: '2026-01-31T12:00:00+09:00',
      parent: 'a',
      meta: { speaker: '花子' },
    });
    await store.logMany(id, [event('a'), event('b')]);
    const again = store.logMany(id, [event('c'), event('b')]);
    await expect(again).rejects.toMatchObject({ code: 'exists' });
    const twice = store.logMany(id, [event('c'), event('c')]);
    await expect(twice).rejects.toMatchObject({ code: 'exists' });
    const added = await store.logMany(id, [event('b'), event('c'), event('c'), event('a')], {
      duplicates: 'skip',
    });
    expect(added).toMatchObject([
      {
        id: 'c',
        sequence: 3,
        timestamp: '2026-01-31T03:00:00.000Z',
        parent_event_id: 'a',
        meta: { speaker: '花子' },
      },
    ]);
    expect((await all(store.events(id))).map((one) => one.id)).toEqual(['a', 'b', 'c']);
    await store.endSession(id);
    const late = await store.logMany(id, [event('d')], { intoEnded: true });
    expect(late[0]?.sequence).toBe(4);
    expect(await store.search('花子')).toHaveLength(4);
  });

  it('hold any Unicode, NUL included', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    const content = '日本語 🐈‍⬛ שלום مرحبا \0 \u2028 \u{10ffff} e\u0301 \r\n\t';
    const said = await store.log(id, 'user_message', { content });
    const edit = await store.log(id, 'file_edit', {
      action: 'create',
      file_path: '/w/設定 🐈.txt',
      new_content: content,
      success: true,
    });
    const tool = await store.log(id, 'tool_use', {
      tool: 'Bash',
      parameters: JSON.parse('{"__proto__": {"a\\u0000": [null, 1e21, -0.5, true]}}') as never,
    });
    expect(await all(store.events(id))).toEqual([said, edit, tool]);
    expect(said.data.content).toBe(content);
    expect(edit.data.new_content).toBe(content);
    expect(Object.keys(tool.data.parameters ?? {})).toEqual(['__proto__']);
  });

  it('are stopped by a signal between their parts', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace: '/w' });
    const controller = new AbortController();
    function* many(): Generator<NewEvent> {
      for (let at = 0; at < 5000; at++) {
        if (at === 1500) controller.abort();
        yield { type: 'thinking', data: { content: `${at}` } };
      }
    }
    const stopped = store.logMany(id, many(), { signal: controller.signal });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(await store.getSession(id)).toMatchObject({ event_count: 1000 });
    expect((await store.check()).isOk).toBe(true);
  });
});
