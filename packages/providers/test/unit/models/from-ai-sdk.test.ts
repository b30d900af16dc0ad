import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import {
  LLMError,
  textMessage,
  type ChatModel,
  type ChatRequest,
  type EmbeddingModel,
  type LLMErrorCode,
} from '@vizprompt/providers';
import {
  embeddingsFromAiSdk,
  fromAiSdk,
  toAiSdk,
  type AiSdkLanguageModel,
} from '@vizprompt/providers/ai-sdk';
import {
  scriptedModel,
  startFakeLLM,
  type FakeLLM,
  type Fault,
} from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import type {
  EmbeddingModelV4,
  LanguageModelV4,
} from '../../generations/node_modules/@ai-sdk/provider/dist/index.js';

const request: ChatRequest = { messages: [textMessage('user', '猫ですか')] };
const png = new Uint8Array([137, 80, 78, 71]);

async function failureOf(promise: Promise<unknown>): Promise<LLMError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (LLMError.isInstance(error)) return error;
  throw new Error('it did not fail with an LLMError', { cause: error });
}

// Models of both generations are taken as they are.
export const acceptsV3 = (model: LanguageModelV3): ChatModel => fromAiSdk(model);
export const acceptsV4 = (model: LanguageModelV4): ChatModel => fromAiSdk(model);
export const acceptsEmbeddingV4 = (model: EmbeddingModelV4): EmbeddingModel =>
  embeddingsFromAiSdk(model);

function provider(llm: FakeLLM): ReturnType<typeof createOpenAICompatible> {
  const baseURL = `${llm.url}/v1`;
  return createOpenAICompatible({
    name: 'fake',
    baseURL,
    apiKey: 'secret-key',
    includeUsage: true,
  });
}

function chatModel(llm: FakeLLM): ChatModel {
  return fromAiSdk(provider(llm)('some-model'));
}

