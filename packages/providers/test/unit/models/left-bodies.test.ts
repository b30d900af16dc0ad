import { textMessage, type ChatModel } from '@vizprompt/providers';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini } from '@vizprompt/providers/gemini';
import { openai, openaiResponses } from '@vizprompt/providers/openai';
import { expect, it } from 'vitest';
import { KEY, until } from '../../support/models/adapters.ts';

interface Connection {
  readonly model: string;
  readonly apiKey: string;
  readonly baseURL: string;
  readonly fetch: typeof fetch;
}

const models: Readonly<Record<string, (connection: Connection) => ChatModel>> = {
  openai,
  openaiResponses,
  anthropic,
  gemini,
};

it.each(Object.entries(models))(
  'the body of an answer for %s is ended when its reader leaves, also where `fetch` ignores the signal',
  async (_, create) => {
    let isAsked = false;
    let isEnded = false;
    let answer: (response: Response) => void = () => undefined;
    const model = create({
      model: 'm',
      apiKey: KEY,
      baseURL: 'http://m.invalid',
      fetch: () => {
        isAsked = true;
        return new Promise((resolve) => (answer = resolve));
      },
    });
    const messages = [textMessage('user', '猫ですか')];
    const stream = model.stream({ messages })[Symbol.asyncIterator]();
    const first = stream.next().catch((error: unknown) => error);
    await until(() => isAsked);
    await stream.return?.();
    expect(await first).toMatchObject({ code: 'aborted' });
    const body = new ReadableStream({ cancel: () => void (isEnded = true) });
    answer(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    await until(() => isEnded);
  },
);
