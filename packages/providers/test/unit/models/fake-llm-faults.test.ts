import { startFakeLLM, type Fault, type FakeLLM } from '@vizprompt/providers/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bodyOf,
  CALLS,
  chat,
  gemini,
  isJson,
  json,
  listOf,
  messages,
  ollama,
  openai,
  post,
  TEXT,
} from './fake-llm-clients.ts';

const WIRES = ['openai', 'gemini', 'ollama'] as const;
const unstreamed = { model: 'm', messages, stream: false };

let llm: FakeLLM;
beforeEach(async () => {
  llm = await startFakeLLM();
});
afterEach(() => llm.close());

describe('faults of the connection', () => {
  it.each(WIRES)('%s: breaks off, ends early, or stops in the middle', async (wire) => {
    const whole = await bodyOf(await chat(llm, wire));
    const cases: readonly [Fault, RegExp | undefined][] = [
      [{ type: 'reset', afterChunks: 2 }, /terminated/],
      [{ type: 'truncate', afterChunks: 2 }, undefined],
      [{ type: 'half-frame', afterChunks: 2 }, undefined],
    ];
    for (const [fault, failure] of cases) {
      llm.fail(fault);
      const { text, error } = await bodyOf(await chat(llm, wire));
      expect(String(error)).toMatch(failure ?? /undefined/);
      expect(text).toContain('猫');
      expect(text).not.toMatch(/DONE|STOP|"done":true/);
      expect(/\}\n+$/.test(text)).toBe(fault.type !== 'half-frame');
    }
    expect(whole.text).toMatch(/DONE|STOP|"done":true/);
    expect(llm.requests.some(({ isClosedEarly }) => isClosedEarly)).toBe(false);
  });

  const hungUp = async (): Promise<void> => {
    await expect.poll(() => llm.openSockets).toBe(0);
  };

  it.each(WIRES)('%s: stalls after the headers until the client hangs up', async (wire) => {
    for (const afterChunks of [0, 1]) {
      llm.fail({ type: 'stall', afterChunks });
      const controller = new AbortController();
      const reader = (await chat(llm, wire, controller.signal)).body!.getReader();
      const first = reader.read().catch(() => ({ done: true }));
      expect(llm.openSockets).toBe(1);
      if (afterChunks > 0) await first;
      controller.abort();
      expect((await first).done).toBe(afterChunks === 0);
      await hungUp();
      expect(llm.requests.at(-1)?.isClosedEarly).toBe(true);
    }
  });

  it('stalls before the headers', async () => {
    llm.fail({ type: 'stall-before-headers' });
    const controller = new AbortController();
    const failed = chat(llm, 'openai', controller.signal).catch((error: unknown) => error);
    await expect.poll(() => llm.requests).toHaveLength(1);
    controller.abort();
    expect(await failed).toMatchObject({ name: 'AbortError' });
    await hungUp();
    expect(llm.requests[0]?.isClosedEarly).toBe(true);
  });

  it('resets before the headers', async () => {
    llm.fail({ type: 'reset-before-headers' });
    await expect(chat(llm, 'openai')).rejects.toThrow('fetch failed');
  });

  it.each(WIRES)('%s: sends one broken frame, and then the rest', async (wire) => {
    llm.fail({ type: 'bad-json', afterChunks: 1 });
    const { text } = await bodyOf(await chat(llm, wire));
    const data = text.split('\n').filter((line) => line !== '' && !line.endsWith('[DONE]'));
    const broken = data.filter((line) => !isJson(line.replace(/^data: /, '')));
    expect(broken).toHaveLength(1);
    expect(text).toMatch(/DONE|STOP|"done":true/);
  });

  it('sends its own form of an error within the stream', async () => {
    const fault: Fault = { type: 'in-band-error', message: 'busy' };
    llm.fail(fault, { ...fault, code: 429 }, fault, fault);
    const stream = await openai(llm).chat.completions.create({
      model: 'm',
      messages,
      stream: true,
    });
    await expect(listOf(stream)).rejects.toMatchObject({ code: 'server_error', message: 'busy' });
    const contents = await gemini(llm).models.generateContentStream({ model: 'm', contents: 'x' });
    await expect(listOf(contents)).rejects.toMatchObject({ status: 429 });
    const lines = await ollama(llm).chat({ model: 'm', messages, stream: true });
    await expect(listOf(lines)).rejects.toThrow('busy');
    const whole = await post(`${llm.url}/v1/chat/completions`, { model: 'm', messages });
    expect([whole.status, (await json(whole)).error.message]).toEqual([200, 'busy']);
  });

  it('also strikes answers that are not streamed', async () => {
    const types = ['truncate', 'half-frame', 'bad-json'] as const;
    llm.fail(...types.map((type) => ({ type })), { type: 'reset' });
    for (const _ of types) {
      const { text, error } = await bodyOf(await post(`${llm.url}/api/chat`, unstreamed));
      expect([isJson(text), error]).toEqual([false, undefined]);
    }
    expect((await bodyOf(await post(`${llm.url}/api/chat`, unstreamed))).error).toBeDefined();
  });

  it.each(WIRES)('%s: cuts characters, keeps alive and ends lines in CR LF', async (wire) => {
    llm.fail([{ type: 'split-utf8' }, { type: 'keep-alive' }, { type: 'crlf' }]);
    const response = await chat(llm, wire);
    const chunks = await listOf(response.body!);
    expect(chunks.some((chunk) => (chunk.at(-1) ?? 0) >= 0x80)).toBe(true);
    const text = Buffer.concat(chunks).toString();
    expect(text).toContain('🐈');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(text).toMatch(wire === 'ollama' ? /^\r\n\{/ : /^: OPENROUTER PROCESSING\r\n\r\ndata/);
  });

  it('hurts no SDK by cutting characters, keeping alive and CR LF', async () => {
    const faults: Fault[] = [{ type: 'split-utf8' }, { type: 'keep-alive' }, { type: 'crlf' }];
    llm.fail(faults, faults, [{ type: 'split-utf8' }, { type: 'crlf' }]);
    const chunks = await openai(llm)
      .chat.completions.create({ model: 'm', messages, stream: true })
      .then(listOf);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(TEXT);
    const contents = await gemini(llm).models.generateContentStream({ model: 'm', contents: 'x' });
    expect((await listOf(contents)).map(({ text }) => text).join('')).toBe(TEXT);
    const lines = await ollama(llm).chat({ model: 'm', messages, stream: true });
    expect((await listOf(lines)).map(({ message }) => message.content).join('')).toBe(TEXT);
  });

  it('ends what is open when the server is closed', async () => {
    llm.fail({ type: 'stall' });
    const reading = bodyOf(await chat(llm, 'ollama'));
    await llm.close();
    expect((await reading).error).toBeDefined();
    expect(llm.requests[0]?.isClosedEarly).toBe(false);
    await llm.close();
  });

  it('waits before each piece on request', async () => {
    await using slow = await startFakeLLM({ chunkDelayMs: 5, answer: '一二三四五六七八' });
    const order: string[] = [];
    setTimeout(() => order.push('12 ms'), 12);
    await (await post(`${slow.url}/api/chat`, { model: 'm', messages })).text();
    order.push('answer');
    expect(order).toEqual(['12 ms', 'answer']);
  });
});

