import type { ChatModel, JsonValue, Message } from '@vizprompt/providers';
import { defineTool, runTools } from '@vizprompt/providers/generate';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, openaiResponses } from '@vizprompt/providers/openai';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { toolContent, toolOutputText } from '../../../src/adapter-kit/tool-content.ts';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

const PNG = 'iVBORw0KGgo=';
const png = Buffer.from(PNG, 'base64');
const url = 'https://a.example/a.png';

const image = { type: 'file', mediaType: 'image/png', data: png };
const here = { type: 'text', text: 'here' };

/** Forms of a picture, each from the types of an SDK. */
const pictures: readonly (readonly [name: string, item: JsonValue])[] = [
  ['MCP', { type: 'image', data: PNG, mimeType: 'image/png' }],
  ['MCP, as a resource', { type: 'resource', resource: { blob: PNG, mimeType: 'image/png' } }],
  ['Chat Completions', { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
  ['Responses', { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' }],
  ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
  ['AI SDK 5', { type: 'media', data: PNG, mediaType: 'image/png' }],
  ['AI SDK 6, a picture', { type: 'image-data', data: PNG, mediaType: 'image/png' }],
  ['AI SDK 6, a file', { type: 'file-data', data: PNG, mediaType: 'image/png' }],
  ['AI SDK 7', { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image/png' }],
  ['Gemini', { inlineData: { mimeType: 'image/png', data: PNG } }],
  ['this SDK', { type: 'file', mediaType: 'image/png', data: PNG }],
];

/** Forms of a picture by its address. */
const addresses: readonly (readonly [name: string, item: JsonValue])[] = [
  ['Chat Completions', { type: 'image_url', image_url: { url } }],
  ['Responses', { type: 'input_image', image_url: url }],
  ['Anthropic', { type: 'image', source: { type: 'url', url } }],
  ['AI SDK 6', { type: 'image-url', url }],
  ['AI SDK 7', { type: 'file', data: { type: 'url', url }, mediaType: 'image/png' }],
  ['Gemini', { fileData: { mimeType: 'image/png', fileUri: url } }],
  ['this SDK', { type: 'file', mediaType: 'image/png', url }],
];

/** Data that only resembles content. */
const data: readonly JsonValue[] = [
  null,
  3,
  {},
  [],
  { type: 'text', text: 'a row' },
  { type: 'image', url: 'https://a.example/found.png', title: 'a hit' },
  [{ type: 'image', url: 'https://a.example/found.png' }],
  [{ type: 'file', name: 'a.txt', data: 'not base64!' }],
  [
    { type: 'file', path: '/a' },
    { type: 'folder', path: '/b' },
  ],
  { content: 'a page' },
  { content: [{ type: 'text', text: 'a' }], total: 3 },
  { content: [{ id: 1 }] },
  [
    { type: 'text', text: 'a' },
    { type: 'chart', values: [1] },
  ],
];

describe('what a tool gave back', () => {
  it.each(pictures)('has a picture in the form of %s', (_, item) => {
    for (const output of [[item], { content: [item] }, { type: 'content', value: [item] }]) {
      expect(toolContent(output)).toEqual([image]);
    }
    expect(toolContent([here, item])).toEqual([here, image]);
    expect(toolContent({ content: [item], score: 5 })).toEqual([
      image,
      { type: 'text', text: '{"score":5}' },
    ]);
  });

  it.each(addresses)('has the address of a picture in the form of %s', (_, item) => {
    expect(toolContent([item])).toEqual([{ ...image, data: new URL(url) }]);
  });

  it.each(data)('is data: %j', (output) => {
    expect(toolContent(output)).toEqual([{ type: 'text', text: JSON.stringify(output) }]);
  });

  it('may be texts, links and structured content of MCP', () => {
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    const text = { type: 'resource', resource: { uri: 'file:///b', text: 'b' } };
    expect(toolContent({ content: [here, link, text], isError: false })).toEqual([
      here,
      { type: 'text', text: 'a (file:///a)' },
      { type: 'text', text: 'b' },
    ]);
    const structured = { content: [pictures[0]?.[1] ?? null], structuredContent: { n: 1 } };
    expect(toolContent(structured)).toEqual([image, { type: 'text', text: '{"n":1}' }]);
  });

  it('is named where only texts are taken', () => {
    const output = [here, { type: 'image', data: PNG, mimeType: 'image/png' }] as const;
    const part = { type: 'tool-result', id: 'a', name: 't', output } as const;
    expect(toolOutputText(part)).toBe('here\n[file: image/png]');
  });

  it('keeps the bytes that a tool returns', async () => {
    const tool = defineTool({
      name: 'shot',
      input: { type: 'object' },
      execute: () => [here, { type: 'file', mediaType: 'image/png', data: png, name: 'a.png' }],
    });
    const model = scriptedModel([[{ type: 'tool-call', id: 'a', name: 'shot', input: {} }], 'ok']);
    const { messages } = await runTools(model, 'look', [tool]);
    const [result] = messages[1]?.parts ?? [];
    expect(result).toMatchObject({
      type: 'tool-result',
      output: [here, { type: 'file', mediaType: 'image/png', data: PNG, name: 'a.png' }],
    });
    expect(toolContent(result?.type === 'tool-result' ? result.output : null)).toEqual([
      here,
      { ...image, name: 'a.png' },
    ]);
  });
});

const shots: readonly Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'look' }] },
  {
    role: 'assistant',
    parts: ['a', 'b'].map((id) => ({ type: 'tool-call', id, name: 'shot', input: {} }) as const),
  },
  ...['a', 'b'].map((id): Message => {
    const output = [here, { type: 'image', data: PNG, mimeType: 'image/png' }];
    return { role: 'tool', parts: [{ type: 'tool-result', id, name: 'shot', output }] };
  }),
];

describe('pictures of two results', () => {
  async function sent(model: (server: string) => ChatModel) {
    const llm = await fakeServer();
    await model(llm.url).generate({ messages: shots });
    return llm.requests[0]?.body ?? {};
  }

  it('come after both results on Chat Completions', async () => {
    const body = await sent((server) =>
      openai({ model: 'm', apiKey: KEY, baseURL: `${server}/v1` }),
    );
    const shown = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'a', content: 'here\n[file: image/png]' },
      { role: 'tool', tool_call_id: 'b' },
      { role: 'user', content: [{ type: 'text' }, shown, { type: 'text' }, shown] },
    ]);
  });

  it('are in the results on Responses', async () => {
    const body = await sent((server) =>
      openaiResponses({ model: 'm', apiKey: KEY, baseURL: `${server}/v1` }),
    );
    const content = [
      { type: 'input_text', text: 'here' },
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
    ];
    const results = (body['input'] as { type: string }[]).slice(-2);
    expect(results).toMatchObject([
      { type: 'function_call_output', call_id: 'a', output: content },
      { type: 'function_call_output', call_id: 'b', output: content },
    ]);
  });

  it.each([
    ['gemini-3-flash', true],
    ['gemini-2.5-flash', false],
  ])('are parts of the results, or next to them, for %s', async (model, isInside) => {
    const body = await sent((server) => gemini({ model, apiKey: KEY, baseURL: server }));
    const shown = { inlineData: { mimeType: 'image/png', data: PNG } };
    const result = (more: object): object => ({
      functionResponse: { name: 'shot', response: { output: 'here\n[file: image/png]' }, ...more },
    });
    const [, , results] = body['contents'] as object[];
    expect(results).toMatchObject({
      parts: isInside
        ? [result({ parts: [shown] }), result({ parts: [shown] })]
        : [result({}), shown, result({}), shown],
    });
  });

  it('are in the results on Anthropic and Ollama', async () => {
    const messages = await sent((server) =>
      anthropic({ model: 'm', apiKey: KEY, baseURL: server }),
    );
    const block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
    expect(messages['messages']).toMatchObject([
      {},
      {},
      { content: [{ content: [here, block] }, { content: [here, block] }] },
    ]);
    const lines = await sent((server) => ollama({ model: 'm', host: server }));
    expect(lines['messages']).toMatchObject([{}, {}, { images: [PNG] }, { images: [PNG] }]);
  });
});
