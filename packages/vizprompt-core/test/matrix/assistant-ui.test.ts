// The runtime of assistant-ui itself, and its tree of messages: what it has is what a page has after a reload.
import fc from 'fast-check';
import { VizPrompt } from '@vizprompt/core';
import type { HistoryItem, ThreadHistory, Threads } from '@vizprompt/core/assistant-ui/client';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { describe, expect, it } from 'vitest';
import {
  aiSDKV6FormatAdapter,
  LocalRuntimeCore,
  type LocalThreadRuntimeCore,
  MessageRepository,
  type RemoteThreadListAdapter,
  ROUTES,
  type ThreadHistoryAdapter,
  type ThreadMessage,
  threadsOf,
} from '../support/assistant-ui.ts';
import { testProject } from '../support/open-project.ts';

const createdAt = new Date('2026-01-02T03:04:05.678Z');

function messageOf(id: string, role: ThreadMessage['role'], text: string): ThreadMessage {
  const content = [{ type: 'text', text }] as const;
  const metadata = { custom: { note: text } };
  switch (role) {
    case 'user':
      return { id, role, createdAt, content, attachments: [], metadata };
    case 'system':
      return { id, role, createdAt, content: [content[0]], metadata };
    default:
      return {
        id,
        role,
        createdAt,
        content,
        status: { type: 'complete', reason: 'stop' },
        metadata: {
          ...metadata,
          unstable_state: null,
          unstable_annotations: [],
          unstable_data: [],
          steps: [],
        },
      };
  }
}

/** As a page has it after a reload: without keys that are `undefined`, and with dates as text. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const picks = fc.nat(999);
const operations = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('append' as const),
        role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
        isRoot: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
        pick: picks,
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), pick: picks }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('update' as const), pick: picks }) },
  ),
  { minLength: 25, maxLength: 25 },
);
type Operation = typeof operations extends fc.Arbitrary<readonly (infer Each)[]> ? Each : never;

/** Makes the same change in the tree of assistant-ui and in the history. */
async function operate(
  tree: MessageRepository,
  history: ThreadHistory<ThreadMessage>,
  at: number,
  operation: Operation,
): Promise<void> {
  const { messages } = tree.export();
  const picked = messages[operation.pick % Math.max(1, messages.length)];
  if (operation.type === 'append') {
    const parentId = operation.isRoot ? null : (picked?.message.id ?? null);
    const message = messageOf(`m${at}`, operation.role, `言葉 ${at}`);
    tree.addOrUpdateMessage(parentId, message);
    // As its runtimes do.
    tree.switchToBranch(message.id);
    await history.append({ parentId, message });
  } else if (picked && operation.type === 'update') {
    const { role, id } = picked.message;
    const message = messageOf(id, role, `changed ${at}`);
    tree.addOrUpdateMessage(picked.parentId, message);
    await history.update({ parentId: picked.parentId, message });
  } else if (picked) {
    tree.deleteMessage(picked.message.id);
    await history.delete([picked]);
  }
}

describe.each(ROUTES)('the tree of messages of assistant-ui, %s', (route) => {
  it('is the same after each of a thousand changes, in its order', async () => {
    let count = 0;
    const property = fc.asyncProperty(operations, async (all) => {
      await using storage = await inMemoryStorage();
      await using vizprompt = await VizPrompt.open({ storage });
      const threads = await threadsOf(vizprompt, route);
      const { remoteId } = await threads.initialize('local');
      const history = threads.history<ThreadMessage>(remoteId);
      const tree = new MessageRepository();
      for (const [at, operation] of all.entries()) {
        await operate(tree, history, at, operation);
        const wanted = tree.export();
        const read = await history.load();
        expect(read.messages).toEqual(wanted.messages);
        // Which of several branches is on the screen after a deletion is for the tree to say.
        const { headId } = operation.type === 'append' ? wanted : read;
        expect(read.headId).toBe(headId);
        const again = new MessageRepository();
        again.import(read);
        for (const { message } of wanted.messages)
          expect(again.getBranches(message.id)).toEqual(tree.getBranches(message.id));
        count += 1;
      }
      expect((await vizprompt.check()).findings).toEqual([]);
    });
    await fc.assert(property, { numRuns: 40 });
    expect(count).toBeGreaterThanOrEqual(1000);
  });
});

