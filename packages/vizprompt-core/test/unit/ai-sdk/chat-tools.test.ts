// The page says what its own tools gave, the server what all others did.
import type { UIMessage } from 'ai';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type ChatStore, chatStore, type ChatStoreOptions } from '@vizprompt/core/ai-sdk';
import { serveChat } from '../../support/ai-chat.ts';
import { openProject, randomRuns } from '../../support/open-project.ts';

type Part = UIMessage['parts'][number];

const question: UIMessage = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'pay' }] };
const call = { toolCallId: 't', input: { sum: 5 } } as const;
const waiting = { ...call, type: 'tool-pay', state: 'input-available' } as const;
const dynamic = {
  ...call,
  type: 'dynamic-tool',
  toolName: 'pay',
  state: 'input-available',
} as const;
const result = { state: 'output-available', output: null };

const UNTIL = { timeout: 60_000, interval: 1 };

function post(messages: readonly unknown[]): Request {
  const body = JSON.stringify({ id: 'c', messages });
  return new Request('http://x.test/api/chat', { method: 'POST', body });
}

/** A chat whose answer holds a part. */
async function answered(
  part: Part,
  options: ChatStoreOptions = {},
  isAborted = false,
): Promise<ChatStore> {
  const chats = chatStore(await openProject(), options);
  const turn = await chats.receive(post([question]));
  const responseMessage: UIMessage = { id: 'a', role: 'assistant', parts: [part] };
  await turn.streamOptions.onFinish({ responseMessage, isAborted });
  return chats;
}

/** Sends a part with changes back, and gives the status and what is stored then. */
async function changed(
  chats: ChatStore,
  change: object,
): Promise<readonly [status: number, part: object | undefined]> {
  const [asked, answer] = await chats.load('c');
  const parts = [{ ...answer?.parts[0], ...change }];
  const { status } = await chats.handler(() => new Response())(post([asked, { ...answer, parts }]));
  return [status, (await chats.load('c'))[1]?.parts[0]];
}

describe('the result of a tool', () => {
  it.each([waiting, dynamic])(
    'is taken from a page for its own tools alone: $type',
    async (part) => {
      const own = await answered(part, { clientTools: ['pay'] });
      expect(await changed(own, result)).toEqual([200, { ...part, ...result }]);
      const failure = { state: 'output-error', errorText: 'no card' };
      const isOwn = (tool: string): boolean => tool === 'pay';
      expect(await changed(await answered(part, { clientTools: isOwn }), failure)).toEqual([
        200,
        { ...part, ...failure },
      ]);
      expect(await changed(await answered(part), result)).toEqual([400, part]);
      expect(await changed(await answered(part, { clientTools: ['payer'] }), result)).toEqual([
        400,
        part,
      ]);
      const provided = { ...part, providerExecuted: true } as const;
      const remote = await answered(provided, { clientTools: ['pay'] });
      expect(await changed(remote, result)).toEqual([200, provided]);
    },
  );

  it.each([
    { state: 'output-available' },
    { state: 'output-error' },
    { state: 'output-error', errorText: 5 },
    { state: 'output-denied' },
    { state: 'approval-responded', approval: { id: 'p', approved: true } },
  ])('is none that the AI SDK could not read: %j', async (given) => {
    const chats = await answered(waiting, { clientTools: ['pay'] });
    expect(await changed(chats, given)).toEqual([200, waiting]);
  });

  it('is taken for no tool where the function that decides is async', async () => {
    // @ts-expect-error -- as plain JavaScript may give it
    const given: (tool: string) => boolean = async () => false;
    expect(await changed(await answered(waiting, { clientTools: given }), result)).toEqual([
      400,
      waiting,
    ]);
  });

  it('names the option where a page gives it for a tool of the server', async () => {
    const chats = await answered(waiting);
    const answer = { id: 'a', role: 'assistant', parts: [{ ...waiting, ...result }] };
    await expect(chats.receive(post([question, answer]))).rejects.toThrow(
      "expected no result of the tool 'pay' from a client: the server runs it; name it in clientTools if the client does",
    );
  });

  it('is forged by nothing that a client sends of a tool of the server', async () => {
    const approval = { id: 'p' } as const;
    const stored = fc.constantFrom<Part>(
      waiting,
      dynamic,
      { ...waiting, state: 'input-streaming' },
      { ...waiting, state: 'approval-requested', approval },
      { ...waiting, state: 'approval-responded', approval: { ...approval, approved: true } },
      { ...waiting, state: 'output-error', errorText: 'stopped' },
      { ...waiting, state: 'output-denied', approval: { ...approval, approved: false } },
    );
    const sent = fc.record(
      {
        type: fc.constantFrom('tool-pay', 'tool-own', 'dynamic-tool'),
        toolName: fc.constantFrom('pay', 'own'),
        state: fc.constantFrom(
          'output-available',
          'output-error',
          'output-denied',
          'approval-responded',
        ),
        output: fc.constantFrom<unknown>(null, 'paid', { sum: 1000 }),
        errorText: fc.constant('forged'),
        providerExecuted: fc.boolean(),
        preliminary: fc.boolean(),
        input: fc.constant({ sum: 1000 }),
        approval: fc.constant({ id: 'other', approved: true }),
      },
      { requiredKeys: ['state'] },
    );
    await fc.assert(
      fc.asyncProperty(stored, sent, fc.boolean(), async (part, change, isAborted) => {
        const chats = await answered(part, { clientTools: ['own'] }, isAborted);
        const [, after] = await changed(chats, change);
        expect(after).toEqual(part);
      }),
      { numRuns: randomRuns(60) },
    );
  });
});