describe('refusals', () => {
  const rate = (
    form: 'seconds' | 'date' | 'ms' | 'retry-info' | 'message',
    waitMs = 1500,
  ): Fault => ({
    type: 'rate-limit',
    form,
    waitMs,
  });

  it('report the time to wait in each form', async () => {
    llm.fail(...(['seconds', 'ms', 'date', 'retry-info', 'message'] as const).map((f) => rate(f)));
    const headers = (response: Response) => [
      response.status,
      response.headers.get('retry-after') ?? response.headers.get('retry-after-ms'),
    ];
    expect(headers(await chat(llm, 'openai'))).toEqual([429, '2']);
    expect(headers(await chat(llm, 'openai'))).toEqual([429, '1500']);
    const [, date] = headers(await chat(llm, 'openai'));
    expect(Date.parse(String(date)) - Date.now()).toBeGreaterThan(0);
    expect((await json(await chat(llm, 'gemini'))).error.details).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.RetryInfo',
      retryDelay: '1.5s',
    });
    const limited = (await json(await chat(llm, 'openai'))).error;
    expect(limited.message).toMatch(/Please try again in 1\.5s\.$/);
    expect(limited.code).toBe('rate_limit_exceeded');
  });

  it('distinguish a used up quota from a rate limit', async () => {
    llm.fail({ type: 'quota' }, { type: 'quota' }, { type: 'quota' }, rate('message', 174));
    await expect(openai(llm).models.list()).rejects.toMatchObject({
      status: 429,
      code: 'insufficient_quota',
    });
    expect(await (await chat(llm, 'gemini')).text()).toContain('GenerateRequestsPerDayPerProject');
    expect((await json(await chat(llm, 'ollama'))).error).toContain('weekly usage limit');
    const minute = await (await chat(llm, 'gemini')).text();
    expect(minute).toMatch(/retry in 174ms.+PerMinute/s);
  });

  it('name a field, if the request has it', async () => {
    const fault: Fault = { type: 'unsupported-field', field: 'stream_options.include_usage' };
    llm.fail(fault, fault);
    expect((await chat(llm, 'openai')).status).toBe(200);
    const refused = await post(`${llm.url}/v1/chat/completions`, {
      model: 'm',
      messages,
      stream_options: { include_usage: true },
    });
    expect([refused.status, (await json(refused)).error]).toMatchObject([
      400,
      {
        message: expect.stringMatching(/^Unsupported parameter: '.+' is not supported/),
        param: 'stream_options.include_usage',
      },
    ]);
  });

  it('have any status, or are no JSON at all', async () => {
    llm.fail(
      { type: 'status', status: 503, headers: { 'retry-after': '1' } },
      { type: 'status', status: 418, body: { teapot: true } },
      { type: 'html' },
      { type: 'html', status: 502 },
      { type: 'not-json' },
      [],
    );
    const busy = await chat(llm, 'gemini');
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await json(busy)).error.status).toBe('UNAVAILABLE');
    const teapot = await chat(llm, 'openai');
    expect([teapot.status, await teapot.json()]).toEqual([418, { teapot: true }]);
    const page = await chat(llm, 'openai');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toMatch(/^<!DOCTYPE html>/);
    expect((await chat(llm, 'ollama')).status).toBe(502);
    expect(isJson(await (await chat(llm, 'ollama')).text())).toBe(false);
    expect((await bodyOf(await chat(llm, 'ollama'))).text).toContain('猫');
  });
});

