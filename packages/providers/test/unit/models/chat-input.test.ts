import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelMessage } from 'ai';
import type OpenAI from 'openai';
import { textMessage, type ChatInput, type Message } from '@vizprompt/providers';
import { defineTool, generateObject, runTools } from '@vizprompt/providers/generate';
import { compose } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { adapters, fakeServer } from '../../support/models/adapters.ts';

/** Returns the messages that a model receives for an input. */
async function readOf(input: ChatInput): Promise<readonly unknown[]> {
  const model = scriptedModel(['はい']);
  await model.generate(input);
  return model.calls[0]?.messages ?? [];
}

async function errorOf(input: unknown): Promise<unknown> {
  const model = compose(scriptedModel(['はい']));
  return model.generate(input as ChatInput).catch((error: unknown) => error);
}

const png = Buffer.from('iVBORw0KGgo=', 'base64');
const PNG = 'iVBORw0KGgo=';
const user = textMessage('user', '猫');

const openai: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'developer', content: 'Be kind.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: '見て' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      { type: 'input_audio', input_audio: { data: PNG, format: 'mp3' } },
      {
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PNG}` },
      },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":"猫"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'a', content: 'にゃあ' },
  { role: 'assistant', content: 'はい', refusal: null },
];

const anthropic: Anthropic.MessageParam[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: '見て', cache_control: { type: 'ephemeral' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '吾輩' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'まず', signature: 's' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'tool_use', id: 'a', name: 'look', input: { at: '猫' } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'a',
        is_error: true,
        content: [{ type: 'text', text: 'いない' }],
      },
    ],
  },
];

const ai: ModelMessage[] = [
  {
    role: 'system',
    content: 'Be kind.',
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  },
  {
    role: 'user',
    content: [
      { type: 'text', text: '見て' },
      { type: 'image', image: png },
      { type: 'image', image: new URL('https://a.example/a.png') },
      { type: 'file', data: PNG, mediaType: 'application/pdf', filename: 'a.pdf' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'まず', providerOptions: { anthropic: { signature: 's' } } },
      { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { at: '猫' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'look',
        output: { type: 'json', value: { n: 1 } },
      },
      {
        type: 'tool-result',
        toolCallId: 'b',
        toolName: 'x',
        output: { type: 'error-text', value: 'no' },
      },
    ],
  },
];

const file = (mediaType: string, data: Uint8Array | URL = png, name?: string): object => ({
  type: 'file',
  mediaType,
  data,
  ...(name === undefined ? {} : { name }),
});
const call = { type: 'tool-call', id: 'a', name: 'look', input: { at: '猫' } };

const forms: readonly (readonly [name: string, input: ChatInput, messages: readonly object[]])[] = [
  ['a text', '猫', [user]],
  ['a prompt', { prompt: '猫', temperature: 0 }, [user]],
  [
    'a prompt after messages',
    { messages: [textMessage('system', 's')], prompt: '猫' },
    [textMessage('system', 's'), user],
  ],
  ['our own messages', { messages: [user] }, [user]],
  ['content that is a text', { messages: [{ role: 'user', content: '猫' }] }, [user]],
  [
    "OpenAI's messages",
    { messages: openai },
    [
      textMessage('system', 'Be kind.'),
      {
        role: 'user',
        parts: [
          { type: 'text', text: '見て' },
          file('image/png'),
          file('audio/mpeg'),
          file('application/pdf', png, 'a.pdf'),
        ],
      },
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [{ type: 'tool-result', id: 'a', name: 'look', output: 'にゃあ' }] },
      textMessage('assistant', 'はい'),
    ],
  ],
  [
    "OpenAI's functions",
    {
      messages: [
        {
          role: 'assistant',
          content: '',
          function_call: { name: 'look', arguments: '{}' },
        } as never,
        { role: 'function', name: 'look', content: '1' },
      ],
    },
    [
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'function_look', name: 'look', input: {} }],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', id: 'function_look', name: 'look', output: '1' }],
      },
    ],
  ],
  [
    "Anthropic's messages",
    { messages: anthropic },
    [
      {
        role: 'user',
        parts: [
          {
            type: 'text',
            text: '見て',
            meta: { anthropic: { cacheControl: { type: 'ephemeral' } } },
          },
          file('image/png'),
          file('text/plain', new TextEncoder().encode('吾輩')),
        ],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'まず', meta: { anthropic: { signature: 's' } } },
          { type: 'reasoning', text: '', meta: { anthropic: { redactedData: 'd' } } },
          call,
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', id: 'a', name: 'look', output: 'いない', isError: true }],
      },
    ],
  ],
  [
    "the AI SDK's messages",
    { messages: ai },
    [
      {
        ...textMessage('system', 'Be kind.'),
        meta: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: '見て' },
          file('image/png'),
          file('image/png', new URL('https://a.example/a.png')),
          file('application/pdf', png, 'a.pdf'),
        ],
      },
      {
        role: 'assistant',
        parts: [{ type: 'reasoning', text: 'まず', meta: { anthropic: { signature: 's' } } }, call],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool-result', id: 'a', name: 'look', output: { n: 1 } },
          { type: 'tool-result', id: 'b', name: 'x', output: 'no', isError: true },
        ],
      },
    ],
  ],
];

describe('what a model is asked', () => {
  it.each(forms)('may be %s', async (_, input, messages) => {
    expect(await readOf(input)).toEqual(messages);
  });

  it('is the same for every way to ask', async () => {
    const input = { messages: [{ role: 'user', content: '猫' }] };
    const asked: Message[] = [];
    const note = scriptedModel(({ messages }) => {
      asked.push(...messages);
      return '{"a":1}';
    });
    const layered = compose(note, {
      name: 'noting',
      stream: (request, next) => {
        asked.push(...request.messages);
        return next(request);
      },
    });
    await layered.generate(input);
    for await (const _ of layered.stream('猫'));
    const tool = defineTool({ name: 't', input: { type: 'object' }, execute: () => 1 });
    await runTools(note, input, [tool]);
    await runTools(note, '猫', [tool], { onEvent: () => undefined });
    await generateObject(note, input, { schema: { type: 'object' } });
    expect(asked).toHaveLength(7);
    for (const message of asked) expect(message).toEqual(user);
  });

  it.each(Object.entries(adapters))('reaches %s', async (_, adapter) => {
    const llm = await fakeServer();
    const model = adapter.model(llm.url);
    await model.generate('猫の名前');
    await model.generate({
      messages: [{ role: 'user', content: [{ type: 'text', text: '猫の名前' }] }],
    });
    expect(llm.requests.map(({ body }) => body)).toEqual([
      llm.requests[0]?.body,
      llm.requests[0]?.body,
    ]);
    expect(JSON.stringify(llm.requests[0]?.body)).toContain('猫の名前');
    const counted = await model.countTokens?.({ messages: [{ role: 'user', content: '猫の' }] });
    expect(counted?.tokens ?? 2).toBe(2);
  });

  it.each([
    ['nothing', undefined, /^the request: expected a string, or an object|messages: expected/],
    [
      'no messages',
      {},
      /^messages: expected a list of messages, or a string as prompt, got undefined/,
    ],
    ['a number', { messages: 3 }, /^messages: expected a list .*got 3/],
    ['a prompt that is none', { prompt: 3 }, /^prompt: expected a string, got 3/],
    [
      'a role that is none',
      { messages: [user, { role: 'cat', content: 'x' }] },
      /^messages\[1\]\.role: expected system, user, assistant or tool, got "cat"/,
    ],
    [
      'text beside',
      { messages: [{ role: 'user', text: '猫' }] },
      /^messages\[0\]\.content: expected .*got \{"role":"user","text":"猫"\}; write \{ role: 'user', parts: \[\{ type: 'text', text: '…' \}\] \} or \{ role: 'user', content: '…' \}$/,
    ],
    [
      'a part of another kind',
      { messages: [{ role: 'user', parts: [{ type: 'step-start' }] }] },
      /^messages\[0\]\.parts\[0\]: expected a part of the type text, .*got \{"type":"step-start"\}/,
    ],
    [
      'a part that is a text',
      { messages: [{ role: 'user', parts: ['猫'] }] },
      /^messages\[0\]\.parts\[0\]: .*got "猫"/,
    ],
    [
      'content of another kind',
      { messages: [{ role: 'user', content: [{ type: 'video', url: 'x' }] }] },
      /^messages\[0\]\.content\[0\]: expected .*got \{"type":"video"/,
    ],
    [
      'a result without an id',
      { messages: [{ role: 'tool', content: 'x' }] },
      /^messages\[0\]\.tool_call_id: expected the id of a call/,
    ],
    [
      'a call without a name',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] },
      /^messages\[0\]\.tool_calls\[0\]: expected a call/,
    ],
    ['a null', { messages: [null] }, /^messages\[0\]\.role: expected/],
  ])('is refused with its place: %s', async (_, input, message) => {
    expect(await errorOf(input)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    });
  });

  it('is refused while it is read, not before', async () => {
    const model = scriptedModel(['x']);
    const events = model.stream({ messages: [{ role: 'cat', content: 'x' }] });
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
