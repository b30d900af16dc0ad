import { createTokenEstimator } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import type { MemoryStore } from '@vizprompt/memory';
import { newStore } from '../support/open-store.ts';

const workspace = '/home/ann/app';

async function filled(): Promise<MemoryStore> {
  const store = await newStore();
  const first = await store.startSession({ workspace, startedAt: '2026-01-01T00:00:00Z' });
  await store.log(first.id, 'user_message', { content: '認証機能を追加してください' });
  await store.log(first.id, 'assistant_message', { content: 'JWTの検証をmiddlewareに置きます' });
  await store.log(first.id, 'file_edit', {
    action: 'create',
    file_path: 'src/auth.ts',
    new_content: 'export const verify = 1;\n',
    success: true,
  });
  for (let n = 0; n < 50; n++) {
    await store.log(first.id, 'thinking', { content: `unrelated thought number ${n}` });
  }
  const second = await store.startSession({ workspace, startedAt: '2026-02-01T00:00:00Z' });
  await store.log(second.id, 'user_message', { content: 'the newest message' });
  const other = await store.startSession({ workspace: '/home/ann/other' });
  await store.log(other.id, 'user_message', { content: '認証 of another workspace' });
  return store;
}

describe('recall', () => {
  it('gives what fits the query first, cited by id, and nothing of other workspaces', async () => {
    const store = await filled();
    const recalled = await store.recall({ query: '認証 JWT', workspace, budgetTokens: 500 });
    const [first] = recalled.events;
    expect(first?.reasons).toContain('text');
    expect(recalled.text).toContain(`[${first?.event.id}]`);
    expect(recalled.text).toContain('認証機能を追加してください');
    expect(recalled.text).toContain('the newest message');
    expect(recalled.text).not.toContain('another workspace');
    for (const { event, text } of recalled.events) {
      expect(text.startsWith(`[${event.id}] ${event.timestamp} ${event.type}\n`)).toBe(true);
      expect(await store.getEvent(event.id)).toMatchObject({ id: event.id });
    }
  });

  it('stays within the budget and reports what it left out', async () => {
    const store = await filled();
    const count = (text: string): number => createTokenEstimator().count(text).tokens;
    for (const budgetTokens of [1, 30, 100, 400, 2000]) {
      const recalled = await store.recall({ query: 'thought', workspace, budgetTokens });
      expect(count(recalled.text)).toBeLessThanOrEqual(budgetTokens);
      expect(recalled.tokens).toBeLessThanOrEqual(budgetTokens);
      const ids = [
        ...recalled.events.map(({ event }) => event.id),
        ...recalled.omitted.map(({ id }) => id),
      ];
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThanOrEqual(50);
    }
  });

  it('knows what was done to the file that is worked on', async () => {
    const store = await filled();
    const recalled = await store.recall({ workspace, path: 'src/auth.ts', budgetTokens: 200 });
    expect(recalled.events[0]?.event).toMatchObject({ type: 'file_edit' });
    expect(recalled.events[0]?.reasons).toContain('file');
  });

  it('says the same thing once, and only a piece of what is long', async () => {
    const store = await newStore();
    const { id } = await store.startSession({ workspace });
    await store.log(id, 'user_message', { content: 'again and again' });
    await store.log(id, 'user_message', { content: 'again and again' });
    const long = `${'x '.repeat(3000)}needle${' y'.repeat(3000)}`;
    await store.log(id, 'tool_use', { tool: 'Bash', parameters: {}, result: long });
    const recalled = await store.recall({ query: 'needle', workspace, budgetTokens: 2000 });
    expect(recalled.omitted.map(({ reason }) => reason)).toEqual(['duplicate']);
    const [first] = recalled.events;
    expect(first?.isCut).toBe(true);
    expect(first?.text).toContain('needle');
    expect(recalled.events).toHaveLength(2);
  });

  it('gives nothing of an empty memory, refuses an invalid budget, and stops on abort', async () => {
    const store = await newStore();
    expect(await store.recall({ query: 'x', workspace, budgetTokens: 10 })).toEqual({
      text: '',
      tokens: 0,
      events: [],
      omitted: [],
    });
    for (const budgetTokens of [0, -1, 1.5, Number.NaN]) {
      await expect(store.recall({ workspace, budgetTokens })).rejects.toMatchObject({
        code: 'invalid-input',
      });
    }
    const full = await filled();
    const signal = AbortSignal.abort(new Error('enough'));
    const request = { query: '認証', workspace, budgetTokens: 100, signal };
    await expect(full.recall(request)).rejects.toThrow('enough');
  });
});

describe('the retriever', () => {
  it('gives events as passages, within its workspace unless a filter names another', async () => {
    const store = await filled();
    const retriever = store.retriever({ workspace });
    const [passage, ...rest] = await retriever.retrieve('認証');
    expect(rest).toEqual([]);
    expect(passage).toMatchObject({
      text: '認証機能を追加してください',
      source: { kind: 'event', uri: passage?.id },
      title: 'user_message',
      meta: { type: 'user_message', sequence: 1 },
    });
    const [other] = await retriever.retrieve('認証', { filter: { workspace: '/home/ann/other' } });
    expect(other?.text).toBe('認証 of another workspace');
    expect(await retriever.retrieve('thought', { k: 3 })).toHaveLength(3);
    const edits = await retriever.retrieve('verify', { filter: { type: ['file_edit'] } });
    expect(edits.map(({ title }) => title)).toEqual(['file_edit /home/ann/app/src/auth.ts']);
  });

  it('refuses filters that it does not know', async () => {
    const store = await filled();
    for (const filter of [{ colour: 'red' }, { workspace: 1 }, { type: ['none'] }]) {
      await expect(store.retriever().retrieve('x', { filter })).rejects.toMatchObject({
        code: 'invalid-input',
      });
    }
  });

  it('takes the newest sessions that say something: not empty ones, not the running one, subagents with theirs', async () => {
    const store = await newStore();
    const place = { workspace: '/w/recent' };
    const say = async (content: string, parent?: string): Promise<string> => {
      const metadata = parent === undefined ? {} : { parent_session: parent };
      const { id } = await store.startSession({ ...place, metadata });
      await store.log(id, 'user_message', { content });
      return id;
    };
    await say('too old');
    const main = await say('the main one');
    for (const name of ['a', 'b', 'c', 'd']) await say(`subagent ${name}`, main);
    await say('the second');
    await say('the third');
    const running = await say('running');
    for (let count = 0; count < 4; count++) await store.startSession(place);
    const gone = await say('forgotten');
    await store.forget({ session: gone });
    const request = { ...place, budgetTokens: 2000, exceptSession: running };
    const { events } = await store.recall(request);
    const said = events.map(({ event }) => ('content' in event.data ? event.data.content : ''));
    expect(said.toSorted()).toEqual(
      ['a', 'b', 'c', 'd']
        .map((name) => `subagent ${name}`)
        .concat('the main one', 'the second', 'the third')
        .toSorted(),
    );
  });
});