describe('faults of the content', () => {
  it('leave out usage, or everything', async () => {
    llm.fail(...Array.from({ length: 3 }, () => ({ type: 'no-usage' }) as const));
    for (const wire of ['openai', 'gemini', 'ollama'] as const) {
      expect(await (await chat(llm, wire)).text()).not.toMatch(/usage|eval_count/);
    }
    llm.fail({ type: 'empty' }, { type: 'empty' }, { type: 'empty' });
    const completion = await openai(llm).chat.completions.create({ model: 'm', messages });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: '' },
    });
    const content = await gemini(llm).models.generateContent({ model: 'm', contents: 'x' });
    expect(content.candidates?.[0]).toMatchObject({
      finishReason: 'STOP',
      content: { role: 'model' },
    });
    const lines = await listOf(await ollama(llm).chat({ model: 'm', messages, stream: true }));
    expect(lines).toMatchObject([{ done: true, eval_count: 0, message: { content: '' } }]);
  });

  it('cut the arguments of tools', async () => {
    llm.answer(CALLS, CALLS, CALLS, CALLS);
    llm.fail(...Array.from({ length: 4 }, () => ({ type: 'bad-tool-json' }) as const));
    const completion = await openai(llm).chat.completions.create({ model: 'm', messages });
    const [call] = completion.choices[0]?.message.tool_calls ?? [];
    expect(call).toMatchObject({ function: { arguments: '{"city":"東京",' } });
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
    const content = await gemini(llm).models.generateContent({ model: 'm', contents: 'x' });
    expect(content.candidates?.[0]?.finishReason).toBe('MALFORMED_FUNCTION_CALL');
    const lines = await ollama(llm).chat({ model: 'm', messages, stream: true });
    await expect(listOf(lines)).rejects.toThrow('error parsing tool call');
    await expect(ollama(llm).chat({ model: 'm', messages })).rejects.toMatchObject({
      status_code: 500,
    });
  });
});
