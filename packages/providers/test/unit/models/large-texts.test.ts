import { textMessage, type ChatModel, type Part } from '@vizprompt/providers';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, openaiResponses } from '@vizprompt/providers/openai';
import { describe, expect, it } from 'vitest';
import { LargeTexts } from '../../../src/adapter-kit/large-texts.ts';
import { KEY } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', 'x')] };
const apiKey = KEY;

/** Texts that are large, of what JSON escapes and what takes several bytes. */
const texts = {
  'a letter': 'a'.repeat(200_000),
  Japanese: '猫は好き？🐈\n'.repeat(20_000),
  escapes: '"\\\n\u0000\u2028</script>'.repeat(20_000),
  'a half of a character': '\ud83d'.repeat(70_000),
  'lines of events': 'data: {"error":{"message":"no"}}\n\n'.repeat(3000),
};

interface Protocol {
  readonly model: (fetch: typeof globalThis.fetch) => ChatModel;
  /** The frames of an answer that says texts, one after the other. */
  readonly say: (said: readonly string[]) => readonly object[];
  /** A frame that is an error. */
  readonly fail: (message: string) => object;
  readonly isLines?: boolean;
  readonly isNamed?: boolean;
}

const chatOf = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const contentOf = (parts: readonly object[], more: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
});
const host = 'http://large.invalid';

const protocols: Readonly<Record<string, Protocol>> = {
  openai: {
    model: (fetch) => openai({ model: 'm', apiKey, baseURL: `${host}/v1`, fetch }),
    say: (said) => [...said.map((content) => chatOf({ content })), chatOf({}, 'stop')],
    fail: (message) => ({ error: { message } }),
  },
  'openai, Responses': {
    model: (fetch) => openaiResponses({ model: 'm', apiKey, baseURL: `${host}/v1`, fetch }),
    say: (said) => [
      ...said.map((delta) => ({ type: 'response.output_text.delta', item_id: 'a', delta })),
      {
        type: 'response.completed',
        response: { id: 'r', object: 'response', status: 'completed', output: [] },
      },
    ],
    fail: (message) => ({ type: 'error', message }),
    isNamed: true,
  },
  anthropic: {
    model: (fetch) => anthropic({ model: 'm', apiKey, baseURL: host, fetch }),
    say: (said) => [
      { type: 'message_start', message: { id: 'a', role: 'assistant', content: [], usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      ...said.map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
      { type: 'message_stop' },
    ],
    fail: (message) => ({ type: 'error', error: { type: 'api_error', message } }),
    isNamed: true,
  },
  gemini: {
    model: (fetch) => gemini({ model: 'm', apiKey, baseURL: host, fetch }),
    say: (said) => [
      ...said.map((text) => contentOf([{ text }])),
      contentOf([], { finishReason: 'STOP' }),
    ],
    fail: (message) => ({ error: { code: 500, message } }),
  },
  ollama: {
    model: (fetch) => ollama({ model: 'm', host, fetch }),
    say: (said) => [
      ...said.map((content) => ({ model: 'm', message: { role: 'assistant', content } })),
      { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
    ],
    fail: (error) => ({ error }),
    isLines: true,
  },
};

/** Answers with frames, as bytes in pieces of a size. */
function answering(
  { isLines = false, isNamed = false }: Protocol,
  frames: readonly object[],
  { size = 10_007, end = '\n' }: { readonly size?: number; readonly end?: string } = {},
): typeof fetch {
  const text = frames
    .map((frame) => {
      const json = JSON.stringify(frame);
      if (isLines) return `${json}${end}`;
      const name = isNamed && 'type' in frame ? `event: ${String(frame.type)}${end}` : '';
      return `${name}data: ${json}${end}${end}`;
    })
    .join('');
  const bytes = new TextEncoder().encode(text);
  return async () => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, (at += size)));
      },
    });
    const type = isLines ? 'application/x-ndjson' : 'text/event-stream';
    return new Response(body, { headers: { 'content-type': type } });
  };
}

