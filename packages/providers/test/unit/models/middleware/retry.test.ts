import { LLMError, type ChatEvent, type LLMErrorCode } from '@vizprompt/providers';
import { budget, compose, createBudget, retry } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import {
  ask,
  eventsOf,
  failureOf,
  listenersOf,
  pause,
  request,
  streaming,
  useVirtualTime,
  timers,
  words,
} from './support.ts';
import type { LLMErrorDetails } from '../../../../src/models/llm-error.ts';
import type { RetryNotice } from '../../../../src/middleware/retry.ts';

const fail = (code: LLMErrorCode, details: LLMErrorDetails = {}): LLMError =>
  new LLMError(code, `${code} happened`, details);

describe('retry', () => {
  it('repeats what may pass, and shows one start only', async () => {
    const stub = streaming(async function* () {
      yield { type: 'start', id: `a${stub.calls.length}`, warnings: [] };
      if (stub.calls.length < 3) throw fail('overloaded');
      yield* (async function* () {
        for await (const event of words('はい')) if (event.type !== 'start') yield event;
      })();
    });
    const events = await eventsOf(compose(stub, retry({ baseMs: 1 })).stream(request));
    expect(stub.calls).toHaveLength(3);
    expect(events.filter(({ type }) => type === 'start')).toEqual([
      { type: 'start', id: 'a3', warnings: [] },
    ]);
  });

  it('holds the start back until the first content', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const stub = streaming(async function* () {
      yield { type: 'start', warnings: [] };
      await gate;
      yield* words('a');
    });
    const reader = compose(stub, retry()).stream(request)[Symbol.asyncIterator]();
    let seen = false;
    const first = reader.next().then((step) => {
      seen = true;
      return step;
    });
    await pause(20);
    expect(seen).toBe(false);
    release();
    expect((await first).value).toMatchObject({ type: 'start' });
    await reader.return?.();
  });

  it('gives up after the retries, with the last error and the number of attempts', async () => {
    const model = scriptedModel([
      fail('server'),
      fail('network'),
      fail('overloaded', { status: 529 }),
    ]);
    const error = await failureOf(compose(model, retry({ baseMs: 1 })).generate(request));
    expect(error).toMatchObject({
      code: 'overloaded',
      status: 529,
      message: 'overloaded happened',
      context: { attempts: 3, status: 529 },
    });
    expect(model.calls).toHaveLength(3);
  });

  it('takes 0 retries for none', async () => {
    const model = scriptedModel([fail('server'), 'はい']);
    const error = await failureOf(compose(model, retry({ retries: 0 })).generate(request));
    expect(error.context).toMatchObject({ attempts: 1 });
  });

  it.each([
    ['quota', {}],
    ['quota', { isRetryable: true, retryAfterMs: 1 }],
    ['aborted', { isRetryable: true }],
    ['auth', {}],
    ['invalid_request', {}],
    ['server', { isRetryable: false }],
  ] as const)('does not repeat %s with %j', async (code, details) => {
    const model = scriptedModel([fail(code, details), 'はい']);
    const error = await failureOf(compose(model, retry({ baseMs: 1 })).generate(request));
    expect(error).toMatchObject({ code, context: { attempts: 1 } });
    expect(model.calls).toHaveLength(1);
  });

  it('repeats nothing once content was passed on, whatever the error says', async () => {
    const stub = streaming(async function* () {
      for await (const event of words('a', 'b')) {
        if (event.type === 'part') throw fail('network');
        yield event;
      }
    });
    const model = compose(stub, retry({ baseMs: 1 }));
    const error = await failureOf(eventsOf(model.stream(request)));
    expect(error).toMatchObject({ code: 'network', context: { attempts: 1 } });
    expect(stub.calls).toHaveLength(1);
  });

  it('repeats what is only collected also after pieces have come, and reports what that cost', async () => {
    const usage = { inputTokens: 3, outputTokens: 4 };
    const cut = fail('network', {
      partial: { parts: [], text: 'a', finishReason: 'unknown', usage, warnings: [] },
    });
    const allowance = createBudget({ tokens: 10_000 });
    const layers = [budget(allowance), retry({ baseMs: 1 })];
    const result = await compose(scriptedModel([cut, cut, 'はい']), ...layers).generate(request);
    expect(result.text).toBe('はい');
    const lostUsage = { inputTokens: 6, outputTokens: 8 };
    expect(result.meta).toMatchObject({ vizprompt: { lostUsage } });
    const { inputTokens = 0, outputTokens = 0 } = result.usage;
    expect(allowance.remaining.tokens).toBe(10_000 - 14 - inputTokens - outputTokens);
  });

  it('repeats nothing when the error says that output had begun', async () => {
    const model = scriptedModel([fail('network', { outputStarted: true }), 'はい']);
    await failureOf(eventsOf(compose(model, retry({ baseMs: 1 })).stream(request)));
    expect(model.calls).toHaveLength(1);
  });

  it('waits a random part of a doubled time, up to the cap', async () => {
    const waits: number[] = [];
    const parts = [0.5, 0.25, 0.99, 1 - Number.EPSILON];
    const model = scriptedModel([1, 2, 3, 4].map(() => fail('server')));
    const options = {
      retries: 4,
      baseMs: 4,
      maxMs: 10,
      random: () => parts.shift() ?? 0,
      onRetry: ({ waitMs }: RetryNotice) => void waits.push(waitMs),
    };
    await failureOf(compose(model, retry(options)).generate(request));
    expect(waits).toEqual([2, 2, 9.9, 10 * (1 - Number.EPSILON)]);
  });

  it('waits at least as long as the provider asks', async () => {
    const notices: RetryNotice[] = [];
    const first = fail('rate_limit', { retryAfterMs: 60 });
    const model = scriptedModel([first, 'はい']);
    const layer = retry({
      baseMs: 10,
      random: () => 0.5,
      onRetry: (notice) => notices.push(notice),
    });
    const order: string[] = [];
    const earlier = pause(55).then(() => order.push('55 ms'));
    await compose(model, layer).generate(request);
    order.push('answer');
    await earlier;
    expect(order).toEqual(['55 ms', 'answer']);
    expect(notices).toEqual([
      { provider: 'scripted', modelId: 'script', attempt: 1, error: first, waitMs: 60 },
    ]);
  });

  it('fails at once when the provider asks for more than the limit', async () => {
    const model = scriptedModel([fail('rate_limit', { retryAfterMs: 60_001 }), 'はい']);
    const call = compose(model, retry()).generate(request);
    expect((await failureOf(call)).context).toMatchObject({ attempts: 1 });
    const more = scriptedModel([fail('rate_limit', { retryAfterMs: 20 }), 'はい']);
    await failureOf(compose(more, retry({ maxRetryAfterMs: 10 })).generate(request));
  });

  it('is not stopped by an observer that throws', async () => {
    const model = scriptedModel([fail('server'), 'はい']);
    const onRetry = (): never => {
      throw new Error('observer');
    };
    expect((await compose(model, retry({ baseMs: 1, onRetry })).generate(request)).text).toBe(
      'はい',
    );
  });

  it('ends the wait when aborted, and leaves no timer and no listener', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const model = scriptedModel([fail('rate_limit', { retryAfterMs: 50_000 }), 'はい']);
    const before = timers();
    const call = compose(model, retry()).generate(ask('猫', { signal }));
    await expect.poll(() => listenersOf(signal)).toBe(1);
    controller.abort(new Error('enough'));
    expect(await failureOf(call)).toMatchObject({
      code: 'aborted',
      cause: new Error('enough'),
      context: { attempts: 1 },
    });
    expect(listenersOf(signal)).toBe(0);
    expect(timers()).toBeLessThanOrEqual(before);
    expect(model.calls).toHaveLength(1);
  });

  it('leaves no listener after a wait that ran its time', async () => {
    const { signal } = new AbortController();
    const model = scriptedModel([fail('server'), 'はい']);
    await compose(model, retry({ baseMs: 5 })).generate(ask('猫', { signal }));
    expect(listenersOf(signal)).toBe(0);
  });

  it('gives each attempt the rest of the total time', async () => {
    const model = scriptedModel([fail('server', { retryAfterMs: 50 }), 'はい']);
    const timeout = { totalMs: 20_000, idleMs: 7 };
    await compose(model, retry()).generate(ask('猫', { timeout }));
    expect(model.calls[0]?.timeout).toEqual(timeout);
    expect(model.calls[1]?.timeout?.totalMs).toBeLessThanOrEqual(19_951);
    expect(model.calls[1]?.timeout?.totalMs).toBeGreaterThan(10_000);
    expect(model.calls[1]?.timeout?.idleMs).toBe(7);
  });

  it('does not begin a wait that cannot end in time', async () => {
    const model = scriptedModel([fail('rate_limit', { retryAfterMs: 30_000 }), 'はい']);
    const call = compose(model, retry()).generate(ask('猫', { timeout: { totalMs: 20_000 } }));
    expect(await failureOf(call)).toMatchObject({ code: 'rate_limit', context: { attempts: 1 } });
  });

  it('does not repeat a call that used up the total time', async () => {
    useVirtualTime();
    const stub = streaming(async function* ({ timeout }): AsyncGenerator<ChatEvent> {
      await pause(timeout?.totalMs ?? 0);
      if (timeout) throw fail('timeout');
      yield* words('はい');
    });
    const call = compose(stub, retry({ baseMs: 0 })).generate(
      ask('猫', { timeout: { totalMs: 30 } }),
    );
    expect(await failureOf(call)).toMatchObject({ code: 'timeout', context: { attempts: 1 } });
    expect(stub.calls).toHaveLength(1);
  });
});
