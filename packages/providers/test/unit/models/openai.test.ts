import { textMessage, type ChatModel } from '@vizprompt/providers';
import {
  openai,
  openaiEmbeddings,
  openAIProfiles,
  type OpenAIProfileName,
} from '@vizprompt/providers/openai';
import { describe, expect, it } from 'vitest';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('system', 'Be brief.'), textMessage('user', '猫？')] };
const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};

function model(url: string, profile?: OpenAIProfileName, name = 'm'): ChatModel {
  const options = { model: name, apiKey: KEY, baseURL: `${url}/v1` };
  return openai(profile ? { ...options, profile } : options);
}

describe('profiles', () => {
  it('are data: what goes over the wire differs by nothing else', async () => {
    const sent: Record<string, unknown> = {};
    for (const profile of Object.keys(openAIProfiles) as OpenAIProfileName[]) {
      const llm = await fakeServer();
      await model(llm.url, profile).generate({
        ...request,
        maxOutputTokens: 100,
        topK: 5,
        reasoning: 'low',
        output: { type: 'json', schema },
        tools: [{ name: 't', parameters: schema }],
        toolChoice: 'required',
      });
      const { messages, response_format: form, ...body } = llm.requests[0]?.body ?? {};
      const [first] = messages as { role: string }[];
      const { type } = (form ?? { type: 'none' }) as { type: string };
      sent[profile] = { first: first?.role, form: type, fields: Object.keys(body).toSorted() };
    }
    expect(sent).toMatchInlineSnapshot(`
      {
        "compatible": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "deepseek": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "thinking",
            "tool_choice",
            "tools",
          ],
          "first": "system",
          "form": "json_object",
        },
        "gemini-openai": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "groq": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "llamacpp": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
            "top_k",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "lmstudio": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "mistral": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "tool_choice",
            "tools",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "ollama": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tools",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "openai": {
          "fields": [
            "max_completion_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
          ],
          "first": "developer",
          "form": "json_schema",
        },
        "openrouter": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
            "top_k",
          ],
          "first": "system",
          "form": "json_schema",
        },
        "vllm": {
          "fields": [
            "max_tokens",
            "model",
            "reasoning_effort",
            "stream",
            "stream_options",
            "tool_choice",
            "tools",
            "top_k",
          ],
          "first": "system",
          "form": "json_schema",
        },
      }
    `);
  });

  it('are found by the host, and careful where it is not known', () => {
    const provider = (baseURL: string): string => openai({ model: 'm', baseURL }).provider;
    expect(provider('https://api.openai.com/v1')).toBe('openai');
    expect(provider('https://openrouter.ai/api/v1')).toBe('openrouter');
    expect(provider('https://api.groq.com/openai/v1')).toBe('groq');
    expect(provider('http://localhost:9999/v1')).toBe('openai-compatible');
  });

  it('may be of one’s own', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'truncate', afterChunks: 99 });
    const profile = { ...openAIProfiles.vllm, name: 'mine', requireFinish: false };
    const own = openai({ model: 'm', baseURL: `${llm.url}/v1`, profile });
    expect(await own.generate(request)).toMatchObject({ finishReason: 'unknown' });
    expect(own.provider).toBe('mine');
  });
});

describe('a field that the server refuses', () => {
  it('is left out once and for all, with a warning, and only where it is refused', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'unsupported-field', field: 'temperature' });
    const first = await model(llm.url).generate({ ...request, temperature: 0.5 });
    expect(first.warnings).toEqual([
      {
        field: 'temperature',
        message: "the server does not take 'temperature'; it was left out",
      },
    ]);
    await model(llm.url).generate({ ...request, temperature: 0.5 });
    await model(llm.url, undefined, 'other').generate({ ...request, temperature: 0.5 });
    expect(llm.requests.map(({ body }) => 'temperature' in body)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('is sent by its other name if it has one', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'unsupported-field', field: 'max_tokens' });
    const { warnings } = await model(llm.url).generate({ ...request, maxOutputTokens: 9 });
    expect(warnings).toEqual([]);
    expect(llm.requests[1]?.body).toMatchObject({ max_completion_tokens: 9 });
  });

  it('is an error if the request means nothing without it', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'unsupported-field', field: 'messages' });
    await expect(model(llm.url).generate(request)).rejects.toMatchObject({ status: 400 });
    expect(llm.requests).toHaveLength(1);
  });
});

describe('reasoning', () => {
  const answer = [
    { type: 'reasoning', text: '考える' },
    { type: 'tool-call', id: 'c1', name: 't', input: {} },
  ] as const;

  it.each([
    ['deepseek', 'reasoning_content', true],
    ['vllm', 'reasoning', true],
    ['openrouter', 'reasoning', true],
    ['groq', 'reasoning', false],
  ] as const)('goes back to %s as %s: %s', async (profile, field, isSent) => {
    const reasoningField = field === 'reasoning' ? 'reasoning' : 'reasoning_content';
    const llm = await fakeServer({ reasoningField });
    llm.answer(answer, 'ok');
    const spoken = model(llm.url, profile);
    const { parts } = await spoken.generate(request);
    expect(parts[0]).toMatchObject({ type: 'reasoning', text: '考える' });
    await spoken.generate({
      messages: [
        ...request.messages,
        { role: 'assistant', parts },
        { role: 'tool', parts: [{ type: 'tool-result', id: 'c1', name: 't', output: 1 }] },
      ],
    });
    const { messages = [] } = (llm.requests[1]?.body ?? {}) as {
      messages?: Record<string, unknown>[];
    };
    const assistant = messages.find(({ role }) => role === 'assistant');
    expect(assistant?.[field]).toBe(isSent ? '考える' : undefined);
  });
});

describe('embeddings', () => {
  it('are asked for as numbers, whatever the SDK would do', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'base64-ignored' });
    const embeddings = openaiEmbeddings({ model: 'e', baseURL: `${llm.url}/v1`, apiKey: KEY });
    const { vectors } = await embeddings.embed({ values: ['猫'] });
    expect(vectors[0]).toHaveLength(8);
    expect(llm.requests[0]?.body['encoding_format']).toBe('float');
  });

  it('are put back in order, batch by batch', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'shuffled' }, { type: 'shuffled' }, { type: 'shuffled' });
    const options = { model: 'e', baseURL: `${llm.url}/v1`, apiKey: KEY, maxBatch: 4 };
    const values = Array.from({ length: 10 }, (_, at) => `text ${at}`);
    const { vectors, usage } = await openaiEmbeddings(options).embed({ values });
    expect(llm.requests.map(({ body }) => (body['input'] as unknown[]).length)).toEqual([4, 4, 2]);
    expect(usage.inputTokens).toBeGreaterThan(0);
    for (const [at, value] of values.entries()) {
      const alone = await openaiEmbeddings(options).embed({ values: [value] });
      expect(vectors[at]).toEqual(alone.vectors[0]);
    }
  });
});
