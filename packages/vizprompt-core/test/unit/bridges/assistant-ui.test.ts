import { readFile } from 'node:fs/promises';
import type { UIMessage } from 'ai';
import type { VizPrompt } from '@vizprompt/core';
import { chatStore } from '@vizprompt/core/ai-sdk';
import { threadRoutes } from '@vizprompt/core/assistant-ui';
import {
  type HistoryItem,
  type MessageFormat,
  type Threads,
  vizPromptThreads,
} from '@vizprompt/core/assistant-ui/client';
import { describe, expect, it } from 'vitest';
import { openProject, testProject } from '../../support/open-project.ts';

interface Message {
  readonly id: string;
  readonly role: string;
  readonly content: readonly object[];
  readonly createdAt: Date;
  readonly metadata?: object;
}

const at = new Date('2026-01-02T03:04:05.678Z');
const user = (id: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text: `質問 ${id}` }],
  createdAt: at,
});
const answer = (id: string): Message => ({
  id,
  role: 'assistant',
  createdAt: at,
  content: [
    { type: 'reasoning', text: '考える' },
    {
      type: 'tool-call',
      toolCallId: `c ${id}`,
      toolName: 'weather',
      args: { city: '東京' },
      argsText: '{"city":"東京"}',
      result: { degrees: 20, when: at },
    },
    { type: 'text', text: `answer ${id}` },
    { type: 'source', sourceType: 'url', id: 's', url: 'https://x.test/', title: 't' },
    { type: 'data', name: 'chart', data: { a: [1, null] } },
    { type: 'image', image: 'data:image/png;base64,aGk=' },
  ],
  metadata: { custom: { k: 1 }, steps: [] },
});

/** The page of a person, over the handler, as over a network; without an account where the name is empty. */
function pageOf(vizprompt: VizPrompt, who = 'me'): Threads {
  const routes = threadRoutes(vizprompt, {
    owner: (request) => request.headers.get('who') || undefined,
  });
  return vizPromptThreads({
    api: 'http://x.test/api',
    headers: () => ({ who }),
    fetch: async (url, init) => {
      const request = new Request(url, init);
      return Reflect.get(routes, request.method)(request);
    },
  });
}

const AI: MessageFormat<UIMessage, Omit<UIMessage, 'id'> & Record<string, unknown>> = {
  format: 'ai-sdk/v6',
  getId: ({ id }) => id,
  encode: ({ message: { id: _, ...rest } }) => rest,
  decode: ({ id, parent_id: parentId, content }) => ({ parentId, message: { ...content, id } }),
};

