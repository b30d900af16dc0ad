import { LLMError, type ChatModel } from '@vizprompt/providers';
import { compose, rateLimit, retry } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ask,
  eventsOf,
  failureOf,
  listenersOf,
  pause,
  request,
  streaming,
  timeOf,
  useVirtualTime,
  words,
} from './support.ts';

/** Returns a model that notes when calls begin, in milliseconds since it was made, and how many run. */
function clocked(options: { ms?: number; tokens?: number } = {}): ChatModel & {
  readonly begun: { readonly text: string; readonly at: number }[];
  most: number;
} {
  const start = performance.now();
  let running = 0;
  const stub = streaming(async function* ({ messages }) {
    const [part] = messages[0]?.parts ?? [];
    begun.push({ text: part?.type === 'text' ? part.text : '', at: performance.now() - start });
    running++;
    model.most = Math.max(model.most, running);
    try {
      await pause(options.ms ?? 1);
      for await (const event of words('はい')) {
        if (event.type !== 'finish') yield event;
      }
      const usage = { inputTokens: options.tokens ?? 1, outputTokens: 0 };
      yield { type: 'finish', reason: 'stop', usage };
    } finally {
      running--;
    }
  });
  const begun: { text: string; at: number }[] = [];
  const model = Object.assign(stub, { begun, most: 0 });
  return model;
}

async function drain(reader: AsyncIterator<unknown>): Promise<void> {
  while (!(await reader.next()).done);
}

const names = (model: { readonly begun: readonly { readonly text: string }[] }): string[] =>
  model.begun.map(({ text }) => text);

beforeEach(useVirtualTime);

