import { textMessage, type Usage } from '@vizprompt/providers';
import { openai } from '@vizprompt/providers/openai';
import { expect, it } from 'vitest';
import { costOf } from '../../../src/middleware/price.ts';
import { fakeServer, KEY } from '../../support/models/adapters.ts';
import { delta, sse } from '../../support/models/forms/form.ts';

/** A dialect: who speaks it and where that is written, what is sent, and what is read. */
type Row = readonly [
  source: string,
  sent: object,
  input: number,
  output: number,
  rest: Omit<Usage, 'inputTokens' | 'outputTokens' | 'raw'>,
];

const usage = (fields: object): object => ({ usage: fields });

const ROWS: readonly Row[] = [
  [
    'OpenAI, Azure (openai/resources/completions.d.ts)',
    usage({
      prompt_tokens: 2006,
      completion_tokens: 300,
      total_tokens: 2306,
      prompt_tokens_details: { cached_tokens: 1920, cache_write_tokens: 80 },
      completion_tokens_details: { reasoning_tokens: 128 },
    }),
    2006,
    300,
    { cachedInputTokens: 1920, cacheWriteInputTokens: 80, reasoningTokens: 128 },
  ],
  [
    'the words of the Responses API (openai/resources/responses.d.ts)',
    usage({
      input_tokens: 125,
      output_tokens: 48,
      total_tokens: 173,
      input_tokens_details: { cached_tokens: 98, cache_write_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 30 },
    }),
    125,
    48,
    { cachedInputTokens: 98, cacheWriteInputTokens: 0, reasoningTokens: 30 },
  ],
  [
    'OpenRouter (openrouter.ai/docs/prompt-caching)',
    usage({
      prompt_tokens: 10_339,
      completion_tokens: 60,
      total_tokens: 10_399,
      cost: 0.01,
      prompt_tokens_details: { cached_tokens: 10_318, cache_write_tokens: 5 },
    }),
    10_339,
    60,
    { cachedInputTokens: 10_318, cacheWriteInputTokens: 5 },
  ],
  [
    'gateways that are made of the AI SDK',
    usage({ promptTokens: 10, completionTokens: 5 }),
    10,
    5,
    {},
  ],
  [
    'DeepSeek (api-docs.deepseek.com)',
    usage({
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 36,
    }),
    100,
    20,
    { cachedInputTokens: 64 },
  ],
  [
    'Claude by way of LiteLLM (docs.litellm.ai/docs/completion/prompt_caching)',
    usage({
      prompt_tokens: 2006,
      completion_tokens: 300,
      total_tokens: 2306,
      prompt_tokens_details: { cached_tokens: 1000, cache_creation_tokens: 900 },
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: 1000,
    }),
    2006,
    300,
    { cachedInputTokens: 1000, cacheWriteInputTokens: 900 },
  ],
  [
    'Claude by way of gateways that count the cache apart, with a total',
    usage({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 1915,
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: 1000,
    }),
    1910,
    5,
    { cachedInputTokens: 1000, cacheWriteInputTokens: 900 },
  ],
  [
    'the words of Anthropic (docs.anthropic.com/en/docs/build-with-claude/prompt-caching)',
    usage({
      input_tokens: 500,
      output_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 100,
    }),
    600,
    5,
    { cachedInputTokens: 100, cacheWriteInputTokens: 0 },
  ],
  [
    'Moonshot, in the choice (platform.moonshot.ai)',
    {
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: 'stop',
          usage: { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23, cached_tokens: 16 },
        },
      ],
    },
    20,
    3,
    { cachedInputTokens: 16 },
  ],
  [
    'Groq, in a field of its own (console.groq.com/docs/prompt-caching)',
    {
      x_groq: {
        usage: {
          prompt_tokens: 40,
          completion_tokens: 4,
          total_tokens: 44,
          prompt_tokens_details: { cached_tokens: 32 },
        },
      },
    },
    40,
    4,
    { cachedInputTokens: 32 },
  ],
  [
    'Mistral (docs.mistral.ai, prompt caching)',
    usage({ prompt_tokens: 50, completion_tokens: 5, total_tokens: 55, num_cached_tokens: 48 }),
    50,
    5,
    { cachedInputTokens: 48 },
  ],
  [
    'xAI, which counts thoughts apart (vercel/ai#12425)',
    usage({
      prompt_tokens: 12,
      completion_tokens: 1,
      total_tokens: 399,
      prompt_tokens_details: { cached_tokens: 11 },
      completion_tokens_details: { reasoning_tokens: 386 },
    }),
    12,
    387,
    { cachedInputTokens: 11, reasoningTokens: 386 },
  ],
  [
    'Gemini by way of OpenAI’s protocol (clarifai-python#978)',
    usage({ prompt_tokens: 20, completion_tokens: 424, total_tokens: 1016 }),
    20,
    996,
    { reasoningTokens: 572 },
  ],
  [
    'Gemini’s own words, from a gateway',
    usage({
      promptTokenCount: 20,
      candidatesTokenCount: 4,
      totalTokenCount: 34,
      thoughtsTokenCount: 10,
      cachedContentTokenCount: 8,
    }),
    20,
    14,
    { reasoningTokens: 10, cachedInputTokens: 8 },
  ],
  [
    'Bedrock’s own words, from a gateway',
    usage({
      inputTokens: 7,
      outputTokens: 3,
      totalTokens: 60,
      cacheReadInputTokens: 40,
      cacheWriteInputTokens: 10,
    }),
    57,
    3,
    { cachedInputTokens: 40, cacheWriteInputTokens: 10 },
  ],
  [
    'DashScope (help.aliyun.com, context cache)',
    usage({
      prompt_tokens: 3019,
      completion_tokens: 104,
      total_tokens: 3123,
      prompt_tokens_details: { cached_tokens: 2048, cache_creation_input_tokens: 900 },
    }),
    3019,
    104,
    { cachedInputTokens: 2048, cacheWriteInputTokens: 900 },
  ],
  [
    'SGLang, Perplexity',
    usage({ prompt_tokens: 9, completion_tokens: 8, total_tokens: 17, reasoning_tokens: 6 }),
    9,
    8,
    { reasoningTokens: 6 },
  ],
  ['numbers as text', usage({ prompt_tokens: '9', completion_tokens: '8' }), 9, 8, {}],
  ['Cohere (docs.cohere.com)', usage({ tokens: { input_tokens: 9, output_tokens: 8 } }), 9, 8, {}],
  [
    'Gemini by way of others',
    { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 8, totalTokenCount: 17 } },
    9,
    8,
    {},
  ],
  ['Ollama by way of others', { prompt_eval_count: 9, eval_count: 8 }, 9, 8, {}],
  [
    'llama.cpp (tools/server/README.md)',
    { timings: { prompt_n: 4, cache_n: 12, predicted_n: 3 } },
    16,
    3,
    { cachedInputTokens: 12 },
  ],
];