describe('fromAiSdk on the OpenAI-compatible provider', () => {
  it('answers with text, reasoning, tool calls and usage', async () => {
    await using llm = await startFakeLLM();
    const call = { type: 'tool-call', id: 'call_1', name: 'find', input: { q: ['猫'] } } as const;
    llm.answer({
      parts: [{ type: 'reasoning', text: '考え中' }, { type: 'text', text: 'はい' }, call],
      usage: { inputTokens: 10, outputTokens: 7, reasoningTokens: 3, cachedInputTokens: 4 },
    });
    const result = await chatModel(llm).generate(request);
    expect(result).toMatchObject({
      model: 'some-model',
      text: 'はい',
      finishReason: 'tool-calls',
      rawFinishReason: 'tool_calls',
      usage: { inputTokens: 10, outputTokens: 7, reasoningTokens: 3, cachedInputTokens: 4 },
      warnings: [],
    });
    expect(result.id).toBeTruthy();
    expect(result.parts).toEqual([
      { type: 'reasoning', text: '考え中' },
      { type: 'text', text: 'はい' },
      call,
    ]);
  });

  it('sends the whole conversation, tools and settings', async () => {
    await using llm = await startFakeLLM();
    const tools = [{ name: 'find', description: 'Finds.', parameters: { type: 'object' } }];
    await chatModel(llm).generate({
      messages: [
        textMessage('system', 'Be brief.'),
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'What?' },
            { type: 'file', mediaType: 'image/png', data: png },
          ],
        },
        {
          role: 'assistant',
          parts: [{ type: 'tool-call', id: 'c1', name: 'find', input: { q: 1 } }],
        },
        { role: 'tool', parts: [{ type: 'tool-result', id: 'c1', name: 'find', output: [1] }] },
      ],
      tools,
      toolChoice: { tool: 'find' },
      output: { type: 'json' },
      maxOutputTokens: 99,
      temperature: 0.5,
      topP: 0.9,
      stop: ['END'],
      seed: 7,
      headers: { 'x-trace': 'abc' },
      providerOptions: { fake: { user: 'someone' } },
    });
    expect(llm.requests[0]?.body).toMatchObject({
      model: 'some-model',
      stream: true,
      max_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      stop: ['END'],
      seed: 7,
      user: 'someone',
      response_format: { type: 'json_object' },
      tools: [{ type: 'function', function: tools[0] }],
      tool_choice: { type: 'function', function: { name: 'find' } },
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', function: { name: 'find', arguments: '{"q":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '[1]' },
      ],
    });
    expect(llm.requests[0]?.headers['x-trace']).toBe('abc');
  });

  it('sends a reasoning effort to v4, and warns where v3 has no place for it', async () => {
    await using llm = await startFakeLLM();
    const sdk = provider(llm)('some-model');
    const { warnings } = await fromAiSdk(sdk).generate({ ...request, reasoning: 'low' });
    const isSent = Reflect.get(Object(llm.requests[0]?.body), 'reasoning_effort') === 'low';
    const hasWarning = warnings.some(({ field }) => field === 'reasoning');
    const version: string = sdk.specificationVersion;
    expect({ isSent, hasWarning }).toEqual({
      isSent: version === 'v4',
      hasWarning: version === 'v3',
    });
  });

  const faults: readonly [Fault, LLMErrorCode, outputStarted: boolean][] = [
    [{ type: 'status', status: 401 }, 'auth', false],
    [{ type: 'status', status: 404 }, 'not_found', false],
    [{ type: 'status', status: 503 }, 'overloaded', false],
    [{ type: 'quota' }, 'quota', false],
    [{ type: 'html' }, 'bad_response', false],
    [{ type: 'reset-before-headers' }, 'network', false],
    [{ type: 'stall-before-headers' }, 'timeout', false],
    [{ type: 'reset' }, 'network', true],
    [{ type: 'stall' }, 'timeout', true],
    [{ type: 'truncate' }, 'truncated', true],
    [{ type: 'half-frame' }, 'truncated', true],
    [{ type: 'bad-json' }, 'bad_response', true],
    [{ type: 'in-band-error' }, 'overloaded', true],
  ];
  it.for(faults)('%o is %s', async ([fault, code, outputStarted]) => {
    await using llm = await startFakeLLM();
    llm.fail(fault);
    // A short limit only where it is the end: a busy machine takes that long to answer.
    const timeout = code === 'timeout' ? { firstByteMs: 300, idleMs: 300 } : undefined;
    const error = await failureOf(chatModel(llm).generate({ ...request, timeout }));
    expect({ code: error.code, outputStarted: error.outputStarted }).toEqual({
      code,
      outputStarted,
    });
    expect(error).toMatchObject({ provider: 'fake', modelId: 'some-model' });
    expect(error.message).not.toContain('secret-key');
    expect(await chatModel(llm).generate(request)).toMatchObject({ finishReason: 'stop' });
  });

  it.for(['seconds', 'ms', 'retry-info', 'message'] as const)(
    'knows how long to wait (%s)',
    async (form) => {
      await using llm = await startFakeLLM();
      llm.fail({ type: 'rate-limit', form, waitMs: 3000 });
      const error = await failureOf(chatModel(llm).generate(request));
      expect(error).toMatchObject({ code: 'rate_limit', status: 429, retryAfterMs: 3000 });
    },
  );

  it('reports what the AI SDK itself rejects', async () => {
    await using llm = await startFakeLLM();
    const named = (name: string): Error =>
      Object.assign(new Error('no'), { [Symbol.for(`vercel.ai.error.${name}`)]: true });
    const throwing = (error: unknown) => async (): Promise<never> => {
      throw error;
    };
    const codeFor = async (error: unknown): Promise<string> => {
      const broken = { ...toAiSdk(scriptedModel([])), doStream: throwing(error) };
      return (await failureOf(fromAiSdk(broken).generate(request))).code;
    };
    expect(await codeFor(named('AI_LoadAPIKeyError'))).toBe('auth');
    expect(await codeFor(named('AI_NoSuchModelError'))).toBe('not_found');
    expect(await codeFor(named('AI_UnsupportedFunctionalityError'))).toBe('unsupported');
    expect(await codeFor(new TypeError('fetch failed'))).toBe('network');
    const misplaced: ChatRequest = {
      messages: [{ role: 'user', parts: [{ type: 'reasoning', text: 'hm' }] }],
    };
    expect((await failureOf(chatModel(llm).generate(misplaced))).code).toBe('unsupported');
  });

  it('embeds in batches, in order', async () => {
    await using llm = await startFakeLLM();
    const sdk = provider(llm).embeddingModel('some-model');
    const small = {
      specificationVersion: sdk.specificationVersion,
      provider: sdk.provider,
      modelId: sdk.modelId,
      maxEmbeddingsPerCall: 2,
      doEmbed: sdk.doEmbed.bind(sdk),
    };
    const model = embeddingsFromAiSdk(small);
    const values = ['猫', 'cat', 'dog', 'bird', 'fish'];
    const { vectors, usage } = await model.embed({ values });
    expect(vectors).toEqual((await embeddingsFromAiSdk(sdk).embed({ values })).vectors);
    expect(llm.requests.map(({ body }) => Reflect.get(Object(body), 'input').length)).toEqual([
      2, 2, 1, 5,
    ]);
    expect(usage.inputTokens).toBeGreaterThan(0);
    llm.fail({ type: 'status', status: 401 });
    expect((await failureOf(model.embed({ values }))).code).toBe('auth');
  });
});

