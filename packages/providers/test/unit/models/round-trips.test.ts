import { textMessage, type ChatModel, type ChatRequest } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { openai, type OpenAIProfileName } from '@vizprompt/providers/openai';
import type { FakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import {
  candidate,
  delta,
  refusal,
  sse,
  type ServerAnswer,
} from '../../support/models/forms/form.ts';

const asked = textMessage('user', 'x');

async function serving(...answers: readonly ServerAnswer[]): Promise<FakeLLM> {
  const llm = await fakeServer();
  for (const { body, headers, status = 200 } of answers) {
    llm.fail({ type: 'status', status, body, ...(headers && { headers }) });
  }
  return llm;
}

const chat = ({ url }: FakeLLM, profile?: OpenAIProfileName): ChatModel =>
  openai({ model: `m-${url}`, apiKey: KEY, baseURL: `${url}/v1`, ...(profile && { profile }) });

/** Returns the message that an answer becomes in the next request. */
async function sentBack(llm: FakeLLM, model: ChatModel): Promise<unknown> {
  const { parts } = await model.generate({ messages: [asked] });
  await model.generate({ messages: [asked, { role: 'assistant', parts }, asked] });
  const { messages, contents } = llm.requests.at(-1)?.body ?? {};
  const said: unknown = messages ?? contents;
  return Array.isArray(said) ? said[1] : undefined;
}

const call = { index: 0, id: 'a', function: { name: 'w', arguments: '{}' } };
const details = (...list: readonly object[]): object => delta({ reasoning_details: list });

/** Two details of one index, mixed, and one of another. */
const thoughtful = sse(
  details({ type: 'reasoning.text', text: 'Let', index: 0, format: 'x' }),
  details(
    { type: 'reasoning.text', text: ' me', index: 0 },
    { type: 'reasoning.encrypted', data: 'AA', index: 0 },
  ),
  details(
    { type: 'reasoning.encrypted', data: 'BB', index: 0 },
    { type: 'reasoning.text', text: ' see', index: 0 },
  ),
  details(
    { type: 'reasoning.text', signature: 'SIG', index: 0 },
    { type: 'reasoning.summary', summary: 'in ', index: 1 },
  ),
  details({ type: 'reasoning.summary', summary: 'short', index: 1 }),
  delta({ tool_calls: [call] }, 'tool_calls'),
);

describe('reasoning goes back whole', () => {
  it('to OpenRouter: details by index and type, with their signatures', async () => {
    const again = await serving(thoughtful);
    const message = await sentBack(again, openRouter(again));
    expect(message).toMatchObject({
      reasoning_details: [
        { type: 'reasoning.text', text: 'Let me see', index: 0, format: 'x', signature: 'SIG' },
        { type: 'reasoning.encrypted', data: 'AABB', index: 0 },
        { type: 'reasoning.summary', summary: 'in short', index: 1 },
      ],
    });
  });

  it('to LiteLLM: thinking blocks, each with its signature', async () => {
    const block = (thinking: string, signature: string | null): object =>
      delta({
        reasoning_content: thinking,
        thinking_blocks: [{ type: 'thinking', thinking, signature }],
      });
    const redacted = delta({ thinking_blocks: [{ type: 'redacted_thinking', data: 'X' }] });
    const end = delta({ tool_calls: [call] }, 'tool_calls');
    const llm = await serving(
      sse(
        block('a', null),
        block('b', null),
        block('', 'ONE'),
        redacted,
        block('c', null),
        block('', 'TWO'),
        end,
      ),
    );
    expect(await sentBack(llm, chat(llm))).toMatchObject({
      thinking_blocks: [
        { type: 'thinking', thinking: 'ab', signature: 'ONE' },
        { type: 'redacted_thinking', data: 'X' },
        { type: 'thinking', thinking: 'c', signature: 'TWO' },
      ],
    });
  });

  it.each([
    ['extra_content', { google: { thought_signature: 'SIG' } }],
    ['provider_specific_fields', { thought_signature: 'SIG' }],
  ])('to Gemini by way of others: %s of a call', async (field, signed) => {
    const llm = await serving(
      sse(delta({ tool_calls: [{ ...call, [field]: signed }] }, 'tool_calls')),
    );
    expect(await sentBack(llm, chat(llm))).toMatchObject({ tool_calls: [{ [field]: signed }] });
  });

  it('to Gemini by way of others: the signature within a function, and of a text', async () => {
    const signed = { provider_specific_fields: { thought_signature: 'SIG' } };
    const inFunction = { ...call, function: { ...call.function, ...signed } };
    const ofCall = await serving(sse(delta({ tool_calls: [inFunction] }, 'tool_calls')));
    expect(await sentBack(ofCall, chat(ofCall))).toMatchObject({
      tool_calls: [{ function: { name: 'w', ...signed } }],
    });
    const extra = { extra_content: { google: { thought_signature: 'SIG' } } };
    const ofText = await serving(sse(delta({ content: 'a', ...extra }, 'stop')));
    expect(await sentBack(ofText, chat(ofText))).toMatchObject({ content: 'a', ...extra });
    // Others do not know the field.
    const other = await serving(sse(delta({ content: 'a', ...extra }, 'stop')));
    expect(await sentBack(other, chat(other, 'groq'))).not.toHaveProperty('extra_content');
  });

  it('to Mistral: thoughts as a part of the content', async () => {
    const thinking = [{ type: 'text', text: 'hm' }];
    const llm = await serving(
      sse(delta({ content: [{ type: 'thinking', thinking }] }), delta({ content: 'a' }, 'stop')),
    );
    expect(await sentBack(llm, chat(llm, 'mistral'))).toMatchObject({
      content: [
        { type: 'thinking', thinking },
        { type: 'text', text: 'a' },
      ],
    });
  });

  it.each([
    ['MiniMax', { reasoning_details: [{ type: 'reasoning.text', text: 'hm', index: 0 }] }],
    ['Copilot', { reasoning_text: 'hm', reasoning_opaque: 'X' }],
  ])('to %s: its own records', async (_, records) => {
    const llm = await serving(sse(delta(records), delta({ content: 'a' }, 'stop')));
    expect(await sentBack(llm, chat(llm))).toMatchObject({ content: 'a', ...records });
  });

  it('to Gemini: what it ran itself, and its signatures', async () => {
    const search = {
      toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { q: 'x' }, id: 'z' },
      thoughtSignature: 'U0lH',
    };
    const found = { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: { a: 1 }, id: 'z' } };
    const llm = await serving(
      sse(candidate([search, found, { text: 'a', thoughtSignature: 'U0lI' }], 'STOP')),
    );
    const model = gemini({ model: 'gemini-3', apiKey: KEY, baseURL: llm.url });
    expect(await sentBack(llm, model)).toMatchObject({
      parts: [search, found, { text: 'a', thoughtSignature: 'U0lI' }],
    });
  });
});

