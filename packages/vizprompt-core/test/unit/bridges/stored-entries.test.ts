import { threadRoutes } from '@vizprompt/core/assistant-ui';
import {
  type ThreadHistory,
  type Threads,
  vizPromptThreads,
} from '@vizprompt/core/assistant-ui/client';
import { describe, expect, it } from 'vitest';
import { openProject } from '../../support/open-project.ts';

type Message = { readonly id: string };

/** A page, and its thread as the store of assistant-ui has it. */
async function openPage(): Promise<{
  readonly threads: Threads;
  readonly history: ThreadHistory<Message>;
  readonly handler: (path: string, init: RequestInit) => Promise<Response>;
}> {
  const { GET: handler } = threadRoutes(await openProject());
  const threads = vizPromptThreads({
    api: 'http://x.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  });
  const state: { remoteId?: string } = {};
  const threadListItem = {
    getState: () => state,
    async initialize() {
      state.remoteId ??= (await threads.initialize('local')).remoteId;
      return { remoteId: state.remoteId };
    },
  };
  return {
    threads,
    history: threads.history<Message>({ threadListItem }),
    handler: (path, init) => handler(new Request(`http://x.test/threads${path}`, init)),
  };
}

describe('a thread that nothing was said in', () => {
  it('is not created by reading it, but by its first message', async () => {
    const { threads, history } = await openPage();
    expect(await history.load()).toEqual({ headId: null, messages: [] });
    await history.delete([{ parentId: null, message: { id: 'x' } }]);
    expect((await threads.list()).threads).toEqual([]);
    const item = { parentId: null, message: { id: 'u', role: 'user', content: [] } };
    await history.append(item);
    expect(await history.load()).toEqual({ headId: 'u', messages: [item] });
    expect((await threads.list()).threads).toHaveLength(1);
  });
});

describe('a message of assistant-ui', () => {
  it.each([
    { $date: '2026-01-02T03:04:05Z' },
    { $date: 'no time' },
    { $date: 5 },
    { $date: { $date: { $date: 'x' } } },
    { $date: new Date(5), more: [new Date(6), [{ $date: null }]] },
  ])('has the dates that it had, and no others: %j', async (data) => {
    const { history } = await openPage();
    const message = { id: 'u', role: 'user', content: [{ type: 'data', name: 'x', data }] };
    await history.append({ parentId: null, message });
    expect((await history.load()).messages).toEqual([{ parentId: null, message }]);
  });

  const call = { toolCallId: 't', toolName: 'n' };
  it.each([
    {},
    { id: 'own', role: 'user', content: [] },
    { role: 'user', content: [{ type: 'text', text: 'x' }], parts: [1] },
    { role: 'tool', content: 'text' },
    { role: 'assistant', content: [{ ...call, type: 'dynamic-tool', input: 1, output: 2 }] },
    { role: 'assistant', content: [{ ...call, type: 'tool-call', args: 1, result: null }] },
    { role: 'assistant', content: [{ type: 'dynamic-tool' }] },
    { role: 'assistant', content: [{ type: 'aui-content', content: { a: 1 } }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 5, args: {} }] },
  ])('comes back whole in any format: %j', async (content) => {
    const { history, threads, handler } = await openPage();
    await history.append({ parentId: null, message: { id: 'first' } });
    const [thread] = (await threads.list()).threads;
    const path = `/${thread?.remoteId}/messages`;
    const formats = ['aui/v0', 'ai-sdk/v6', 'other'];
    const stored = formats.map((format) => {
      const { content: parts, ...rest } = { content: undefined, ...content };
      const isAi = format.startsWith('ai-sdk') && parts !== undefined && !('parts' in rest);
      return { id: format, parent_id: null, format, content: isAi ? { ...rest, parts } : content };
    });
    for (const entry of stored) await handler(path, { method: 'PUT', body: JSON.stringify(entry) });
    const { messages } = Object(await (await handler(path, {})).json());
    expect(messages.slice(1)).toEqual(stored);
  });

  it('is not reached by a method that is not there, and the answer says which are', async () => {
    const { handler } = await openPage();
    const { status, headers } = await handler('', { method: 'DELETE' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});
