import {
  LLMError,
  textMessage,
  type ChatModel,
  type ChatRequest,
  type JsonValue,
  type Part,
} from '@vizprompt/providers';
import {
  embeddingsFromAiSdk,
  embeddingsToAiSdk,
  fromAiSdk,
  toAiSdk,
} from '@vizprompt/providers/ai-sdk';
import {
  hashEmbeddings,
  scriptedModel,
  testChatModel,
  testEmbeddingModel,
} from '@vizprompt/providers/testing';
import {
  APICallError,
  embedMany,
  generateObject,
  generateText,
  jsonSchema,
  Output,
  RetryError,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { describe, expect, it } from 'vitest';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const runner = { describe, it };
const request: ChatRequest = { messages: [textMessage('user', '猫ですか')] };
const png = new Uint8Array([137, 80, 78, 71]);
const schema = jsonSchema<{ answer: number }>({
  type: 'object',
  properties: { answer: { type: 'number' } },
  required: ['answer'],
});

async function failureOf(promise: Promise<unknown>): Promise<LLMError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (LLMError.isInstance(error)) return error;
  throw new Error('it did not fail with an LLMError', { cause: error });
}

testChatModel({
  name: 'fromAiSdk(toAiSdk(scriptedModel))',
  runner,
  open: async () => {
    const inner = scriptedModel(() => 'はい、猫です。名前はまだ無い。🐈', {
      chunkSize: 3,
      chunkDelayMs: 1,
    });
    return { subject: { model: fromAiSdk(toAiSdk(inner)) }, close: async () => {} };
  },
});

testEmbeddingModel({
  name: 'embeddingsFromAiSdk(embeddingsToAiSdk(hashEmbeddings))',
  runner,
  open: async () => ({
    subject: embeddingsFromAiSdk(embeddingsToAiSdk(hashEmbeddings())),
    close: async () => {},
  }),
});

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

