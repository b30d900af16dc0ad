import { textMessage, type ChatModel, type Message, type Tool } from '@vizprompt/providers';
import type { FakeRequest } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { adapters, fakeServer } from '../../support/models/adapters.ts';

const weather: Tool = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

const question = textMessage('user', '京都と奈良の天気は？');

/** Lets a model call two tools after a thought, and gives the history of it. */
async function talk(model: ChatModel): Promise<Message[]> {
  const { parts } = await model.generate({ messages: [question], tools: [weather] });
  return [
    textMessage('system', 'Answer in Japanese.'),
    question,
    { role: 'assistant', parts },
    {
      role: 'tool',
      parts: parts.flatMap((part) =>
        part.type === 'tool-call'
          ? [
              {
                type: 'tool-result',
                id: part.id,
                name: part.name,
                output: { sky: '晴れ' },
              } as const,
            ]
          : [],
      ),
    },
  ];
}

const called = [
  { type: 'reasoning', text: '二つの都市を調べる。' },
  { type: 'text', text: '調べます。' },
  { type: 'tool-call', id: 'a', name: 'weather', input: { city: '京都' } },
  { type: 'tool-call', id: 'b', name: 'weather', input: { city: '奈良' } },
] as const;

describe.each(Object.entries(adapters))('%s', (_, adapter) => {
  it('streams thoughts, text and calls, each in its place', async () => {
    const llm = await fakeServer();
    llm.answer(called);
    const result = await adapter
      .model(llm.url)
      .generate({ messages: [question], tools: [weather] });
    expect(result.finishReason).toBe('tool-calls');
    expect(result.parts).toMatchObject([
      { type: 'reasoning', text: '二つの都市を調べる。' },
      { type: 'text', text: '調べます。' },
      { type: 'tool-call', name: 'weather', input: { city: '京都' } },
      { type: 'tool-call', name: 'weather', input: { city: '奈良' } },
    ]);
    const ids = result.parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
    expect(new Set(ids).size).toBe(2);
    expect(result.usage.inputTokens).toBeGreaterThan(0);
    expect(result.usage.outputTokens).toBeGreaterThan(0);
  });

  it('takes a tool without arguments', async () => {
    const llm = await fakeServer();
    llm.answer([{ type: 'tool-call', id: 'a', name: 'now', input: {} }]);
    const tools = [{ name: 'now', parameters: { type: 'object', properties: {} } }];
    const { parts } = await adapter.model(llm.url).generate({ messages: [question], tools });
    expect(parts).toMatchObject([{ type: 'tool-call', name: 'now', input: {} }]);
  });

  it('says when the answer was too long', async () => {
    const llm = await fakeServer();
    llm.answer({ parts: [{ type: 'text', text: '長い' }], finishReason: 'length' });
    const result = await adapter
      .model(llm.url)
      .generate({ messages: [question], maxOutputTokens: 2 });
    expect(result).toMatchObject({ text: '長い', finishReason: 'length' });
  });

  it('sends pictures as bytes', async () => {
    const llm = await fakeServer();
    const data = new Uint8Array([137, 80, 78, 71]);
    await adapter.model(llm.url).generate({
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'これは？' },
            { type: 'file', mediaType: 'image/png', data },
          ],
        },
      ],
    });
    expect(JSON.stringify(llm.requests[0]?.body)).toContain(Buffer.from(data).toString('base64'));
  });

  it.each(Object.entries(adapters))('accepts a history that %s made', async (_name, other) => {
    const [first, second] = [await fakeServer(), await fakeServer()];
    first.answer(called);
    second.answer('どちらも晴れです。');
    const messages = await talk(other.model(first.url));
    const model = adapter.model(second.url);
    const result = await model.generate({ messages, tools: [weather] });
    expect(result.text).toBe('どちらも晴れです。');
    const request = second.requests[0] as FakeRequest;
    const sent = JSON.stringify(request.body);
    for (const text of ['Answer in Japanese.', '京都と奈良の天気は？', '調べます。', '晴れ']) {
      expect(sent).toContain(text);
    }
    expect(callsIn(request)).toEqual([{ city: '京都' }, { city: '奈良' }]);
  });
});

/** The inputs of the tool calls that a request holds, in the form of its wire. */
function callsIn({ wire, body }: FakeRequest): unknown[] {
  const {
    input = [],
    messages = [],
    contents = [],
  } = body as {
    input?: { type?: string; arguments?: string }[];
    messages?: { content?: unknown; tool_calls?: { function: { arguments: unknown } }[] }[];
    contents?: { parts: { functionCall?: { args: unknown } }[] }[];
  };
  if (wire === 'gemini') {
    return contents.flatMap(({ parts }) =>
      parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.args] : [])),
    );
  }
  if (wire === 'anthropic') {
    const blocks = messages.flatMap(({ content }) =>
      Array.isArray(content) ? (content as { type: string; input?: unknown }[]) : [],
    );
    return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.input] : []));
  }
  if (wire === 'responses') {
    return input.flatMap(({ type, arguments: json = '' }) =>
      type === 'function_call' ? [JSON.parse(json) as unknown] : [],
    );
  }
  return messages.flatMap(({ tool_calls: calls = [] }) =>
    calls.map(({ function: { arguments: args } }) =>
      typeof args === 'string' ? (JSON.parse(args) as unknown) : args,
    ),
  );
}
