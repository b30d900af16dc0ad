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

it('the body of an answer whose first piece is a refusal is ended before the next try', async () => {
  const refused = {
    choices: null,
    base_resp: { status_code: 2013, status_msg: "Unsupported parameter: 'temperature'" },
  };
  const done = { choices: [{ index: 0, delta: { content: '猫' }, finish_reason: 'stop' }] };
  const frame = (value: object): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(`data: ${JSON.stringify(value)}\n\n`);
  const headers = { 'content-type': 'text/event-stream' };
  const steps: string[] = [];
  const model = openai({
    model: 'm',
    apiKey: KEY,
    baseURL: 'http://left.invalid',
    fetch: async () => {
      steps.push('asked');
      if (steps.length > 1) return new Response(frame(done), { headers });
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(frame(refused)),
        cancel: () => void steps.push('ended'),
      });
      return new Response(body, { headers });
    },
  });
  const messages = [textMessage('user', '猫ですか')];
  expect((await model.generate({ messages, temperature: 0.2 })).text).toBe('猫');
  expect(steps).toEqual(['asked', 'ended', 'asked']);
});