describe('toAiSdk', () => {
  it('generates and streams text, with reasoning', async () => {
    const parts: Part[] = [
      { type: 'reasoning', text: '考え中', meta: { a: { signature: 's' } } },
      { type: 'text', text: 'はい、猫です。' },
    ];
    const model = scriptedModel(() => ({ parts, usage: { inputTokens: 5, outputTokens: 9 } }));
    const result = await generateText({
      model: toAiSdk(model),
      prompt: '猫ですか',
      temperature: 0,
      maxOutputTokens: 50,
      presencePenalty: 1,
      providerOptions: { a: { b: 1 } },
    });
    expect(result.text).toBe('はい、猫です。');
    expect(result.reasoningText).toBe('考え中');
    expect(result.reasoning[0]?.providerMetadata).toEqual({ a: { signature: 's' } });
    expect(result.finishReason).toBe('stop');
    expect(result.usage).toMatchObject({ inputTokens: 5, outputTokens: 9, totalTokens: 14 });
    expect(result.warnings).toMatchObject([{ type: 'unsupported', feature: 'presencePenalty' }]);
    expect(model.calls[0]).toMatchObject({
      messages: request.messages,
      temperature: 0,
      maxOutputTokens: 50,
      providerOptions: { a: { b: 1 } },
    });

    const streamed = streamText({ model: toAiSdk(model), prompt: '猫ですか' });
    expect((await collect(streamed.textStream)).join('')).toBe('はい、猫です。');
    expect(await streamed.reasoningText).toBe('考え中');
  });

  it('runs tools, and hands signatures back', async () => {
    const meta = { google: { thoughtSignature: 'sig' } };
    const model = scriptedModel([
      [{ type: 'tool-call', id: 'c1', name: 'add', input: { a: 1, b: 2 }, meta }],
      'It is 3.',
    ]);
    const add = tool({
      description: 'Adds.',
      inputSchema: jsonSchema<{ a: number; b: number }>({
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
      }),
      execute: async ({ a, b }) => ({ sum: a + b }),
    });
    const result = await generateText({
      model: toAiSdk(model),
      tools: { add },
      stopWhen: stepCountIs(3),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Add' },
            { type: 'file', mediaType: 'image/png', data: png },
          ],
        },
      ],
    });
    expect(result.text).toBe('It is 3.');
    expect(model.calls[0]?.tools).toMatchObject([{ name: 'add', description: 'Adds.' }]);
    expect(model.calls[0]?.toolChoice).toBe('auto');
    expect(model.calls[1]?.messages).toMatchObject([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Add' },
          { type: 'file', mediaType: 'image/png', data: png },
        ],
      },
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'c1', name: 'add', input: { a: 1, b: 2 }, meta }],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', id: 'c1', name: 'add', output: { sum: 3 } }],
      },
    ]);
  });

  it('gives objects', async () => {
    const model = scriptedModel(() => '{"answer":42}');
    const { object } = await generateObject({ model: toAiSdk(model), schema, prompt: '?' });
    expect(object).toEqual({ answer: 42 });
    const result = await generateText({
      model: toAiSdk(model),
      output: Output.object({ schema }),
      prompt: '?',
    });
    expect(result.output).toEqual({ answer: 42 });
    for (const { output } of model.calls) {
      expect(output).toMatchObject({ type: 'json', schema: { required: ['answer'] } });
    }
  });

  it('is tried again where that helps, after the time that the provider asks for', async () => {
    const busy = new LLMError('rate_limit', 'slow down', { status: 429, retryAfterMs: 1 });
    const model = scriptedModel([busy, busy, 'done', busy, busy, 'streamed']);
    const sdk = toAiSdk(model);
    expect((await generateText({ model: sdk, prompt: '?' })).text).toBe('done');
    const streamed = streamText({ model: sdk, prompt: '?' });
    expect(await streamed.text).toBe('streamed');
    expect(model.calls).toHaveLength(6);
  });

  it('is not tried again where that does not help, and both sides know the error', async () => {
    const empty = new LLMError('quota', 'no money', { status: 429, provider: 'p' });
    const model = scriptedModel(() => empty);
    const sdk = toAiSdk(model);
    const error = await failureOf(generateText({ model: sdk, prompt: '?' }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: 'quota', provider: 'p', statusCode: 429, cause: empty });
    expect(model.calls).toHaveLength(1);

    const busy = toAiSdk(scriptedModel(() => new LLMError('network', 'gone')));
    const retried = generateText({ model: busy, prompt: '?', maxRetries: 0 });
    await expect(retried).rejects.toSatisfy(
      (thrown) => LLMError.isInstance(thrown) && !RetryError.isInstance(thrown),
    );
  });

  it('reports an error in the middle of a stream, and what came before it', async () => {
    const inner = scriptedModel(() => 'はい、猫です。');
    const breaking: ChatModel = {
      ...inner,
      async *stream(asked) {
        for await (const event of inner.stream(asked)) {
          if (event.type === 'part') throw new LLMError('network', 'the line broke');
          yield event;
        }
      },
    };
    const errors: unknown[] = [];
    const streamed = streamText({
      model: toAiSdk(breaking),
      prompt: '?',
      onError: ({ error }) => void errors.push(error),
    });
    expect((await collect(streamed.textStream)).join('')).toBe('はい、猫です。');
    expect(errors).toMatchObject([{ code: 'network' }]);
    expect((await failureOf(fromAiSdk(toAiSdk(breaking)).generate(request))).code).toBe('network');
  });

  it('stops when aborted', async () => {
    const model = scriptedModel(() => 'はい、猫です。'.repeat(20), { chunkDelayMs: 2 });
    const controller = new AbortController();
    let wasAborted = false;
    const streamed = streamText({
      model: toAiSdk(model),
      prompt: '?',
      abortSignal: controller.signal,
      onAbort: () => void (wasAborted = true),
    });
    let text = '';
    for await (const piece of streamed.textStream) {
      text += piece;
      controller.abort();
    }
    expect(wasAborted).toBe(true);
    expect(text.length).toBeLessThan(60);
    const abortSignal = AbortSignal.abort();
    const generated = generateText({ model: toAiSdk(model), prompt: '?', abortSignal });
    await expect(generated).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('embeds', async () => {
    const model = hashEmbeddings();
    const values = Array.from({ length: model.maxBatch + 1 }, (_, index) => `text ${index}`);
    const { embeddings } = await embedMany({ model: embeddingsToAiSdk(model), values });
    const { vectors } = await model.embed({ values });
    expect(embeddings).toEqual(vectors.map((vector) => Array.from(vector)));
  });

  it('keeps every part on the way through the AI SDK and back', async () => {
    const meta = { p: { signature: 'x' } };
    const output: JsonValue = ['a', { b: null }];
    const file = { type: 'file', mediaType: 'image/png', data: 'iVBORw==', name: 'a.png' };
    const shot: JsonValue = [{ type: 'text', text: 'here' }, file];
    const parts: Part[] = [
      { type: 'reasoning', text: '', meta },
      { type: 'text', text: '🐈', meta },
      { type: 'file', mediaType: 'image/png', data: png, meta },
      { type: 'tool-call', id: '1', name: 'f', input: { x: [1] }, meta },
    ];
    const finishReason = 'tool-calls';
    const model = scriptedModel(() => ({ parts, finishReason, usage: { inputTokens: 3 } }));
    const around = fromAiSdk(toAiSdk(model));
    const result = await around.generate({
      messages: [
        { role: 'assistant', parts, meta },
        {
          role: 'tool',
          parts: [
            { type: 'tool-result', id: '1', name: 'f', output, isError: true, meta },
            { type: 'tool-result', id: '2', name: 'f', output: 'text' },
            { type: 'tool-result', id: '3', name: 'f', output: shot },
          ],
        },
      ],
      tools: [{ name: 'f', parameters: { type: 'object' } }],
      toolChoice: { tool: 'f' },
      output: { type: 'json', schema: { type: 'object' }, name: 'thing' },
      topK: 3,
      stop: ['x'],
      providerOptions: meta,
      headers: { a: 'b' },
    });
    expect(result.parts).toEqual(parts);
    expect(result.finishReason).toBe(finishReason);
    expect(result.usage).toEqual({ inputTokens: 3 });
    expect(model.calls[0]).toMatchObject({
      messages: [
        { role: 'assistant', parts, meta },
        {
          role: 'tool',
          parts: [{ output, isError: true, meta }, { output: 'text' }, { output: shot }],
        },
      ],
      toolChoice: { tool: 'f' },
      output: { type: 'json', schema: { type: 'object' }, name: 'thing' },
      topK: 3,
      stop: ['x'],
      providerOptions: meta,
      headers: { a: 'b' },
    });
  });
});