describe('fromAiSdk on what providers stream', () => {
  type Streamed =
    Awaited<ReturnType<LanguageModelV3['doStream']>>['stream'] extends ReadableStream<
      infer StreamPart
    >
      ? StreamPart
      : never;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  const finish: Streamed = { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'end' } };

  function streaming(...parts: readonly unknown[]): AiSdkLanguageModel {
    const stream = (): ReadableStream =>
      new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
    return { ...toAiSdk(scriptedModel([])), doStream: async () => ({ stream: stream() }) };
  }

  it('keeps neighbouring blocks apart, each with its signature', async () => {
    const model = fromAiSdk(
      streaming(
        { type: 'reasoning-start', id: '0' },
        { type: 'reasoning-delta', id: '0', delta: 'first' },
        {
          type: 'reasoning-delta',
          id: '0',
          delta: '',
          providerMetadata: { a: { signature: 's1' } },
        },
        { type: 'reasoning-end', id: '0' },
        { type: 'reasoning-start', id: '1', providerMetadata: { a: { redactedData: 'xyz' } } },
        { type: 'reasoning-end', id: '1', providerMetadata: { a: { more: undefined, n: 1 } } },
        { type: 'text-start', id: '0' },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '0', delta: 'A' },
        { type: 'text-delta', id: '1', delta: 'B' },
        { type: 'text-delta', id: '0', delta: 'a' },
        { type: 'text-end', id: '0' },
        finish,
      ),
    );
    expect((await model.generate(request)).parts).toEqual([
      { type: 'reasoning', text: 'first', meta: { a: { signature: 's1' } } },
      { type: 'reasoning', text: '', meta: { a: { redactedData: 'xyz', n: 1 } } },
      { type: 'text', text: 'Aa' },
      { type: 'text', text: 'B' },
    ]);
  });

  it('gives tool calls once, with the input that the provider settled on', async () => {
    const model = fromAiSdk(
      streaming(
        { type: 'tool-input-start', id: 'c', toolName: 'find' },
        { type: 'tool-input-delta', id: 'c', delta: '{"q":1' },
        { type: 'tool-input-end', id: 'c' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: '{"q":2}' },
        { type: 'tool-call', toolCallId: 's', toolName: 'web', input: '', providerExecuted: true },
        { type: 'tool-result', toolCallId: 's', toolName: 'web', result: { hits: 0 } },
        { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com' },
        finish,
      ),
    );
    const result = await model.generate(request);
    const marks = { 'ai-sdk': { providerExecuted: true } };
    expect(result.parts).toEqual([
      { type: 'tool-call', id: 'c', name: 'find', input: { q: 2 } },
      { type: 'tool-call', id: 's', name: 'web', input: {}, meta: marks },
      { type: 'tool-result', id: 's', name: 'web', output: { hits: 0 }, meta: marks },
      {
        type: 'source',
        url: 'https://example.com',
        meta: { 'ai-sdk': { source: expect.objectContaining({ id: '1' }) } },
      },
    ]);
    expect(result.meta?.['ai-sdk']?.['sources']).toMatchObject([{ url: 'https://example.com' }]);
  });

  it('gives back to v4 what only its provider understands', async () => {
    const prompts: unknown[] = [];
    const parts = [
      { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { id: 'cmp_1' } } },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw==' } },
      { type: 'ping' },
      { ...finish, providerMetadata: { openai: { tier: 'x' } } },
    ];
    const v3 = streaming(...parts);
    const model = fromAiSdk({
      specificationVersion: 'v4',
      provider: 'openai.responses',
      modelId: 'some-model',
      async doStream(options) {
        prompts.push(options.prompt);
        return v3.doStream({ prompt: [] });
      },
    });
    expect(model.provider).toBe('openai');
    const answer = await model.generate(request);
    expect(answer.parts[1]).toEqual({ type: 'file', mediaType: 'image/png', data: png });
    expect(answer.meta).toEqual({ openai: { tier: 'x' } });
    await model.generate({ messages: [{ role: 'assistant', parts: answer.parts }] });
    expect(prompts[1]).toEqual([
      {
        role: 'assistant',
        content: [
          {
            type: 'custom',
            kind: 'openai.compaction',
            providerOptions: { openai: { id: 'cmp_1' } },
          },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
        ],
      },
    ]);
  });

  it('takes an ending without a reason, and no ending, for a cut', async () => {
    const cut = { ...finish, finishReason: { unified: 'other', raw: undefined } };
    const interrupted = { ...finish, finishReason: { unified: 'interrupted', raw: undefined } };
    for (const end of [[cut], [interrupted], []]) {
      const text = [
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: 'half' },
      ];
      const error = await failureOf(fromAiSdk(streaming(...text, ...end)).generate(request));
      expect(error).toMatchObject({ code: 'truncated', partial: { text: 'half' } });
    }
  });
});
