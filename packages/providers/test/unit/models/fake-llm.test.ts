import type { Part } from '@vizprompt/providers';
import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CALLS,
  gemini,
  json,
  listOf,
  messages,
  ollama,
  openai,
  post,
  TEXT,
} from './fake-llm-clients.ts';

const THOUGHT: Part = { type: 'reasoning', text: '猫について考える。' };

let llm: FakeLLM;
beforeEach(async () => {
  llm = await startFakeLLM();
});
afterEach(() => llm.close());

describe('OpenAI', () => {
  const stream = (options: object = { stream_options: { include_usage: true } }) =>
    openai(llm)
      .chat.completions.create({ model: 'm', messages, stream: true, ...options })
      .then(listOf);

  it('streams text with a role, a finish reason and, when asked for, usage', async () => {
    const chunks = await stream();
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(TEXT);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 4, completion_tokens: 15, total_tokens: 19 },
    });
    expect((await stream({})).some(({ usage }) => usage)).toBe(false);
    expect(llm.requests[0]).toMatchObject({
      wire: 'openai',
      kind: 'chat',
      model: 'm',
      method: 'POST',
      path: '/v1/chat/completions',
      isStream: true,
      isClosedEarly: false,
      body: { messages },
    });
  });

  it('streams tool calls in fragments, each with its index', async () => {
    llm.answer(CALLS);
    const chunks = await stream();
    const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const joined = [0, 1].map((index) => {
      const own = deltas.filter((delta) => delta.index === index);
      return [
        own[0]?.id,
        own[0]?.function?.name,
        own.map((delta) => delta.function?.arguments).join(''),
      ];
    });
    expect(joined).toEqual([
      ['call_1', 'weather', '{"city":"東京","days":[1,2]}'],
      ['call_2', 'clock', '{}'],
    ]);
    expect(deltas.length).toBeGreaterThan(6);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('puts reasoning into the field that was chosen', async () => {
    llm.answer([THOUGHT, { type: 'text', text: 'はい' }]);
    const chunks = JSON.stringify(await stream());
    expect(chunks).toContain('"reasoning_content":"猫につい"');
    expect(chunks).toContain('"completion_tokens":11');
    expect(chunks).toContain('"reasoning_tokens":9');

    await using other = await startFakeLLM({ reasoningField: 'reasoning', answer: [THOUGHT] });
    const response = await post(`${other.url}/chat/completions`, { model: 'm', messages });
    expect(await response.json()).toMatchObject({
      choices: [{ message: { reasoning: '猫について考える。' } }],
    });
  });

  it('answers as a whole', async () => {
    llm.answer({
      parts: [{ type: 'text', text: 'は' }, ...CALLS],
      finishReason: 'length',
      usage: { inputTokens: 10, outputTokens: 20, cachedInputTokens: 5 },
    });
    const completion = await openai(llm).chat.completions.create({ model: 'm', messages });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'length',
      message: {
        role: 'assistant',
        content: 'は',
        tool_calls: [{ id: 'call_1', function: { name: 'weather' } }, { id: 'call_2' }],
      },
    });
    expect(completion.usage).toMatchObject({
      total_tokens: 30,
      prompt_tokens_details: { cached_tokens: 5 },
    });
  });

  it('embeds as base64 and as numbers, the same text always to the same vector', async () => {
    const create = (input: string | string[], options: object = {}) =>
      openai(llm).embeddings.create({ model: 'e', input, ...options });
    const packed = await create(['猫', '犬']);
    const plain = await create(['犬', '猫'], { encoding_format: 'float' });
    expect(packed.data[0]?.embedding).toEqual(plain.data[1]?.embedding);
    expect(packed.data[0]?.embedding).not.toEqual(packed.data[1]?.embedding);
    expect(packed.data[0]?.embedding).toHaveLength(8);
    expect(Math.hypot(...(plain.data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
    expect((await create('猫', { dimensions: 3 })).data[0]?.embedding).toHaveLength(3);
    expect(packed.usage.prompt_tokens).toBe(2);

    llm.fail({ type: 'base64-ignored' }, { type: 'shuffled' });
    const ignored = await post(`${llm.url}/v1/embeddings`, {
      model: 'e',
      input: '猫',
      encoding_format: 'base64',
    });
    expect((await json(ignored)).data[0].embedding).toHaveLength(8);
    const shuffled = await create(['犬', '猫'], { encoding_format: 'float' });
    expect(shuffled.data.map(({ index }) => index)).toEqual([1, 0]);
    expect(shuffled.data[0]?.embedding).toEqual(plain.data[1]?.embedding);
  });

  it('lists models, and knows only those', async () => {
    await using strict = await startFakeLLM({ models: ['a', 'b'], apiKey: 'right' });
    const client = (apiKey: string) => openai(strict, apiKey);
    expect((await listOf(await client('right').models.list())).map(({ id }) => id)).toEqual([
      'a',
      'b',
    ]);
    await expect(
      client('right').chat.completions.create({ model: 'c', messages }),
    ).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(client('wrong').models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });
});

describe('Gemini', () => {
  it.each(['v1beta', 'v1'])(
    'streams text and thoughts, and counts them apart (%s)',
    async (api) => {
      const meta = { gemini: { thoughtSignature: 'c2ln' } };
      llm.answer([THOUGHT, { type: 'text', text: 'はい、猫です。', meta }]);
      const chunks = await listOf(
        await gemini(llm, api).models.generateContentStream({ model: 'm', contents: '猫ですか' }),
      );
      const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
      const join = (isThought: boolean) =>
        parts
          .filter(({ thought = false }) => thought === isThought)
          .map(({ text }) => text)
          .join('');
      expect([join(true), join(false)]).toEqual(['猫について考える。', 'はい、猫です。']);
      expect(parts.filter((part) => part.thoughtSignature).map(({ text }) => text)).toEqual([
        'です。',
      ]);
      expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
      expect(chunks.at(-1)?.usageMetadata).toMatchObject({
        promptTokenCount: 4,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 9,
        totalTokenCount: 20,
      });
      expect(llm.requests[0]).toMatchObject({ wire: 'gemini', model: 'm', isStream: true });
    },
  );

  it('calls functions and finishes with STOP, also as a whole', async () => {
    llm.answer(CALLS);
    const answer = await gemini(llm).models.generateContent({ model: 'm', contents: 'x' });
    expect(answer.functionCalls).toEqual([
      { name: 'weather', args: { city: '東京', days: [1, 2] } },
      { name: 'clock', args: {} },
    ]);
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP');
    expect(llm.requests[0]?.isStream).toBe(false);
  });

  it('counts tokens, embeds and lists models', async () => {
    const { models } = gemini(llm);
    expect((await models.countTokens({ model: 'm', contents: '猫🐈' })).totalTokens).toBe(2);
    const config = { outputDimensionality: 4 };
    const { embeddings } = await models.embedContent({
      model: 'e',
      contents: ['猫', '犬'],
      config,
    });
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([4, 4]);
    const single = await post(`${llm.url}/v1beta/models/e:embedContent`, {
      content: { parts: [{ text: '猫' }] },
      outputDimensionality: 4,
    });
    expect((await json(single)).embedding.values).toEqual(embeddings?.[0]?.values);
    expect((await models.list()).page.map(({ name }) => name)).toEqual(['models/fake']);
    expect((await gemini(llm, 'v1').models.get({ model: 'm' })).inputTokenLimit).toBe(131_072);
    expect(llm.requests.map(({ kind }) => kind)).toEqual([
      'count',
      'embeddings',
      'embeddings',
      'models',
      'models',
    ]);
  });

  it('refuses wrong keys and unknown models in its own way', async () => {
    await using strict = await startFakeLLM({ models: ['a'], apiKey: 'right' });
    const call = (apiKey: string, model: string) =>
      gemini(strict, 'v1beta', apiKey).models.generateContent({ model, contents: 'x' });
    expect((await call('right', 'a')).text).toBe(TEXT);
    const wrong = { status: 400, message: expect.stringContaining('API_KEY_INVALID') };
    await expect(call('wrong', 'a')).rejects.toMatchObject(wrong);
    await expect(call('right', 'b')).rejects.toMatchObject({ status: 404 });
  });
});

describe('Ollama', () => {
  it('streams text and thinking, and counts at the end', async () => {
    llm.answer([THOUGHT, { type: 'text', text: TEXT }]);
    const lines = await listOf(await ollama(llm).chat({ model: 'm', messages, stream: true }));
    expect(lines.map(({ message }) => message.content).join('')).toBe(TEXT);
    expect(lines.map(({ message }) => message.thinking ?? '').join('')).toBe('猫について考える。');
    expect(lines.at(-1)).toMatchObject({
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 4,
      eval_count: 24,
    });
  });

  it('calls tools without ids and with arguments as an object', async () => {
    llm.answer(CALLS, CALLS);
    const lines = await listOf(await ollama(llm).chat({ model: 'm', messages, stream: true }));
    const whole = await ollama(llm).chat({ model: 'm', messages });
    const calls = lines.flatMap(({ message }) => message.tool_calls ?? []);
    expect(calls).toEqual([
      { function: { name: 'weather', arguments: { city: '東京', days: [1, 2] } } },
      { function: { name: 'clock', arguments: {} } },
    ]);
    expect(whole.message.tool_calls).toEqual(calls);
    expect(whole.done_reason).toBe('stop');
  });

  it('embeds, lists models and describes them', async () => {
    const { embeddings } = await ollama(llm).embed({ model: 'e', input: ['猫', '犬'] });
    expect(embeddings.map((vector) => vector.length)).toEqual([8, 8]);
    expect((await ollama(llm).list()).models[0]?.name).toBe('fake');
    const { model_info: info } = await ollama(llm).show({ model: 'm' });
    expect(info).toMatchObject({ 'llama.context_length': 131_072 });
    expect(llm.requests.map(({ kind }) => kind)).toEqual(['embeddings', 'models', 'show']);
  });

  it('cuts long prompts silently, unless truncation is off', async () => {
    const long = [{ role: 'user', content: '猫'.repeat(30) }];
    const options = { num_ctx: 20 };
    const cut = await ollama(llm).chat({ model: 'm', messages: long, options });
    expect(cut.prompt_eval_count).toBe(20);
    const strict = { model: 'm', messages: long, options, truncate: false };
    await expect(ollama(llm).chat(strict)).rejects.toMatchObject({
      status_code: 400,
      error: 'the input length exceeds the context length',
    });
    const roomy = { ...strict, options: { num_ctx: 30 } };
    expect((await ollama(llm).chat(roomy)).prompt_eval_count).toBe(30);
  });

  it('refuses unknown models, and knows them without their tag', async () => {
    await using strict = await startFakeLLM({ models: ['a:latest'] });
    const client = ollama(strict);
    expect((await client.chat({ model: 'a', messages })).message.content).toBe(TEXT);
    await expect(client.chat({ model: 'b', messages })).rejects.toMatchObject({
      status_code: 404,
      error: "model 'b' not found",
    });
  });
});

describe('answers', () => {
  it('come from the queue, then from the function', async () => {
    await using own = await startFakeLLM({
      answer: async ({ body }) => `${JSON.stringify(body['messages']).length}文字`,
    });
    own.answer('一', '二');
    const say = async (): Promise<string> =>
      (await ollama(own).chat({ model: 'm', messages })).message.content;
    expect([await say(), await say(), await say()]).toEqual(['一', '二', '34文字']);
  });

  it('that throw are a failure of the server', async () => {
    await using own = await startFakeLLM({
      answer: () => {
        throw new Error('no idea');
      },
    });
    const response = await post(`${own.url}/api/chat`, { model: 'm', messages });
    expect([response.status, await response.json()]).toEqual([500, { error: 'no idea' }]);
  });

  it('are no answer to unknown addresses and broken requests', async () => {
    expect((await fetch(`${llm.url}/v2/else`)).status).toBe(404);
    expect(llm.requests).toEqual([]);
    const broken = await fetch(`${llm.url}/v1/embeddings`, { method: 'POST', body: '{' });
    expect(broken.status).toBe(400);
  });
});
