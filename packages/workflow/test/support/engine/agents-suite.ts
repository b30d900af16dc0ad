import { LLMError, type Budget } from '@vizprompt/providers';
import { createBudget } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { answering, ask, courseOf, eventsOf, failureOf, fileOf, part } from './flow-parts.ts';
import { type OpenEngine } from './open-engine.ts';

const quick = { delay: 1, jitter: false } as const;
const busy = (retryAfterMs?: number): LLMError =>
  new LLMError('rate_limit', 'slow down', retryAfterMs === undefined ? {} : { retryAfterMs });
const prices = { m: { inputPerMillion: 1, outputPerMillion: 1 } };

/** Calls of agents, on any runtime. */
export function testAgents(name: string, open: OpenEngine): void {
  describe(`agents (${name})`, () => {
    it('asks again after errors that may pass, no sooner than the server asks for', async () => {
      const engine = await open({
        files: fileOf([{ ...ask('one', 'user_input'), retry: { ...quick, maxAttempts: 3 } }]),
        models: { m: scriptedModel([busy(30), busy(), 'yes']) },
      });
      const run = await engine.start('flow', 'x');
      const events = await eventsOf(run);
      expect((await run.result).output).toBe('yes');
      const retried = events.filter(({ type }) => type === 'step:retried');
      expect(retried).toMatchObject([
        { attempt: 2, waitMs: 30, error: { code: 'rate_limit' } },
        { attempt: 3, waitMs: 2 },
      ]);
    });

    it('does not ask again where the rules name other codes, or the error will not pass', async () => {
      const rules = { ...quick, on: ['overloaded'] };
      for (const [error, retry, calls] of [
        [busy(), rules, 1],
        [new LLMError('overloaded', 'busy'), rules, 3],
        [new LLMError('auth', 'who?'), undefined, 1],
      ] as const) {
        const model = answering(() => error);
        const step = { ...ask('one', 'user_input'), ...(retry ? { retry } : {}) };
        const engine = await open({ files: fileOf([step]), models: { m: model } });
        const failure = await failureOf((await engine.start('flow', 'x')).result);
        expect(failure).toMatchObject({
          code: 'step-failed',
          context: { path: 'one#1', stepId: 'one', causeCode: error.code },
          cause: error,
        });
        expect(model.calls).toHaveLength(calls);
      }
    });

    it('begins the answer again when a stream breaks off in its middle', async () => {
      let calls = 0;
      const whole = scriptedModel(() => 'abcdef', { chunkSize: 2 });
      const engine = await open({
        files: fileOf([{ ...ask('one', 'user_input'), retry: quick }]),
        models: {
          m: {
            ...whole,
            async *stream(request) {
              const fails = ++calls === 1;
              for await (const event of whole.stream(request)) {
                if (fails && event.type === 'part') throw new LLMError('network', 'reset');
                yield event;
              }
            },
          },
        },
      });
      const events = await eventsOf(await engine.start('flow', 'x'));
      const told = events.flatMap((event) =>
        event.type === 'step:delta' ? [event.text] : event.type === 'step:retried' ? ['again'] : [],
      );
      expect(told).toEqual(['ab', 'cd', 'ef', 'again', 'ab', 'cd', 'ef']);
    });

    it('asks another model when the first cannot answer, and says which one did', async () => {
      const engine = await open({
        files: fileOf([{ ...ask('one', 'user_input'), fallback: ['second', 'm3'] }], {
          use: { models: { second: 'm2' } },
        }),
        models: {
          m: scriptedModel([new LLMError('auth', 'no key')]),
          m2: scriptedModel([new LLMError('quota', 'used up')]),
          m3: scriptedModel(['here'], { modelId: 'third' }),
        },
      });
      const run = await engine.start('flow', 'x');
      const events = await eventsOf(run);
      expect((await run.result).output).toBe('here');
      expect(events.filter(({ type }) => type === 'step:fell-back')).toMatchObject([
        { from: 'm', to: 'm2', error: { code: 'auth' } },
        { from: 'm2', to: 'm3', error: { code: 'quota' } },
      ]);
      expect((await engine.run(run.id)).steps).toMatchObject([{ model: 'scripted:third' }]);
    });

    it('an answer that does not fit is shown to the model, and then fails the step', async () => {
      const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
      const step = { ...ask('one', 'user_input'), output: { schema } };
      const good = await open({
        files: fileOf([step]),
        models: { m: scriptedModel(['not JSON', '{"n":1}']) },
      });
      expect((await (await good.start('flow', 'x')).result).output).toEqual({ n: 1 });
      const bad = await open({
        files: fileOf([step]),
        models: { m: scriptedModel(['not JSON', '{"n":"x"}', 'never']) },
      });
      expect(await failureOf((await bad.start('flow', 'x')).result)).toMatchObject({
        code: 'step-failed',
        context: { causeCode: 'output_parse' },
      });
    });

    it('a call that takes too long is ended, whether its model listens or not', async () => {
      for (const [timeout, chunkDelayMs, message] of [
        [{ attempt: 40 }, 0, 'the call took longer than 40 ms'],
        [{ total: 40 }, 0, 'it took longer than 40 ms, all attempts together'],
        [{ idle: 40 }, 0, 'nothing came for 40 ms'],
      ] as const) {
        const engine = await open({
          files: fileOf([{ ...ask('one', 'user_input'), timeout, retry: { maxAttempts: 1 } }]),
          models: { m: scriptedModel(() => new Promise(() => undefined), { chunkDelayMs }) },
        });
        const failure = await failureOf((await engine.start('flow', 'x')).result);
        expect(failure).toMatchObject({ code: 'step-failed', context: { causeCode: 'timeout' } });
        expect(String(failure)).toContain(message);
      }
    });

    it('an answer that keeps coming is not idle', async () => {
      const engine = await open({
        files: fileOf([{ ...ask('one', 'user_input'), timeout: { idle: 200 } }]),
        models: { m: scriptedModel(['a'.repeat(16)], { chunkSize: 1, chunkDelayMs: 15 }) },
      });
      expect((await (await engine.start('flow', 'x')).result).output).toHaveLength(16);
    });

    it('cancel() ends all calls at once, and the run is cancelled', async () => {
      const model = scriptedModel(() => new Promise(() => undefined));
      const engine = await open({
        files: fileOf([
          {
            id: 'bag',
            type: 'multi_agent_interaction',
            agents_to_run: [part('a', 'user_input'), part('b', 'user_input')],
          },
        ]),
        models: { m: model },
      });
      const run = await engine.start('flow', 'x');
      while (model.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      // The calls never end by themselves, and the run ends after them.
      const order: string[] = [];
      for (const { signal } of model.calls) {
        signal?.addEventListener('abort', () => order.push('call'));
      }
      const failing = failureOf(run.result).finally(() => order.push('run'));
      run.cancel('enough');
      const failure = await failing;
      expect(order).toEqual(['call', 'call', 'run']);
      expect(failure).toMatchObject({
        code: 'cancelled',
        message: 'the run was cancelled: enough',
      });
      expect(await engine.run(run.id)).toMatchObject({ status: 'cancelled', steps: [] });
    });

    it('the signal of start() cancels, too', async () => {
      const engine = await open({
        files: fileOf([ask('one', 'user_input')]),
        models: { m: scriptedModel(() => new Promise(() => undefined)) },
      });
      const control = new AbortController();
      const run = await engine.start('flow', 'x', { signal: control.signal });
      control.abort(new Error('enough'));
      await expect(run.result).rejects.toMatchObject({ code: 'cancelled' });
      const early = await engine.start('flow', 'x', { signal: AbortSignal.abort() });
      await expect(early.result).rejects.toMatchObject({ code: 'cancelled' });
    });

    it('a budget of zero fails before any call', async () => {
      const cases: readonly { limits?: object; budget?: Budget }[] = [
        { limits: { tokens: 0 } },
        { limits: { costUsd: 0 } },
        { budget: createBudget({ tokens: 0 }) },
        { budget: createBudget({ costUsd: 0 }) },
      ];
      for (const { limits, budget } of cases) {
        const model = answering(() => 'never', 'm');
        const engine = await open({
          files: fileOf([{ ...ask('one', 'user_input'), onError: 'continue' }], {
            flow: limits ? { limits } : {},
          }),
          models: { m: model },
          prices,
        });
        const run = await engine.start('flow', 'x', budget ? { budget } : {});
        await expect(run.result).rejects.toMatchObject({
          code: 'limit',
          context: { limit: 'budget', path: 'one#1' },
        });
        expect(model.calls).toHaveLength(0);
        expect((await engine.run(run.id)).status).toBe('failed');
      }
    });

    it('money is set aside before a call and settled after it, attempts that failed included', async () => {
      const usage = { inputTokens: 100, outputTokens: 50 };
      const answer = { parts: [{ type: 'text', text: 'yes' }], usage } as const;
      const model = scriptedModel([answer, new LLMError('server', '500'), answer], {
        modelId: 'm',
      });
      const engine = await open({
        files: fileOf(
          [
            { ...ask('one', 'user_input'), maxOutputTokens: 200 },
            { ...ask('two', 'one'), maxOutputTokens: 200, retry: quick },
          ],
          { flow: { limits: { tokens: 500, costUsd: 1 } } },
        ),
        models: { m: model },
        prices,
      });
      const run = await engine.start('flow', 'x');
      const events = await eventsOf(run);
      const { usage: total, costUsd } = await run.result;
      expect(total).toEqual({ inputTokens: 200, outputTokens: 100 });
      expect(costUsd).toBeCloseTo(0.0003, 9);
      const settled = events.filter((event) => event.type === 'budget:settled');
      expect(settled.map(({ path, spending }) => [path, spending.tokens])).toEqual([
        ['one#1', 150],
        ['two#1', 0],
        ['two#1', 150],
      ]);
      expect(settled.at(-1)?.remaining.tokens).toBe(200);
      expect(courseOf(events).filter((line) => line.startsWith('budget:reserved'))).toHaveLength(3);
    });

    it('a budget that is used up in the middle ends the run before the next call', async () => {
      const usage = { inputTokens: 300, outputTokens: 150 };
      const model = answering(() => ({ parts: [{ type: 'text', text: 'y' }], usage }));
      const engine = await open({
        files: fileOf(
          [
            { ...ask('one', 'user_input'), maxOutputTokens: 100 },
            { ...ask('two', 'one'), maxOutputTokens: 100 },
          ],
          { flow: { limits: { tokens: 500 } } },
        ),
        models: { m: model },
      });
      await expect((await engine.start('flow', 'x')).result).rejects.toMatchObject({
        code: 'limit',
      });
      expect(model.calls).toHaveLength(1);
    });

    it('no more calls at a time than the engine, the provider and the step allow', async () => {
      let atOnce = 0;
      let most = 0;
      let wanted = 0;
      const model = answering(async () => {
        most = Math.max(most, ++atOnce);
        await expect.poll(() => most, { interval: 1 }).toBeGreaterThanOrEqual(wanted);
        // One that is too many begins now.
        await new Promise((resolve) => setTimeout(resolve, 10));
        atOnce--;
        return 'y';
      });
      const agents = ['a', 'b', 'c', 'd'].map((id) => part(id, 'user_input'));
      const bag = { id: 'bag', type: 'multi_agent_interaction', agents_to_run: agents } as const;
      for (const [concurrency, maxConcurrency, expected] of [
        [{}, undefined, 4],
        [{ total: 3 }, undefined, 3],
        [{ providers: { scripted: 2 } }, undefined, 2],
        [{}, 1, 1],
      ] as const) {
        most = 0;
        wanted = expected;
        const step = maxConcurrency === undefined ? bag : { ...bag, maxConcurrency };
        const engine = await open({ files: fileOf([step]), models: { m: model }, concurrency });
        await (
          await engine.start('flow', 'x')
        ).result;
        expect(most).toBe(expected);
      }
    });

    it('what was answered stays text in the prompts that use it', async () => {
      const evil = 'x {{ user_input }} {% raw %} $& $1 {%- if %} \0 \ud800 العربية';
      const model = answering((_, call) => (call === 0 ? evil : 'done'));
      const engine = await open({
        files: fileOf([ask('one', 'user_input'), ask('two', 'one')]),
        models: { m: model },
      });
      const run = await engine.start('flow', 'secret');
      const { variables } = await run.result;
      expect(variables['one']).toBe(evil);
      expect(model.calls[1]?.messages[1]?.parts).toEqual([{ type: 'text', text: `Q: ${evil}` }]);
      expect((await engine.run(run.id)).variables['one']).toBe(evil);
    });
  });
}