describe('rateLimit', () => {
  it('lets no more calls run than there are places, in the order they came', async () => {
    const model = clocked({ ms: 5 });
    const composed = compose(model, rateLimit({ concurrency: 2 }));
    const asked = Array.from({ length: 12 }, (_, index) => `${index}`);
    await Promise.all(asked.map((text) => composed.generate(ask(text))));
    expect(model.most).toBe(2);
    expect(names(model)).toEqual(asked);
  });

  it('holds the place until the stream ends, and gives it back when the reader leaves', async () => {
    const model = clocked();
    const composed = compose(model, rateLimit({ concurrency: 1 }));
    const reader = composed.stream(ask('first'))[Symbol.asyncIterator]();
    await reader.next();
    const second = composed.generate(ask('second'));
    await pause(30);
    expect(names(model)).toEqual(['first']);
    await reader.return?.();
    await second;
    expect(names(model)).toEqual(['first', 'second']);
  });

  it('gives the place back after an error', async () => {
    const model = scriptedModel([new LLMError('auth', 'no'), 'はい']);
    const composed = compose(model, rateLimit({ concurrency: 1 }));
    await failureOf(composed.generate(request));
    expect((await composed.generate(request)).text).toBe('はい');
  });

  it('lets no more calls begin in a window than allowed, wherever the window lies', async () => {
    const model = clocked();
    const windowMs = 300;
    const limit = rateLimit({ requestsPerMinute: (3 * 60_000) / windowMs, windowMs });
    const composed = compose(model, limit);
    const asked = Array.from({ length: 8 }, (_, index) => `${index}`);
    await Promise.all(asked.map((text) => composed.generate(ask(text))));
    expect(names(model)).toEqual(asked);
    const times = model.begun.map(({ at }) => at);
    for (let index = 3; index < times.length; index++) {
      expect((times[index] ?? 0) - (times[index - 3] ?? 0)).toBeGreaterThanOrEqual(windowMs);
    }
    expect(times[2]).toBeLessThan(windowMs);
    expect(times.at(-1)).toBeLessThan(windowMs * 4);
  });

  it('counts tokens by estimate before, and by the real usage after', async () => {
    const windowMs = 4000;
    const limit = rateLimit({ tokensPerMinute: (100 * 60_000) / windowMs, windowMs });
    const cheap = clocked({ ms: 30, tokens: 5 });
    const composed = compose(cheap, limit);
    const one = (text: string): Promise<unknown> =>
      composed.generate(ask(text, { maxOutputTokens: 80 }));
    await Promise.all([one('a'), one('b')]);
    const [a, b] = cheap.begun.map(({ at }) => at);
    expect((b ?? 0) - (a ?? 0)).toBe(30);
  });

  it('waits for the window when the real usage was more than the estimate', async () => {
    const windowMs = 150;
    const limit = rateLimit({ tokensPerMinute: (100 * 60_000) / windowMs, windowMs });
    const dear = clocked({ tokens: 99 });
    const composed = compose(dear, limit);
    await composed.generate(ask('a'));
    await composed.generate(ask('bbb bbb'));
    const [a, b] = dear.begun.map(({ at }) => at);
    expect((b ?? 0) - (a ?? 0)).toBeGreaterThanOrEqual(windowMs);
  });

  it('lets a call that is larger than the limit go when it is alone', async () => {
    const windowMs = 100;
    const limit = rateLimit({ tokensPerMinute: 600, windowMs });
    const model = clocked({ tokens: 1000 });
    const composed = compose(model, limit);
    const large = ask('large', { maxOutputTokens: 5000 });
    await Promise.all([composed.generate(large), composed.generate(large)]);
    const [a, b] = model.begun.map(({ at }) => at);
    expect((b ?? 0) - (a ?? 0)).toBeGreaterThanOrEqual(windowMs);
  });

  it('does not charge tokens for calls that failed before any output', async () => {
    const limit = rateLimit({ tokensPerMinute: 100 });
    const model = scriptedModel([new LLMError('server', 'x'), 'はい']);
    const composed = compose(model, limit);
    await failureOf(composed.generate(ask('a', { maxOutputTokens: 90 })));
    expect(await timeOf(composed.generate(ask('a', { maxOutputTokens: 90 })))).toBe(0);
  });

  it('is shared by the models that were given the same value, and by no others', async () => {
    const [large, small, other] = [
      clocked({ ms: 150 }),
      clocked({ ms: 150 }),
      clocked({ ms: 150 }),
    ];
    const limit = rateLimit({ concurrency: 1 });
    await Promise.all([
      compose(large, limit).generate(request),
      compose(small, limit).generate(request),
      compose(other, rateLimit({ concurrency: 1 })).generate(request),
    ]);
    expect([large, small, other].map(({ begun }) => begun[0]?.at)).toEqual([0, 150, 0]);
  });

  it('lets all calls wait when the provider asks to', async () => {
    const failure = new LLMError('rate_limit', 'slow down', { retryAfterMs: 100 });
    const model = scriptedModel([failure, 'はい', 'はい']);
    const composed = compose(model, rateLimit({}));
    await failureOf(composed.generate(request));
    const times = await Promise.all([
      timeOf(composed.generate(request)),
      timeOf(composed.generate(request)),
    ]);
    expect(times).toEqual([100, 100]);
  });

  it('lets calls fail on their own when the provider asks for too long', async () => {
    const failure = new LLMError('rate_limit', 'tomorrow', { retryAfterMs: 3_600_000 });
    const composed = compose(scriptedModel([failure, failure]), rateLimit({}));
    await failureOf(composed.generate(request));
    expect(await timeOf(composed.generate(request))).toBe(0);
  });

  it.each(['place', 'window', 'pause'])(
    'stops waiting for a %s at once when aborted, and leaves no timer and no listener',
    async (phase) => {
      const options = { place: { concurrency: 1 }, window: { requestsPerMinute: 1 }, pause: {} };
      const late = new LLMError('rate_limit', 'x', { retryAfterMs: 30_000 });
      const model = streaming(async function* () {
        yield* words('a');
        if (phase === 'pause') throw late;
      });
      const composed = compose(model, rateLimit(options[phase as keyof typeof options]));
      const first = composed.stream(ask('first'))[Symbol.asyncIterator]();
      await first.next();
      if (phase !== 'place') await timeOf(drain(first));
      const before = vi.getTimerCount();
      const controller = new AbortController();
      const { signal } = controller;
      const second = failureOf(composed.generate(ask('second', { signal })));
      await pause(20);
      expect(listenersOf(signal)).toBe(1);
      controller.abort();
      expect(await timeOf(second)).toBe(0);
      expect(await second).toMatchObject({ code: 'aborted', outputStarted: false });
      expect(listenersOf(signal)).toBe(0);
      expect(vi.getTimerCount()).toBe(before);
      expect(model.calls).toHaveLength(1);
      await first.return?.();
    },
  );

  it('lets the call after an aborted one go in its turn', async () => {
    const model = clocked({ ms: 40 });
    const composed = compose(model, rateLimit({ concurrency: 1 }));
    const controller = new AbortController();
    const calls = [
      composed.generate(ask('1')),
      composed.generate(ask('2', { signal: controller.signal })).catch(() => undefined),
      composed.generate(ask('3')),
    ];
    await pause(10);
    controller.abort();
    await Promise.all(calls);
    expect(names(model)).toEqual(['1', '3']);
  });

  it('counts waiting as part of the total time', async () => {
    const model = clocked({ ms: 300 });
    const composed = compose(model, rateLimit({ concurrency: 1 }));
    const first = composed.generate(ask('1'));
    const timeout = { totalMs: 30 };
    const error = await failureOf(composed.generate(ask('2', { timeout })));
    expect(error).toMatchObject({ code: 'timeout', isRetryable: true });
    expect(error.message).toContain('the rate limit');
    const third = streaming(() => words('a'));
    await first;
    await compose(third, rateLimit({})).generate(ask('3', { timeout: { totalMs: 500 } }));
    expect(third.calls[0]?.timeout?.totalMs).toBeLessThanOrEqual(500);
  });

  it('lets every attempt of a retry wait for its turn', async () => {
    const windowMs = 80;
    const limit = rateLimit({ requestsPerMinute: 60_000 / windowMs, windowMs });
    const model = scriptedModel([new LLMError('server', 'x'), 'はい']);
    const call = compose(model, retry({ baseMs: 1 }), limit).generate(request);
    expect(await timeOf(call)).toBeGreaterThanOrEqual(windowMs);
  });

  it('refuses a concurrency below 1', () => {
    expect(() => rateLimit({ concurrency: 0 })).toThrow(RangeError);
  });

  it('leaves nothing behind after many calls with one signal', async () => {
    const { signal } = new AbortController();
    const composed = compose(clocked(), rateLimit({ concurrency: 3, requestsPerMinute: 1000 }));
    await Promise.all(
      Array.from({ length: 20 }, () => eventsOf(composed.stream(ask('x', { signal })))),
    );
    expect(listenersOf(signal)).toBe(0);
  });

  it('may have many calls wait with one signal without a warning of Node', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const { signal } = new AbortController();
    const composed = compose(clocked(), rateLimit({ concurrency: 1 }));
    await Promise.all(Array.from({ length: 30 }, () => composed.generate(ask('x', { signal }))));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
