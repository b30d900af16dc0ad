import { answerStreams, type AnswerStreams, chatStore } from '@vizprompt/core/ai-sdk';
import { describe, expect, it, vi } from 'vitest';
import { type ServedChat, serveChat } from '../../support/ai-chat.ts';
import { resumableStreams } from '../../support/answer-streams.ts';
import { openProject } from '../../support/open-project.ts';

/** A promise that the test resolves. */
function gateOf(): { readonly opened: Promise<unknown>; open(): void } {
  const events = new EventTarget();
  const opened = new Promise((resolve) => {
    events.addEventListener('open', resolve);
  });
  return { opened, open: () => void events.dispatchEvent(new Event('open')) };
}

async function shows({ chat }: ServedChat, text: string): Promise<void> {
  await expect.poll(() => JSON.stringify(chat.messages), { timeout: 60_000 }).toContain(text);
}

describe.each([
  ['answerStreams', answerStreams],
  ['resumable-stream', resumableStreams],
])('an answer that is on its way, held by %s', (_, streamsOf) => {
  it('continues on a page that was reloaded, and is stored whole', async () => {
    const vizprompt = await openProject();
    const chats = chatStore(vizprompt, { streams: streamsOf() });
    const { opened, open } = gateOf();
    const options = { gates: new Map([['slow', opened]]), isHeld: true };
    const first = serveChat(chats, 'c', options);
    const sent = first.chat.sendMessage({ text: 'slow please' });
    await shows(first, 'answer 1');
    await first.chat.stop();
    await sent;

    const pages = await Promise.all(
      [1, 2].map(async () => serveChat(chats, 'c', { messages: await chats.load('c') })),
    );
    const resumed = pages.map(async (page) => {
      expect(page.screen()).toHaveLength(1);
      await page.chat.resumeStream();
    });
    for (const page of pages) await shows(page, 'answer 1');
    open();
    await Promise.all(resumed);
    await first.idle();
    for (const page of pages) expect(page.screen()).toEqual(await chats.load('c'));
    expect(await chats.load('c')).toHaveLength(2);

    expect((await chats.resume('c', {})).status).toBe(204);
    await first.chat.regenerate();
    await first.idle();
    expect((await chats.siblings('c', first.chat.lastMessage?.id ?? '')).messages).toHaveLength(2);
  });

  it('is there for its owner alone, and none where there is none', async () => {
    const vizprompt = await openProject();
    const owner = (request: Request): string | undefined => request.headers.get('who') ?? undefined;
    const chats = chatStore(vizprompt, { owner, streams: streamsOf() });
    const statusFor = async (who: string): Promise<number> => {
      const request = new Request('http://x.test/api/chat/c/stream', { headers: { who } });
      return (await chats.resume('c', { request })).status;
    };
    expect(await statusFor('Ann')).toBe(204);
    const part = { type: 'text', text: 'hi' };
    const body = JSON.stringify({ id: 'c', messages: [{ id: 'u', role: 'user', parts: [part] }] });
    const headers = { who: 'Ann' };
    const turn = await chats.receive(
      new Request('http://x.test', { method: 'POST', body, headers }),
    );
    const ends = gateOf();
    const held = turn.streamOptions.consumeSseStream?.({
      stream: new ReadableStream({
        async start(controller) {
          controller.enqueue('data: {}');
          await ends.opened;
          controller.close();
        },
      }),
    });
    await expect.poll(() => statusFor('Ann')).toBe(200);
    expect(await statusFor('Bob')).toBe(404);
    // Another answer to the same question is given to who asked for it, and not mixed with the first.
    const cancel = vi.fn<() => void>();
    await turn.streamOptions.consumeSseStream?.({ stream: new ReadableStream({ cancel }) });
    expect(cancel).toHaveBeenCalledOnce();
    ends.open();
    await held;
    await expect.poll(() => statusFor('Ann')).toBe(204);
  });
});

it('a stream that fails ends for its readers, and for its process', async () => {
  const vizprompt = await openProject();
  for (const streams of [answerStreams(), resumableStreams()]) {
    const chats = chatStore(vizprompt, { streams });
    const question = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] };
    const body = JSON.stringify({ id: 'c', messages: [question] });
    const turn = await chats.receive(new Request('http://x.test', { method: 'POST', body }));
    const fails = gateOf();
    const held = turn.streamOptions.consumeSseStream?.({
      stream: new ReadableStream({
        async start(controller) {
          controller.enqueue('data: {}');
          await fails.opened;
          controller.error(new Error('the model is away'));
        },
      }),
    });
    await expect.poll(async () => (await chats.resume('c', {})).status).toBe(200);
    const reading = (await chats.resume('c', {})).text();
    fails.open();
    expect(await reading).toBe('data: {}');
    await held;
    await expect.poll(async () => (await chats.resume('c', {})).status).toBe(204);
  }
});

it('an answer that died with its process is none for a page that was reloaded', async () => {
  const vizprompt = await openProject();
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const created = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const streams: AnswerStreams = {
    createNewResumableStream: created,
    resumeExistingStream: () => Promise.reject(new Error('Timeout waiting for ack')),
  };
  const chats = chatStore(vizprompt, { streams });
  const page = serveChat(chats, 'c');
  await page.chat.sendMessage({ text: 'hello' });
  await page.idle();
  expect((await chats.resume('c', {})).status).toBe(204);
  // The next answer to the same question can be resumed again.
  expect(created).toHaveBeenCalledOnce();
  expect(warn).toHaveBeenCalledTimes(2);
  warn.mockRestore();
});

it('an answer is given where its stream cannot be held', async () => {
  const vizprompt = await openProject();
  const failing: AnswerStreams = {
    createNewResumableStream: () => Promise.reject(new Error('no Redis')),
    resumeExistingStream: () => Promise.resolve(undefined),
  };
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const chats = chatStore(vizprompt, { streams: failing });
  const page = serveChat(chats, 'c');
  await page.chat.sendMessage({ text: 'hello' });
  await page.idle();
  expect(await chats.load('c')).toEqual(page.screen());
  expect(warn.mock.calls).toEqual([[expect.stringContaining('no Redis')]]);
  warn.mockRestore();
});
