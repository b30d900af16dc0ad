import { LLMError, textMessage, type ChatEvent, type LLMErrorCode } from '@vizprompt/providers';
import type { Fault } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import {
  adapters,
  fakeServer,
  KEY,
  letTimePass,
  listenToConsole,
  stopTime,
  until,
} from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', '猫について')] };
const ANSWER = 'はい、猫です。🐈 吾輩には名前がまだありません。';

/** The error for each fault, and whether content had arrived. */
const faults: readonly (readonly [
  name: string,
  fault: Fault,
  code: LLMErrorCode | readonly LLMErrorCode[],
  hasOutput: boolean,
])[] = [
  ['a clean end without a finish', { type: 'truncate', afterChunks: 2 }, 'truncated', true],
  ['half a frame', { type: 'half-frame', afterChunks: 2 }, ['truncated', 'bad_response'], true],
  ['a frame that is not JSON', { type: 'bad-json', afterChunks: 2 }, 'bad_response', true],
  ['a reset in the middle', { type: 'reset', afterChunks: 2 }, 'network', true],
  ['a reset before the headers', { type: 'reset-before-headers' }, 'network', false],
  ['a stalled body', { type: 'stall', afterChunks: 2 }, 'timeout', true],
  ['a body that never begins', { type: 'stall', afterChunks: 0 }, 'timeout', false],
  [
    'an error within the stream',
    { type: 'in-band-error', afterChunks: 2, message: 'boiler room on fire' },
    ['server', 'overloaded'],
    true,
  ],
  ['a server error', { type: 'status', status: 500 }, 'server', false],
  ['an overloaded server', { type: 'status', status: 503 }, 'overloaded', false],
  ['no permission', { type: 'status', status: 403 }, 'permission', false],
  ['a request that is refused', { type: 'status', status: 400 }, 'invalid_request', false],
  ['a web page from a proxy', { type: 'html' }, 'bad_response', false],
  ['a web page with an error', { type: 'html', status: 502 }, 'server', false],
  ['an answer that is not JSON', { type: 'not-json' }, ['bad_response', 'truncated'], false],
  ['an account without allowance', { type: 'quota' }, 'quota', false],
];

const waits: readonly (readonly [form: 'seconds' | 'date' | 'ms' | 'retry-info' | 'message'])[] = [
  ['seconds'],
  ['date'],
  ['ms'],
  ['retry-info'],
  ['message'],
];

/** Answers that are complete, only sent in an odd way. */
const harmless: readonly (readonly [name: string, fault: Fault])[] = [
  ['characters cut in two', { type: 'split-utf8' }],
  ['comments to keep the connection open', { type: 'keep-alive' }],
  ['lines that end in CR LF', { type: 'crlf' }],
  ['no token counts', { type: 'no-usage' }],
];

describe.each(Object.entries(adapters))('%s', (_, adapter) => {
  it.each(faults)('makes an error of %s', async (_name, fault, codes, hasOutput) => {
    const spies = listenToConsole();
    const llm = await fakeServer({ answer: ANSWER });
    llm.fail(fault);
    const model = adapter.model(llm.url);
    const seen: ChatEvent[] = [];
    const isStalled = fault.type === 'stall';
    if (isStalled) stopTime();
    const limit = hasOutput ? { idleMs: 10_000 } : { firstByteMs: 10_000 };
    const failing = (async () => {
      // Other faults are found without a limit.
      const timeout = isStalled ? limit : {};
      for await (const event of model.stream({ ...request, timeout })) seen.push(event);
      return undefined;
    })().catch((thrown: unknown) => thrown);
    if (isStalled) {
      await until(() => seen.some(({ type }) => type === 'text-delta') === hasOutput);
      await letTimePass(failing);
    }
    const error = await failing;
    if (!LLMError.isInstance(error)) throw error ?? new Error('it was taken for success');
    expect(codes).toContain(error.code);
    expect(error.outputStarted).toBe(hasOutput);
    expect(error.provider).toBe(adapter.provider);
    expect(error.message).toContain(`${adapter.provider} model 'fake' at ${llm.url}`);
    expect(seen.some(({ type }) => type === 'finish')).toBe(false);
    const { text = '', usage } = error.partial ?? {};
    expect(text.length > 0).toBe(hasOutput);
    expect(ANSWER.startsWith(text)).toBe(true);
    expect(usage?.estimated).toBe(error.partial ? true : undefined);
    expect((usage?.outputTokens ?? 0) > 0).toBe(hasOutput);
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    expect(
      JSON.stringify([error, error.message, error.partial, String(error.cause)]),
    ).not.toContain(KEY);
    await until(() => llm.openSockets === 0);
    expect((await model.generate(request)).text).toBe(ANSWER);
  });

  // Ollama's SDK keeps nothing of the body but its sentence.
  const told = waits.filter(([form]) => adapter.provider !== 'ollama' || form !== 'retry-info');
  it.each(told)('reads how long to wait from %s', async (form) => {
    const llm = await fakeServer();
    llm.fail({ type: 'rate-limit', form, waitMs: 2000 });
    const error: unknown = await adapter
      .model(llm.url)
      .generate(request)
      .catch((thrown: unknown) => thrown);
    if (!LLMError.isInstance(error)) throw error;
    expect(error).toMatchObject({ code: 'rate_limit', status: 429, isRetryable: true });
    expect(error.retryAfterMs).toBeGreaterThan(900);
    // A date has no milliseconds.
    expect(error.retryAfterMs).toBeLessThan(3100);
    expect(llm.requests).toHaveLength(1);
  });

  it.each(harmless)('takes %s for the answer it is', async (name, fault) => {
    const spies = listenToConsole();
    const llm = await fakeServer({ answer: ANSWER });
    llm.fail(fault);
    const result = await adapter.model(llm.url).generate(request);
    expect(result).toMatchObject({ text: ANSWER, finishReason: 'stop' });
    expect((result.usage.outputTokens ?? 0) > 0).toBe(name !== 'no token counts');
    expect(result.usage.estimated).toBeUndefined();
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it('gives an empty answer as what it is', async () => {
    const llm = await fakeServer();
    llm.fail({ type: 'empty' });
    expect(await adapter.model(llm.url).generate(request)).toMatchObject({
      text: '',
      parts: [],
      finishReason: 'stop',
    });
  });

  it('refuses a tool call whose input is broken', async () => {
    const llm = await fakeServer();
    llm.answer([{ type: 'tool-call', id: 'c', name: 'search', input: { q: '猫' } }]);
    llm.fail({ type: 'bad-tool-json' });
    const tools = [{ name: 'search', parameters: { type: 'object' } }];
    const error: unknown = await adapter
      .model(llm.url)
      .generate({ ...request, tools })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'LLMError' });
    expect(['output_parse', 'server', 'bad_response']).toContain((error as LLMError).code);
  });
});