function openRouter({ url }: FakeLLM): ChatModel {
  return openai({ model: 'm', apiKey: KEY, baseURL: `${url}/v1`, profile: 'openrouter' });
}

describe('a refusal', () => {
  const tools = [{ name: 'w', parameters: { type: 'object' } }];
  const ask = (more: Partial<ChatRequest>): ChatRequest => ({ messages: [asked], ...more });
  const bodies = (llm: FakeLLM): readonly unknown[] => llm.requests.map(({ body }) => body);

  it('of a combination holds for that combination only', async () => {
    const sentence =
      'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions.';
    const llm = await serving(refusal('openai', 400, sentence, { param: 'reasoning_effort' }));
    const model = chat(llm);
    await model.generate(ask({ tools, reasoning: 'high' }));
    const { warnings } = await model.generate(ask({ tools, reasoning: 'high' }));
    expect(warnings).toMatchObject([{ field: 'reasoning' }]);
    expect(bodies(llm)[2]).not.toHaveProperty('reasoning_effort');
    await model.generate(ask({ reasoning: 'high' }));
    expect(bodies(llm)).toHaveLength(4);
    expect(bodies(llm)[3]).toMatchObject({ reasoning_effort: 'high' });
  });

  it('of a value holds for that value only', async () => {
    const sentence =
      "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low' and 'high'.";
    const more = { param: 'reasoning_effort', code: 'unsupported_value' };
    const llm = await serving(refusal('openai', 400, sentence, more));
    const model = chat(llm);
    await model.generate(ask({ reasoning: 'minimal' }));
    await model.generate(ask({ reasoning: 'minimal' }));
    await model.generate(ask({ reasoning: 'high' }));
    const efforts = bodies(llm).map(
      (body) => (body as Record<string, unknown>)['reasoning_effort'],
    );
    expect(efforts).toEqual(['minimal', 'low', 'low', 'high']);
  });

  it('of a schema leads step by step to words, and is remembered', async () => {
    const no = refusal('openai', 400, 'This response_format type is unavailable now');
    const llm = await serving(no, no);
    const model = chat(llm);
    const output = { type: 'json', schema: { type: 'object', title: 'Cat' } } as const;
    await model.generate(ask({ output }));
    await model.generate(ask({ output }));
    const formats = bodies(llm).map(
      (body) => (body as { response_format?: { type: string } }).response_format?.type,
    );
    expect(formats).toEqual(['json_schema', 'json_object', undefined, undefined]);
    expect(JSON.stringify(bodies(llm)[3])).toContain('Cat');
  });

  it('of everything ends', async () => {
    const llm = await serving(
      ...Array.from({ length: 30 }, () => refusal('openai', 400, 'Unknown parameter: seed')),
    );
    await expect(chat(llm).generate(ask({ seed: 1 }))).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(bodies(llm)).toHaveLength(2);
  });
});

it('a picture of many pieces is read in one piece', async () => {
  const data = Buffer.alloc(3_000_000, 7);
  const url = `data:image/png;base64,${data.toString('base64')}`;
  const llm = await serving(sse(delta({ images: [{ image_url: { url } }] }), delta({}, 'stop')));
  const { parts } = await chat(llm).generate({ messages: [asked] });
  const [part] = parts;
  const bytes = part?.type === 'file' && part.data instanceof Uint8Array ? part.data : undefined;
  expect(bytes && Buffer.compare(bytes, data)).toBe(0);
});