describe('threads of assistant-ui', () => {
  it('come back with all branches, in their order, after a restart', async () => {
    const project = await testProject();
    const { remoteId } = await pageOf(project.vizprompt).initialize('local 1');
    const history = pageOf(project.vizprompt).history<Message>(remoteId);
    const items: HistoryItem<Message>[] = [
      { parentId: null, message: user('u1') },
      { parentId: 'u1', message: answer('a1') },
      { parentId: 'a1', message: user('u2') },
      { parentId: 'u1', message: answer('a2') },
      { parentId: null, message: user('u3') },
      { parentId: 'u3', message: user('u4') },
    ];
    for (const item of items) await history.append(item);
    for (const item of items) await history.append(item);
    const again = await project.reopen();
    const read = await pageOf(again)
      .history<Message>(async () => remoteId)
      .load();
    const order = [0, 1, 2, 3, 4, 5].map((place) => items[place]);
    expect(read).toEqual({ headId: 'u4', messages: order });
    const [hit] = await again.searchNodes({ text: 'answer a2' });
    expect(hit).toBeDefined();
    expect((await again.check()).findings).toEqual([]);
  });

  it('are updated, also where an append failed, and deleted, also twice', async () => {
    const vizprompt = await openProject();
    const { remoteId } = await pageOf(vizprompt).initialize('local');
    const history = pageOf(vizprompt).history<Message>(remoteId);
    await history.update({ parentId: null, message: user('u1') });
    await history.append({ parentId: 'u1', message: answer('a1') });
    await history.append({ parentId: 'a1', message: user('u2') });
    const changed = { ...answer('a1'), content: [{ type: 'text', text: 'changed' }] };
    await history.update({ parentId: 'u1', message: changed });
    expect((await history.load()).messages[1]).toEqual({ parentId: 'u1', message: changed });
    await history.delete([{ parentId: 'u1', message: changed }]);
    await history.delete([{ parentId: 'u1', message: changed }]);
    expect(await history.load()).toEqual({
      headId: 'u2',
      messages: [
        { parentId: null, message: user('u1') },
        { parentId: 'u1', message: user('u2') },
      ],
    });
    await expect(history.append({ parentId: 'nobody', message: user('x') })).rejects.toThrow(/400/);
  });

  it('have an answer that is written while its question is on its way', async () => {
    const vizprompt = await openProject();
    const { remoteId } = await pageOf(vizprompt).initialize('local');
    const history = pageOf(vizprompt).history<Message>(remoteId);
    const refused = history.append({ parentId: 'nobody', message: user('u0') });
    await Promise.all([
      expect(refused).rejects.toThrow(/400/),
      history.append({ parentId: null, message: user('u1') }),
      history.append({ parentId: 'u1', message: answer('a1') }),
      history.delete([{ parentId: null, message: user('u1') }]),
    ]);
    expect(await history.load()).toEqual({
      headId: 'a1',
      messages: [{ parentId: null, message: answer('a1') }],
    });
  });

  it('continue with the newest branch that is left where the last message of one is deleted', async () => {
    const vizprompt = await openProject();
    const { remoteId } = await pageOf(vizprompt).initialize('local');
    const history = pageOf(vizprompt).history<Message>(remoteId);
    const places = [
      ['u1', null],
      ['a1', 'u1'],
      ['u2', 'a1'],
      ['a2', 'u2'],
      ['a3', 'u1'],
      ['u4', null],
    ] as const;
    for (const [id, parentId] of places) await history.append({ parentId, message: user(id) });
    const headAfter = async (...ids: string[]): Promise<unknown> => {
      await history.delete(ids.map((id) => ({ parentId: null, message: user(id) })));
      return (await history.load()).headId;
    };
    expect(await headAfter('u4')).toBe('a3');
    expect(await headAfter('a3')).toBe('a2');
    expect(await headAfter('a1')).toBe('a2');
    expect(await headAfter('a2', 'u2')).toBe('u1');
    expect(await headAfter('u1')).toBeNull();
  });

  it('keep what belongs to an item, and formats apart', async () => {
    const vizprompt = await openProject();
    const { remoteId } = await pageOf(vizprompt).initialize('local');
    const history = pageOf(vizprompt).history<Message>(remoteId);
    const item = { parentId: null, message: user('u1'), runConfig: { custom: { model: 'm' } } };
    await history.append(item);
    const other = { format: 'own/v1', getId: ({ id }: { id: string }) => id };
    const own = history.withFormat<{ id: string; x: number }, Record<string, unknown>>({
      ...other,
      encode: ({ message: { x } }) => ({ x, role: 7 }),
      decode: ({ id, parent_id: parentId, content }) => ({
        parentId,
        message: { id, x: Number(content['x']) },
      }),
    });
    await own.append({ parentId: 'u1', message: { id: 'o1', x: 3 } });
    expect(await history.load()).toEqual({ headId: 'u1', messages: [item] });
    expect(await own.load()).toEqual({
      headId: 'o1',
      messages: [{ parentId: 'u1', message: { id: 'o1', x: 3 } }],
    });
  });

  it('are the chats of the AI SDK in its format', async () => {
    const vizprompt = await openProject();
    const { remoteId } = await pageOf(vizprompt).initialize('local');
    const history = pageOf(vizprompt).history(remoteId).withFormat(AI);
    const messages: UIMessage[] = [
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        id: 'a1',
        role: 'assistant',
        metadata: { tokens: 1 },
        parts: [{ type: 'step-start' }, { type: 'text', text: 'ho', state: 'done' }],
      },
    ];
    const [asked, said] = messages;
    if (asked) await history.append({ parentId: null, message: asked });
    if (said) await history.append({ parentId: 'u1', message: said });
    expect((await history.load()).messages.map(({ message }) => message)).toEqual(messages);
    expect(await chatStore(vizprompt).load(remoteId)).toEqual(messages);
  });

  it('are listed, named, archived and deleted, by their owner alone', async () => {
    const vizprompt = await openProject();
    const ann = pageOf(vizprompt, 'Ann');
    const { remoteId } = await ann.initialize('__LOCALID_1', { custom: { color: 'red' } });
    expect(await ann.initialize('__LOCALID_1')).toEqual({ remoteId });
    expect((await pageOf(vizprompt, 'Bob').initialize('__LOCALID_1')).remoteId).not.toBe(remoteId);
    const [listed] = (await ann.list()).threads;
    expect(listed).toMatchObject({ remoteId, status: 'regular', custom: { color: 'red' } });
    expect(listed).not.toHaveProperty('title');
    expect(listed?.lastMessageAt).toBeInstanceOf(Date);
    await ann.rename(remoteId, '猫');
    await ann.archive(remoteId);
    await ann.updateCustom(remoteId, { color: 'blue' });
    expect(await ann.fetch(remoteId)).toMatchObject({
      title: '猫',
      status: 'archived',
      custom: { color: 'blue' },
    });
    await ann.unarchive(remoteId);
    await ann.updateCustom(remoteId, undefined);
    const after = await ann.fetch(remoteId);
    expect(after).toMatchObject({ title: '猫', status: 'regular' });
    expect(after).not.toHaveProperty('custom');

    const bob = pageOf(vizprompt, 'Bob');
    const forbidden = [
      () => bob.fetch(remoteId),
      () => bob.rename(remoteId, 'mine'),
      () => bob.delete(remoteId),
      () => bob.history<Message>(remoteId).load(),
      () => ann.fetch('猫'),
      () => ann.fetch('flows/00/00.yaml'),
      () => ann.fetch('%'),
    ];
    for (const attempt of forbidden) await expect(attempt()).rejects.toThrow(/404/);
    expect((await bob.list()).threads.map((thread) => thread.remoteId)).not.toContain(remoteId);
    await ann.delete(remoteId);
    expect((await ann.list()).threads).toEqual([]);
  });

  it('are none without an owner, and those that authorize allows', async () => {
    const vizprompt = await openProject();
    const { remoteId } = await pageOf(vizprompt, 'Ann').initialize('x');
    await vizprompt.createFlow({ name: 'of the program' });
    const { id } = await vizprompt.getFlow('of the program');
    const nobody = pageOf(vizprompt, '');
    await expect(nobody.initialize('x')).rejects.toThrow(/404/);
    for (const each of [id, remoteId]) await expect(nobody.fetch(each)).rejects.toThrow(/404/);
    expect((await nobody.list()).threads).toEqual([]);
    const { GET } = threadRoutes(vizprompt, {
      authorize: (request, chat) => chat.id === request.headers.get('chat'),
    });
    const listed = await GET(new Request('http://x.test/threads', { headers: { chat: id } }));
    expect(await listed.json()).toMatchObject({ threads: [{ title: 'of the program' }] });
    const other = await GET(new Request('http://x.test/threads'));
    expect(await other.json()).toEqual({ threads: [] });
  });

  it('are deleted with what was said, but for what another conversation has', async () => {
    const vizprompt = await openProject();
    const page = pageOf(vizprompt);
    const { remoteId } = await page.initialize('x');
    const history = page.history<Message>(remoteId);
    for (const [id, parentId] of [['u1', null] as const, ['a1', 'u1'] as const])
      await history.append({ parentId, message: id === 'u1' ? user(id) : answer(id) });
    await history.append({ parentId: 'u1', message: answer('a2') });
    const [shared, own] = (await vizprompt.getFlow({ id: remoteId })).nodes.map(({ id }) => id);
    await vizprompt.createFlow({ name: 'other', alias: 'other' });
    await vizprompt.addNodeToFlow('other', shared ?? '');
    await page.delete(remoteId);
    expect(await vizprompt.getNode(shared ?? '')).toMatchObject({ id: shared });
    await expect(vizprompt.getNode(own ?? '')).rejects.toThrow(own);
    expect((await vizprompt.check()).findings).toEqual([]);
  });

  it('lose no change where several come at once', async () => {
    const vizprompt = await openProject();
    const page = pageOf(vizprompt);
    const { remoteId } = await page.initialize('x');
    const custom = { color: 'red' };
    await Promise.all([
      page.rename(remoteId, '猫'),
      page.archive(remoteId),
      page.updateCustom(remoteId, custom),
    ]);
    const thread = await page.fetch(remoteId);
    expect(thread).toMatchObject({ title: '猫', status: 'archived', custom });
  });

  it('are listed a page at a time', async () => {
    const vizprompt = await openProject();
    const page = pageOf(vizprompt);
    for (let count = 0; count < 53; count++) await page.initialize(`t${count}`);
    const first = await page.list();
    const second = await page.list({ after: first.nextCursor });
    expect([first.threads.length, second.threads.length]).toEqual([50, 3]);
    expect(second.nextCursor).toBeUndefined();
    expect(new Set([...first.threads, ...second.threads].map((t) => t.remoteId)).size).toBe(53);
    await expect(page.list({ after: 'x' })).rejects.toThrow(/400/);
  });

  it('refuse what is no request of theirs', async () => {
    const vizprompt = await openProject();
    const { GET, PUT, POST } = threadRoutes(vizprompt);
    const { remoteId } = await pageOf(vizprompt).initialize('x');
    const url = `http://x.test/threads/${remoteId}/messages`;
    const put = (body: string): Promise<Response> => PUT(new Request(url, { method: 'PUT', body }));
    expect((await put('{')).status).toBe(400);
    expect((await put('{"id":"a","parent_id":null,"format":"f","content":[]}')).status).toBe(400);
    expect((await GET(new Request('http://x.test/other'))).status).toBe(404);
    expect((await POST(new Request(url, { method: 'POST', body: '{}' }))).status).toBe(405);
    expect((await GET(new Request('http://x.test/threads/%E0%A4%A'))).status).toBe(404);
  });

  it('need nothing of Node in a browser, and no package', async () => {
    const file = new URL('../../../src/assistant-ui/client.ts', import.meta.url);
    expect(await readFile(file, 'utf8')).not.toMatch(
      /^\s*import |import\(|require\(|Buffer|process\./m,
    );
  });
});
