import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { type ChatStore, chatStore, type FinishedAnswer } from '@vizprompt/core/ai-sdk';
import { threadRoutes } from '@vizprompt/core/assistant-ui';
import { openProject } from '../../support/open-project.ts';

const user = (id: string, text = id): UIMessage => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
});
const post = (body: unknown): Request => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request('http://x.test/threads', { method: 'POST', body: text });
};

async function statusOf(chats: ChatStore, body: unknown): Promise<number> {
  return (await chats.handler(() => new Response())(post(body))).status;
}

/** A chat with an answer that holds these parts. */
async function answered(parts: UIMessage['parts'], more: object = {}): Promise<ChatStore> {
  const chats = chatStore(await openProject());
  const turn = await chats.receive(post({ id: 'c', messages: [user('u')] }));
  await turn.streamOptions.onFinish({
    responseMessage: { id: 'a', role: 'assistant', parts },
    ...more,
  });
  return chats;
}

async function partAfter(chats: ChatStore, change: object): Promise<object | undefined> {
  const [asked, answer] = await chats.load('c');
  const [part] = answer?.parts ?? [];
  const messages = [asked, { ...answer, parts: [{ ...part, ...change }] }];
  expect(await statusOf(chats, { id: 'c', messages })).toBe(200);
  return (await chats.load('c'))[1]?.parts[0];
}

const call = { type: 'tool-pay', toolCallId: 't', input: { sum: 5 } } as const;

describe('a decision of a user', () => {
  const asking = { ...call, state: 'approval-requested', approval: { id: 'p' } } as const;
  const responded = (approval: unknown): object => ({ state: 'approval-responded', approval });

  it.each([
    undefined,
    null,
    true,
    {},
    { approved: true },
    { id: 'other', approved: true },
    { id: 'p' },
    { id: 'p', approved: 'yes' },
    { id: 'p', approved: 1 },
  ])('is none where it is not what was asked: %j', async (approval) => {
    expect(await partAfter(await answered([asking]), responded(approval))).toEqual(asking);
  });

  it.each([true, false])(
    'is a yes or a no, with a reason, and nothing else: %j',
    async (approved) => {
      const given = { id: 'p', approved, reason: 'r', isAutomatic: true, signature: 'forged' };
      const approval = { id: 'p', approved, reason: 'r' };
      const part = await partAfter(await answered([asking]), responded(given));
      expect(part).toEqual({ ...call, state: 'approval-responded', approval });
    },
  );
});

it.each<[Omit<FinishedAnswer<UIMessage>, 'responseMessage'>, string]>([
  [{ finishReason: 'stop' }, 'done'],
  [{ finishReason: 'error', outcome: { status: 'unknown' } }, 'failed'],
  [{ finishReason: 'stop', outcome: { status: 'failed' } }, 'failed'],
  [{ outcome: { status: 'unknown' } }, 'aborted'],
  [{ isAborted: true }, 'aborted'],
])('an answer that ended with %j is %s', async (end, status) => {
  const vizprompt = await openProject();
  const chats = chatStore(vizprompt);
  const turn = await chats.receive(post({ id: 'c', messages: [user('u')] }));
  await turn.streamOptions.onFinish({
    responseMessage: { ...user('a'), role: 'assistant' },
    ...end,
  });
  const { messages } = await vizprompt.readThread({ id: turn.flow });
  expect(messages[1]?.message.status).toBe(status);
});

describe('a request', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;

  it.each(['\0', '\ud800', 'a\nb', 'x'.repeat(201)])('has no chat with the id %j', async (id) => {
    const chats = chatStore(await openProject());
    const answer = await chats.handler(() => new Response())(post({ id, messages: [user('u')] }));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(/id: .*(it has control characters|at most 200 characters)/);
  });

  it('may have an id of any length for a message, as the old versions of edited ones have', async () => {
    const chats = chatStore(await openProject());
    const id = '~'.repeat(300);
    await statusOf(chats, { id: 'c', messages: [user(id, 'old')] });
    await statusOf(chats, { id: 'c', messages: [user(id, 'new')], messageId: id });
    const [old] = (await chats.siblings('c', id)).messages;
    const messages = [...(await chats.switchTo('c', old?.id ?? '')), user('next')];
    expect(await statusOf(chats, { id: 'c', messages })).toBe(200);
    expect((await chats.load('c')).map(({ parts }) => parts)).toEqual([
      user('', 'old').parts,
      user('next').parts,
    ]);
  });

  it('overwrites no old version of the message that it edits', async () => {
    const chats = chatStore(await openProject());
    await statusOf(chats, { id: 'c', messages: [user('u', 'old')] });
    const messages = [user('u', 'new'), user('u~1', 'forged')];
    expect(await statusOf(chats, { id: 'c', messages, messageId: 'u' })).toBe(400);
    expect(await chats.load('c')).toEqual([user('u', 'old')]);
  });

  it('is refused where it is too deep, or beyond the limits of the project', async () => {
    const vizprompt = await openProject({ limits: { nodeBytes: 10_000 } });
    const chats = chatStore(vizprompt);
    const body = `{"id":"c","messages":[{"id":"u","role":"user","parts":[],"metadata":${deep}}]}`;
    expect(await statusOf(chats, body)).toBe(400);
    const large = 'x'.repeat(20_000);
    expect(await statusOf(chats, { id: 'c', messages: [user('u', large)] })).toBe(413);
    const { POST, PUT } = threadRoutes(vizprompt);
    expect((await POST(post(`{"id":"x","custom":{"a":${deep}}}`))).status).toBe(400);
    const { remoteId } = Object(await (await POST(post({ id: 'x' }))).json());
    const content = { role: 'user', content: [{ type: 'text', text: large }] };
    const put = new Request(`http://x.test/threads/${remoteId}/messages`, {
      method: 'PUT',
      body: JSON.stringify({ id: 'u', parent_id: null, format: 'aui/v0', content }),
    });
    expect((await PUT(put)).status).toBe(413);
  });

  it('says so where its body was read before', async () => {
    const request = post({ id: 'c', messages: [user('u')] });
    await request.text();
    await expect(chatStore(await openProject()).receive(request)).rejects.toThrow(/clone/);
  });

  it('has no owner where the name of its account is empty', async () => {
    const vizprompt = await openProject();
    const chats = chatStore(vizprompt, { owner: () => '' });
    expect(await statusOf(chats, { id: 'c', messages: [user('u')] })).toBe(404);
    expect(await vizprompt.listFlows()).toEqual([]);
  });
});