/** A page: the runtime of assistant-ui with a model that says something else each time. */
class Page {
  readonly thread: LocalThreadRuntimeCore;
  #answers = 0;

  constructor(history: ThreadHistoryAdapter, name: string) {
    const answer = (): string => `${name} ${++this.#answers}`;
    const chatModel = {
      async *run({ messages }: { readonly messages: readonly ThreadMessage[] }) {
        const id = answer();
        yield { content: [{ type: 'text' as const, text: 'partial' }] };
        yield {
          content: [
            { type: 'reasoning' as const, text: '考える' },
            {
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: 'weather',
              args: { city: '東京' },
              argsText: '{"city":"東京"}',
              result: { degrees: 20 },
            },
            { type: 'text' as const, text: `${id}, to ${messages.length}` },
          ],
          metadata: { custom: { id } },
        };
      },
    };
    const core = new LocalRuntimeCore({ adapters: { chatModel, history } }, undefined);
    this.thread = core.threads.getMainThreadRuntimeCore();
  }

  async say(
    text: string,
    parentId: string | null,
    { sourceId = null, startRun = true }: { sourceId?: string | null; startRun?: boolean } = {},
  ): Promise<void> {
    await this.thread.append({
      parentId,
      sourceId,
      startRun,
      role: 'user',
      content: [{ type: 'text', text }],
      attachments: [],
      metadata: { custom: {} },
      createdAt,
      runConfig: {},
    });
  }

  /** Everything that the runtime has: all branches in their order, and where the conversation continues. */
  get tree(): unknown {
    return plain(this.thread.export());
  }

  get last(): string | null {
    return this.thread.messages.at(-1)?.id ?? null;
  }
}

/** Opens a thread as a page does after a reload. */
async function openPage(threads: Threads, remoteId: string, name: string): Promise<Page> {
  const page = new Page(threads.history<ThreadMessage>(remoteId), name);
  // oxlint-disable-next-line eslint/no-underscore-dangle -- its hooks call the same
  await page.thread.__internal_load();
  return page;
}

const steps = fc.array(
  fc.record({
    type: fc.constantFrom(
      'say',
      'say',
      'two in a row',
      'edit',
      'regenerate',
      'switch',
      'delete',
      'reload',
    ),
    pick: picks,
  }),
  { minLength: 9, maxLength: 9 },
);

/** Does what a person does on a page. */
async function act(page: Page, { type, pick }: { type: string; pick: number }): Promise<void> {
  const { thread } = page;
  const at = pick % Math.max(1, thread.messages.length);
  const [before, picked] = [thread.messages[at - 1], thread.messages[at]];
  if (!picked || type === 'say') return page.say(`質問 ${pick}`, page.last);
  switch (type) {
    case 'two in a row':
      await page.say('one', page.last, { startRun: false });
      return page.say('two', page.last);
    case 'edit':
      return page.say(`edited ${pick}`, before?.id ?? null, { sourceId: picked.id });
    case 'regenerate': {
      const parentId = picked.role === 'user' ? picked.id : (before?.id ?? null);
      return thread.startRun({ parentId, sourceId: null, runConfig: {} });
    }
    case 'switch': {
      const branches = thread.getBranches(picked.id);
      thread.switchToBranch(branches[pick % branches.length] ?? picked.id);
      return undefined;
    }
    default:
      return thread.deleteMessage(picked.id);
  }
}

