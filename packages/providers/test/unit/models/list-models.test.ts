import type { ModelCapabilities } from '@vizprompt/providers';
import { compose, retry } from '@vizprompt/providers/middleware';
import { anthropic } from '@vizprompt/providers/anthropic';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, type OpenAIProfileName } from '@vizprompt/providers/openai';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { readCapabilities } from '../../../src/adapter-kit/model-record.ts';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

describe('the models of a server', () => {
  it('are listed with what is known of them', async () => {
    const llm = await fakeServer({ models: ['a', 'b'], contextLength: 4096 });
    const openAI = openai({ model: 'x', apiKey: KEY, baseURL: `${llm.url}/v1` });
    const listed = await openAI.listModels?.();
    expect(listed?.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(listed?.[0]).toMatchObject({
      capabilities: { tools: true, jsonSchema: true },
      raw: { id: 'a', owned_by: 'fake' },
    });
    const google = await gemini({ model: 'x', apiKey: KEY, baseURL: llm.url }).listModels?.();
    expect(google).toMatchObject([
      { id: 'a', capabilities: { contextWindow: 4096, maxOutputTokens: 8192 } },
      { id: 'b' },
    ]);
    const claude = await anthropic({ model: 'x', apiKey: KEY, baseURL: llm.url }).listModels?.();
    expect(claude).toMatchObject([
      { id: 'a', capabilities: { contextWindow: 4096, maxOutputTokens: 64_000 }, raw: { id: 'a' } },
      { id: 'b' },
    ]);
    const local = await ollama({ model: 'x', host: llm.url }).listModels?.();
    expect(local).toMatchObject([
      { capabilities: { tools: true, reasoning: true, contextWindow: 4096 } },
      {},
    ]);
    expect(local?.map(({ id }) => id.replace(':latest', ''))).toEqual(['a', 'b']);
  });

  it('are read page by page from Anthropic', async () => {
    const llm = await fakeServer();
    const page = (id: string, more: boolean): object => ({
      data: [{ type: 'model', id }],
      has_more: more,
      last_id: id,
    });
    for (const body of [page('claude-opus-5', true), page('b', false)]) {
      llm.fail({ type: 'status', status: 200, body });
    }
    const models = await anthropic({ model: 'x', apiKey: KEY, baseURL: llm.url }).listModels?.();
    expect(models).toMatchObject([
      { id: 'claude-opus-5', capabilities: { contextWindow: 1_000_000, reasoning: true } },
      { id: 'b' },
    ]);
    expect(llm.requests[1]?.path).toContain('after_id=claude-opus-5');
  });

  it('are listed through layers and by a registry', async () => {
    const llm = await fakeServer({ models: ['a'] });
    const settings = { baseURL: `${llm.url}/v1`, apiKey: KEY };
    const layered = compose(openai({ model: 'x', ...settings }), retry());
    expect(await layered.listModels?.()).toMatchObject([{ id: 'a' }]);
    const registry = createModelRegistry({ house: settings, own: () => scriptedModel(['x']) });
    expect(await registry.listModels?.('house')).toMatchObject([{ id: 'a' }]);
    expect(await registry.listModels?.('ollama', { baseURL: llm.url })).toHaveLength(1);
    await expect(registry.listModels?.('own')).rejects.toMatchObject({ code: 'unsupported' });
    await expect(registry.listModels?.('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are refused as any call is', async () => {
    const llm = await fakeServer({ apiKey: KEY });
    const model = openai({ model: 'x', apiKey: 'sk-wrong-key', baseURL: `${llm.url}/v1` });
    await expect(model.listModels?.()).rejects.toMatchObject({ code: 'auth' });
    const signal = AbortSignal.abort();
    await expect(model.listModels?.({ signal })).rejects.toMatchObject({ code: 'aborted' });
  });

  it('are none where Ollama has none', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'status', status: 200, body: { models: null } });
    expect(await ollama({ model: 'x', host: llm.url }).listModels?.()).toEqual([]);
  });

  it.each([
    ['a list alone (Together)', [{ id: 'a' }]],
    ['`models` (llama.cpp)', { models: [{ name: 'a', model: 'a' }] }],
    ['a list of names', { data: ['a'] }],
    ['`data`', { object: 'list', data: [{ id: 'a' }] }],
  ])('are read from %s', async (_, body) => {
    const llm = await fakeServer();
    llm.fail({ type: 'status', status: 200, body });
    const model = openai({ model: 'x', apiKey: KEY, baseURL: `${llm.url}/v1` });
    expect((await model.listModels?.())?.map(({ id }) => id)).toEqual(['a']);
  });

  it.each<readonly [OpenAIProfileName, string, ModelCapabilities]>([
    ['openai', 'gpt-5-mini', { reasoning: true, inputMediaTypes: ['image/*', 'application/pdf'] }],
    ['openai', 'gpt-4.1', { reasoning: false, inputMediaTypes: ['image/*', 'application/pdf'] }],
    ['openai', 'gpt-3.5-turbo', { reasoning: false }],
    ['openai', 'o3-mini', { reasoning: true }],
    ['deepseek', 'deepseek-chat', { jsonSchema: false }],
    ['mistral', 'mistral-large-latest', { jsonSchema: true }],
  ])('can do what the profile %s and the name %s imply', (profile, model, known) => {
    const { capabilities } = openai({ model, profile, apiKey: KEY });
    expect(capabilities).toEqual({ tools: true, jsonSchema: true, ...known });
  });
});

/** A record of a list of models, and its capabilities. */
type Row = readonly [server: string, record: object, capabilities: ModelCapabilities];

const RECORDS: readonly Row[] = [
  [
    'OpenRouter',
    {
      id: 'a',
      context_length: 200_000,
      architecture: { input_modalities: ['text', 'image', 'file'] },
      top_provider: { max_completion_tokens: 64_000 },
      supported_parameters: ['tools', 'structured_outputs', 'reasoning', 'temperature'],
    },
    {
      tools: true,
      jsonSchema: true,
      reasoning: true,
      inputMediaTypes: ['image/*', 'application/pdf'],
      contextWindow: 200_000,
      maxOutputTokens: 64_000,
    },
  ],
  [
    'OpenRouter, a model without tools',
    { context_length: 4096, supported_parameters: ['temperature'] },
    { tools: false, reasoning: false, contextWindow: 4096 },
  ],
  [
    'Groq',
    { context_window: 131_072, max_completion_tokens: 32_768 },
    { contextWindow: 131_072, maxOutputTokens: 32_768 },
  ],
  [
    'Mistral',
    {
      max_context_length: 131_072,
      capabilities: { completion_chat: true, function_calling: true, vision: false },
    },
    { tools: true, contextWindow: 131_072 },
  ],
  ['vLLM', { max_model_len: 32_768 }, { contextWindow: 32_768 }],
  [
    'Fireworks',
    { context_length: 8192, supports_tools: true, supports_image_input: true },
    { tools: true, inputMediaTypes: ['image/*'], contextWindow: 8192 },
  ],
  ['llama.cpp', { meta: { n_ctx_train: 40_960 } }, { contextWindow: 40_960 }],
  [
    'LM Studio',
    { max_context_length: 32_768, capabilities: ['tool_use'] },
    { tools: true, reasoning: false, contextWindow: 32_768 },
  ],
  [
    'GitHub Copilot',
    {
      capabilities: {
        limits: { max_context_window_tokens: 128_000, max_output_tokens: 16_384 },
        supports: { tool_calls: true, vision: true, structured_outputs: true },
      },
    },
    {
      tools: true,
      jsonSchema: true,
      inputMediaTypes: ['image/*'],
      contextWindow: 128_000,
      maxOutputTokens: 16_384,
    },
  ],
  [
    'Anthropic',
    {
      max_input_tokens: 200_000,
      capabilities: {
        image_input: { supported: true },
        structured_outputs: { supported: true },
        thinking: { supported: true },
      },
    },
    {
      jsonSchema: true,
      reasoning: true,
      inputMediaTypes: ['image/*'],
      contextWindow: 200_000,
    },
  ],
  ['OpenAI', { id: 'gpt-5', object: 'model', created: 1, owned_by: 'openai' }, {}],
];

it.each(RECORDS)('a record of %s is read', (_, record, capabilities) => {
  expect(readCapabilities({ ...record })).toEqual(capabilities);
});