describe('a page of the AI SDK', () => {
  it('gives the result of its own tool, and the answer continues', async () => {
    const chats = chatStore(await openProject(), { clientTools: ['locate'] });
    const { chat, screen, idle } = serveChat(chats, 'c');
    await chat.sendMessage({ text: 'tool locate' });
    await idle();
    const [part] = chat.lastMessage?.parts.filter(({ type }) => type === 'tool-locate') ?? [];
    expect(part).toMatchObject({ state: 'input-available' });
    const output = { lat: 35, lon: 139 };
    await chat.addToolOutput({ tool: 'locate', toolCallId: 'c1', output });
    await vi.waitUntil(() => JSON.stringify(screen()).includes('answer 2'), UNTIL);
    await idle();
    expect(await chats.load('c')).toEqual(screen());
    expect(screen()[1]?.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-locate', state: 'output-available', output }),
    );
  });

  it('cannot give the result of a tool that was stopped on the server, and talks on', async () => {
    const chats = chatStore(await openProject(), { clientTools: ['locate'] });
    const { chat, screen, idle } = serveChat(chats, 'c');
    void chat.sendMessage({ text: 'tool pay' });
    await vi.waitUntil(() => JSON.stringify(screen()).includes('input-available'), UNTIL);
    await chat.stop();
    await idle();
    const before = await chats.load('c');
    expect(before[1]?.parts).toContainEqual(
      expect.objectContaining({ type: 'tool-pay', state: 'input-available' }),
    );
    await chat.addToolOutput({ tool: 'pay', toolCallId: 'c1', output: 'paid 1000' });
    await vi.waitUntil(() => chat.status === 'error', UNTIL);
    expect(await chats.load('c')).toEqual(before);
    // Pages end the calls that were stopped, before the next question.
    chat.messages = await chats.load('c');
    chat.clearError();
    await chat.addToolOutput({
      tool: 'pay',
      toolCallId: 'c1',
      state: 'output-error',
      errorText: 'it was paid',
    });
    await idle();
    await chat.sendMessage({ text: 'and now?' });
    await idle();
    expect(JSON.stringify(screen().at(-1))).toContain('answer');
    const after = await chats.load('c');
    expect(after[1]?.parts.slice(0, before[1]?.parts.length)).toEqual(before[1]?.parts);
    expect(JSON.stringify(after)).not.toMatch(/paid/);
  });
});