describe.each(Object.entries(protocols))('large texts by %s', (_, protocol) => {
  it.each(Object.entries(texts))('come as they were said: %s', async (_name, text) => {
    const said = ['before, ', text, 'between', text, 'after'];
    const frames = protocol.say(said);
    for (const options of [{}, { end: '\r\n' }, { size: 1 << 20 }]) {
      const model = protocol.model(answering(protocol, frames, options));
      const answer = await model.generate(request);
      expect(answer.text === said.join('')).toBe(true);
    }
  });

  it('are named where an error has them', async () => {
    const message = `the server is down ${'and down '.repeat(10_000)}`;
    const model = protocol.model(answering(protocol, [protocol.fail(message)]));
    await expect(model.generate(request)).rejects.toThrow(/the server is down and down/);
  });
});

const picture = Buffer.alloc(300_000, 'picture').toString('base64');

it.each<readonly [string, keyof typeof protocols, readonly object[], Partial<Part>]>([
  [
    'a picture by Gemini',
    'gemini',
    [
      contentOf([{ inlineData: { mimeType: 'image/png', data: picture } }], {
        finishReason: 'STOP',
      }),
    ],
    { type: 'file', mediaType: 'image/png' },
  ],
  [
    'a tool call by OpenAI',
    'openai',
    [
      chatOf({
        tool_calls: [
          { index: 0, id: 'c', function: { name: 't', arguments: JSON.stringify({ picture }) } },
        ],
      }),
      chatOf({}, 'tool_calls'),
    ],
    { type: 'tool-call', id: 'c', name: 't', input: { picture } },
  ],
  [
    'a tool call by Ollama',
    'ollama',
    [
      {
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'c', function: { name: 't', arguments: { picture } } }],
        },
      },
      { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
    ],
    { type: 'tool-call', name: 't', input: { picture } },
  ],
])('keeps a large part: %s', async (_, name, frames, part) => {
  const protocol = protocols[name];
  if (!protocol) throw new Error(`no protocol ${name}`);
  const { parts } = await protocol.model(answering(protocol, frames)).generate(request);
  const [first] = parts;
  expect(first).toMatchObject(part);
  // Bytes are compared as one text: a matcher would compare them one by one.
  const isFile = first?.type === 'file' && !(first.data instanceof URL);
  const bytes = isFile ? Buffer.from(first.data).toString('base64') : picture;
  expect(bytes === picture).toBe(true);
});

it('leaves frames that are small, deep or no JSON as they are', () => {
  const large = new LargeTexts();
  const deep = `${'{"a":'.repeat(5000)}"${'a'.repeat(100_000)}"${'}'.repeat(5000)}`;
  for (const json of ['{"a":"b"}', deep, `{"a":"${'a'.repeat(100_000)}`, '[1]']) {
    const lines = new TextEncoder().encode(`data: ${json}\n\n`);
    expect(Buffer.compare(large.lift(lines), lines)).toBe(0);
  }
});

it('gives the SDK a mark instead of a large text', () => {
  const large = new LargeTexts();
  const text = '猫'.repeat(70_000);
  const lifted = large.lift(new TextEncoder().encode(`data: {"a":["${text}","b"]}\n\n`));
  expect(lifted.length).toBeLessThan(100);
  const chunk: unknown = JSON.parse(new TextDecoder().decode(lifted).slice('data: '.length));
  large.restore(chunk);
  expect(chunk).toEqual({ a: [text, 'b'] });
});

it('gives a large text back in all places of a chunk', () => {
  const large = new LargeTexts();
  const text = 'a'.repeat(70_000);
  const frame: unknown = JSON.parse(large.liftJson(JSON.stringify({ text })));
  const chunk = { first: frame, second: structuredClone(frame), third: [frame] };
  large.restore(chunk);
  expect(chunk).toEqual({ first: { text }, second: { text }, third: [{ text }] });
});