describe.each(ROUTES)('the local runtime of assistant-ui, %s', (route) => {
  it('has all branches in their order after any session, and after a restart', async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      await using storage = await inMemoryStorage();
      let vizprompt = await VizPrompt.open({ storage });
      const { remoteId } = await (await threadsOf(vizprompt, route)).initialize('local');
      let page = await openPage(await threadsOf(vizprompt, route), remoteId, 'first');
      for (const [at, step] of all.entries()) {
        if (step.type !== 'reload') await act(page, step);
        else page = await openPage(await threadsOf(vizprompt, route), remoteId, `page ${at}`);
      }
      // Which branch is on the screen is stored with the next message.
      await page.say('the last', page.last);
      await vizprompt.close();
      vizprompt = await VizPrompt.open({ storage });
      const again = await openPage(await threadsOf(vizprompt, route), remoteId, 'again');
      expect(again.tree).toEqual(page.tree);
      expect(plain(again.thread.messages)).toEqual(plain(page.thread.messages));
      expect((await vizprompt.check()).findings).toEqual([]);
      await vizprompt.close();
    });
    await expect(fc.assert(property, { numRuns: 40 })).resolves.toBeUndefined();
  });

  it('shows another branch after the last message of one was deleted', async () => {
    const { vizprompt } = await testProject();
    const threads = await threadsOf(vizprompt, route);
    const { remoteId } = await threads.initialize('local');
    const page = await openPage(threads, remoteId, 'a');
    await page.say('question', null);
    const [asked] = page.thread.messages;
    await page.thread.startRun({ parentId: asked?.id ?? null, sourceId: null, runConfig: {} });
    await page.thread.deleteMessage(page.last ?? '');
    const again = await openPage(threads, remoteId, 'b');
    expect(again.tree).toEqual(page.tree);
    expect(plain(again.thread.messages)).toEqual(plain(page.thread.messages));
    await page.thread.deleteMessage(page.last ?? '');
    await page.thread.deleteMessage(page.last ?? '');
    expect((await openPage(threads, remoteId, 'c')).tree).toEqual(page.tree);
  });

  it('stores its first message once the thread has an id', async () => {
    const { vizprompt } = await testProject();
    const threads = await threadsOf(vizprompt, route);
    let created: Promise<string> | undefined;
    const initialize = (): Promise<string> =>
      (created ??= threads.initialize('local').then(({ remoteId }) => remoteId));
    const page = new Page(threads.history<ThreadMessage>(initialize), 'a');
    await page.say('first', null);
    expect((await openPage(threads, await initialize(), 'b')).tree).toEqual(page.tree);
  });
});

describe.each(ROUTES)('threads of assistant-ui, %s', (route) => {
  it('are what its list of threads wants', async () => {
    const { vizprompt } = await testProject();
    const threads = await threadsOf(vizprompt, route);
    const adapter: RemoteThreadListAdapter = {
      ...threads,
      generateTitle: () => Promise.reject(new Error('none')),
    };
    const { remoteId } = await adapter.initialize('local', { custom: { color: 'red' } });
    await adapter.rename(remoteId, '猫');
    await adapter.archive(remoteId);
    expect(await adapter.fetch(remoteId)).toMatchObject({ title: '猫', status: 'archived' });
    expect((await adapter.list()).threads).toMatchObject([{ remoteId, custom: { color: 'red' } }]);
  });

  it('have messages in the format of the AI SDK, by its own adapter', async () => {
    const { vizprompt } = await testProject();
    const threads = await threadsOf(vizprompt, route);
    const { remoteId } = await threads.initialize('local');
    const history = threads.history<ThreadMessage>(remoteId).withFormat(aiSDKV6FormatAdapter);
    type Item = HistoryItem<Parameters<typeof history.append>[0]['message']>;
    const said = (id: string, role: 'user' | 'assistant', parentId: string | null): Item => ({
      parentId,
      message: {
        id,
        role,
        metadata: { tokens: 1 },
        parts: [{ type: 'step-start' }, { type: 'text', text: id, state: 'done' }],
      },
    });
    const items = [
      said('u1', 'user', null),
      said('a1', 'assistant', 'u1'),
      said('u2', 'user', 'a1'),
      said('a2', 'assistant', 'u1'),
    ];
    for (const item of items) await history.append(item);
    expect(await history.load()).toEqual({ headId: 'a2', messages: items });
  });
});