it.each(ROWS)('is read in the dialect of %s', async (_, sent, inputTokens, outputTokens, rest) => {
  const llm = await fakeServer();
  const { headers, body } = sse(
    delta({ content: 'はい' }),
    { ...delta({}, 'stop'), ...sent },
    'data: [DONE]\n\n',
  );
  llm.fail({ type: 'status', status: 200, body, ...(headers && { headers }) });
  const model = openai({ model: 'm', apiKey: KEY, baseURL: `${llm.url}/v1` });
  const { raw: _raw, ...read } = (await model.generate({ messages: [textMessage('user', '猫？')] }))
    .usage;
  expect(read).toEqual({ inputTokens, outputTokens, ...rest });
});

it('is nothing where a server says -1', async () => {
  const llm = await fakeServer();
  const counts = usage({ prompt_tokens: -1, completion_tokens: -1 });
  const { headers, body } = sse(delta({ content: 'はい' }), { ...delta({}, 'stop'), ...counts });
  llm.fail({ type: 'status', status: 200, body, ...(headers && { headers }) });
  const model = openai({ model: 'm', apiKey: KEY, baseURL: `${llm.url}/v1` });
  const { usage: read } = await model.generate({ messages: [textMessage('user', '猫？')] });
  expect(read).toEqual({});
});

it('is paid for share by share, each at its price or that of the whole', () => {
  const price = { inputPerMillion: 2, outputPerMillion: 8 };
  const used = {
    inputTokens: 1000,
    cachedInputTokens: 600,
    cacheWriteInputTokens: 300,
    outputTokens: 100,
    reasoningTokens: 60,
  };
  expect(costOf(used, price)).toBeCloseTo(0.0028, 12);
  const cents = { cachedInputPerMillion: 0.2, cacheWriteInputPerMillion: 2.5 };
  expect(costOf(used, { ...price, ...cents })).toBeCloseTo(0.00187, 12);
  expect(costOf(used, { ...price, reasoningPerMillion: 4 })).toBeCloseTo(0.00256, 12);
  // Shares are never more than the whole.
  const odd = { ...used, cachedInputTokens: 900, cacheWriteInputTokens: 900 };
  expect(costOf(odd, { ...price, ...cents })).toBeCloseTo(0.00123, 12);
});
