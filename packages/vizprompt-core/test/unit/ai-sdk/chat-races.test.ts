import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { answerStreams, type ChatStore, chatStore } from '@vizprompt/core/ai-sdk';
import { openProject } from '../../support/open-project.ts';

const user = (id: string, text = id): UIMessage => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
});

/** Asks, and returns a function that gives the answer. */
async function ask(
  chats: ChatStore,
  body: object,
): Promise<{
  answer(text: string): Promise<string>;
  stream(stream: ReadableStream<string>): void;
}> {
  const request = new Request('http://x.test/', {
    method: 'POST',
    body: JSON.stringify({ id: 'c', ...body }),
  });
  const { streamOptions } = await chats.receive(request);
  const id = streamOptions.generateMessageId();
  return {
    async answer(text) {
      const responseMessage: UIMessage = { id, role: 'assistant', parts: [{ type: 'text', text }] };
      await streamOptions.onFinish({ responseMessage });
      return id;
    },
    stream: (stream) => void streamOptions.consumeSseStream?.({ stream }),
  };
}

async function screen(chats: ChatStore, leaf?: string): Promise<readonly string[]> {
  const messages = await chats.load('c', { leaf });
  return messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
}

describe('an answer whose question changes while it is on its way', () => {
  it.each(['first', 'last'])(
    'stays with the old version of an edited one, as the %s',
    async (when) => {
      const chats = chatStore(await openProject());
      const before = await ask(chats, { messages: [user('u', 'old')] });
      const after = await ask(chats, { messages: [user('u', 'new')], messageId: 'u' });
      const again = await ask(chats, { messages: [user('u', 'newest')], messageId: 'u' });
      if (when === 'last') await again.answer('to the newest');
      const id = await before.answer('to the old');
      await after.answer('to the new');
      if (when === 'first') await again.answer('to the newest');
      expect(await screen(chats)).toEqual(['newest', 'to the newest']);
      expect(await screen(chats, id)).toEqual(['old', 'to the old']);
      expect((await chats.siblings('c', 'u')).messages).toHaveLength(3);
    },
  );

  it('is not stored where the question or the chat was deleted', async () => {
    const vizprompt = await openProject();
    const chats = chatStore(vizprompt);
    const [one, two] = [
      await ask(chats, { messages: [user('u')] }),
      await ask(chats, { messages: [user('u')] }),
    ];
    const { id } = await chats.flow('c');
    await vizprompt.editThread({ id }, [{ type: 'delete', id: 'u' }]);
    await one.answer('x');
    expect(await chats.load('c')).toEqual([]);
    await vizprompt.deleteFlow(id);
    await two.answer('x');
    expect(await chats.load('c')).toEqual([]);
  });

  it('is not the one that is followed on a page that was reloaded', async () => {
    const chats = chatStore(await openProject(), { streams: answerStreams() });
    const held = new ReadableStream<string>({ start: (controller) => controller.enqueue('old') });
    (await ask(chats, { messages: [user('u', 'old')] })).stream(held);
    const after = await ask(chats, { messages: [user('u', 'new')], messageId: 'u' });
    expect((await chats.resume('c', {})).status).toBe(204);
    after.stream(new ReadableStream({ start: (controller) => controller.enqueue('new') }));
    const { body } = await chats.resume('c', {});
    const { value } = (await body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('new');
  });
});

describe('several answers to one question', () => {
  it.each([
    [0, 1],
    [1, 0],
  ])('show the one that was asked for last, finished in the order %i, %i', async (...order) => {
    const chats = chatStore(await openProject());
    const body = { messages: [user('u')], trigger: 'regenerate-message' };
    const asked = [await ask(chats, body), await ask(chats, body)];
    for (const at of order) await asked[at]?.answer(`answer ${at}`);
    expect(await screen(chats)).toEqual(['u', 'answer 1']);
  });

  it('leave a user on the branch that they chose meanwhile', async () => {
    const chats = chatStore(await openProject());
    const first = await ask(chats, { messages: [user('u')] });
    const id = await first.answer('chosen');
    const again = await ask(chats, { messages: [user('u')], trigger: 'regenerate-message' });
    await chats.switchTo('c', id);
    await again.answer('other');
    expect(await screen(chats)).toEqual(['u', 'chosen']);
  });

  it('follow the question that the first of them answers, whatever else a client sends', async () => {
    const chats = chatStore(await openProject());
    const id = await (await ask(chats, { messages: [user('u')] })).answer('one');
    const all = await chats.load('c');
    const again = await ask(chats, { messages: all, trigger: 'regenerate-message', messageId: id });
    await again.answer('two');
    expect(await screen(chats)).toEqual(['u', 'two']);
  });
});
