import { inMemoryStorage } from '@vizprompt/providers/node';
import type { JsonValue } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import type { Step, WorkflowFile, WorkflowFunction } from '@vizprompt/workflow';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ask,
  diskStorage,
  failureOf,
  fileOf,
  models,
  openEngine,
} from '../../support/hostile-flow.ts';

const call = (id: string, to: string, more: object = {}): Step => ({
  id,
  type: 'function',
  function: 'f',
  output_variable: to,
  ...more,
});

describe('a function', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;

  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, null],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a map', new Map([[1, 2]]), {}],
    ['no number', Number.NaN, null],
    ['minus zero', -0, 0],
    ['holes', [1, undefined, 3], [1, null, 3]],
    ['a promise', Promise.resolve('x'), 'x'],
  ])('that gives %s gives JSON', async (_, value, expected) => {
    const f = (() => value) as WorkflowFunction;
    const engine = await openEngine(fileOf([call('f', 'v')]), { functions: { f } });
    expect((await (await engine.start('main', null)).result).output).toStrictEqual(expected);
  });

  it.each<[string, unknown]>([
    ['a big integer', 1n],
    ['a circle', circular],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
  ])('that gives %s fails its step, and says why', async (_, value) => {
    const f = (() => value) as WorkflowFunction;
    const engine = await openEngine(fileOf([call('f', 'v')]), { functions: { f } });
    expect(await failureOf((await engine.start('main', null)).result)).toMatchObject({
      code: 'step-failed',
      message: expect.stringContaining("'f#1'"),
    });
  });

  it.each<[unknown]>([[undefined], [null], ['text'], [{ code: 7 }], [new Error('\uD83D')]])(
    'may throw anything: %j',
    async (thrown) => {
      const storage = await inMemoryStorage();
      onTestFinished(() => storage.close());
      const f: WorkflowFunction = () => {
        throw thrown;
      };
      const steps = [call('f', 'v', { onError: 'continue' }), call('g', 'w', { function: 'ok' })];
      const engine = await openEngine(fileOf(steps), { functions: { f, ok: () => 1 }, storage });
      const { output, variables } = await (await engine.start('main', null)).result;
      expect(output).toBe(1);
      expect(variables['errors']).toMatchObject({ f: { code: 'step-failed' } });
    },
  );

  it('that changes what it is given changes nothing', async () => {
    const engine = await openEngine(
      fileOf([
        call('f', 'v', { input_variables: { list: 'user_input' } }),
        call('g', 'w', { function: 'same', input_variables: { list: 'user_input' } }),
      ]),
      {
        functions: {
          f: ({ list }) => ((list as number[]).push(9), null),
          same: ({ list }) => list ?? null,
        },
      },
    );
    expect((await (await engine.start('main', [1])).result).output).toEqual([1]);
  });

  it('that never ends is left behind by cancel, by a timeout and by close', async () => {
    const f: WorkflowFunction = () => new Promise(() => undefined);
    const functions = { f };
    const engine = await openEngine(fileOf([call('f', 'v', { timeout: { total: 20 } })]), {
      functions,
    });
    expect(await failureOf((await engine.start('main', null)).result)).toMatchObject({
      code: 'step-failed',
      cause: { code: 'timeout' },
    });
    const other = await openEngine(fileOf([call('f', 'v')]), { functions });
    const run = await other.start('main', null);
    setImmediate(() => run.cancel());
    expect(await failureOf(run.result)).toMatchObject({ code: 'cancelled' });
    const last = await other.start('main', null);
    await other.close();
    expect(await failureOf(last.result)).toMatchObject({ code: 'closed' });
  });
});

describe('names', () => {
  const names = ['__proto__', 'constructor', 'toString', '猫 🐈', 'hasOwnProperty'];

  it.each(names)(
    'of workflows, agents, prompts, steps and variables may be %s, or are refused',
    async (name) => {
      const storage = await diskStorage();
      const own = <Value>(value: Value): Record<string, Value> =>
        Object.fromEntries([[name, value]]);
      const file: WorkflowFile = {
        agent_roles: own({ system_prompt: '', model: 'm' }),
        prompts: own('p'),
        workflows: own({
          steps: [
            {
              id: name,
              type: 'agent_interaction',
              agent_id: name,
              prompt_id: name,
              output_variable: name,
            },
            call('last', 'v', { input_variables: own(name) }),
          ],
        }),
      };
      const options = {
        models: models(() => 'said').models,
        functions: { f: (input: object) => JSON.stringify(input) },
        storage,
      };
      const end = await openEngine(file, options).then(
        async (engine) => (await (await engine.start(name, '猫')).result).output,
        (error: unknown) => Reflect.get(Object(error), 'code') as JsonValue,
      );
      expect([JSON.stringify(own('said')), 'definition-invalid']).toContain(end);
      expect(Reflect.get({}, 'said')).toBeUndefined();
    },
  );

  it.each(['', '../x', 'a\u0000b', '\uD83D', 'x'.repeat(100_000), '走る 1'])(
    'of runs may be anything that can be kept: %j',
    async (runId) => {
      const storage = await diskStorage();
      const engine = await openEngine(fileOf([call('f', 'v')]), {
        functions: { f: () => 1 },
        storage,
      });
      const end = await engine.start('main', null, { runId }).then(
        async (run) => (await run.result).output,
        (error: unknown) => Reflect.get(Object(error), 'code') as JsonValue,
      );
      expect([1, 'invalid-input']).toContain(end);
      const kept = end === 1 ? (await engine.run(runId)).output : 1;
      expect(kept).toBe(1);
    },
  );
});

describe('a model', () => {
  it('may cut characters in two: the pieces make the whole', async () => {
    const text = '👩‍👩‍👧‍👦 𠮷野家';
    const model = scriptedModel(() => text, { modelId: 'm' });
    const halved = {
      ...model,
      async *stream(request: Parameters<typeof model.stream>[0]) {
        for await (const event of model.stream(request)) {
          if (event.type !== 'text-delta') yield event;
          else for (const unit of event.text.split('')) yield { ...event, text: unit };
        }
      },
    };
    const engine = await openEngine(fileOf([ask('a', 'user_input', 'x')]), {
      models: { m: halved },
    });
    const run = await engine.start('main', '');
    let told = '';
    for await (const event of run) if (event.type === 'step:delta') told += event.text;
    expect(told).toBe(text);
    expect((await run.result).output).toBe(text);
  });

  it('that ignores its signal is left behind', async () => {
    const deaf = scriptedModel(() => new Promise<string>(() => undefined), { modelId: 'm' });
    const engine = await openEngine(fileOf([ask('a', 'user_input', 'x')]), { models: { m: deaf } });
    const run = await engine.start('main', '');
    setImmediate(() => run.cancel());
    expect(await failureOf(run.result)).toMatchObject({ code: 'cancelled' });
  });
});

describe('a question to a person', () => {
  it('is answered once, where it is asked, by what fits', async () => {
    const storage = await diskStorage();
    const file = fileOf(
      [{ id: 'h', type: 'human', prompt_id: 'q', output: { schema: { type: 'boolean' } } }],
      {},
      { q: '?' },
    );
    const engine = await openEngine(file, { storage });
    await expect(engine.answer('none', true)).rejects.toMatchObject({ code: 'not-found' });
    const run = await engine.start('main', null, { runId: 'r' });
    for await (const event of run) if (event.type === 'step:waiting') break;
    await expect(engine.answer('r', 'yes')).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(engine.answer('r', true, { path: 'x' })).rejects.toMatchObject({
      code: 'not-waiting',
    });
    const both = await Promise.allSettled([engine.answer('r', true), engine.answer('r', false)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { output } = await run.result;
    expect(output).toBe(both[0]?.status === 'fulfilled');
    await expect(engine.answer('r', true)).rejects.toMatchObject({ code: 'finished' });
    await expect(engine.resume('r')).rejects.toMatchObject({ code: 'finished' });
  });

  it('of a run that is led elsewhere: two engines do not lead one run', async () => {
    const storage = await diskStorage();
    const file = fileOf([{ id: 'h', type: 'human', prompt_id: 'q' }], {}, { q: '?' });
    const first = await openEngine(file, { storage });
    const second = await openEngine(file, { storage });
    const run = await first.start('main', null, { runId: 'r' });
    for await (const event of run) if (event.type === 'step:waiting') break;
    await expect(second.resume('r')).rejects.toMatchObject({ code: 'conflict' });
    await expect(second.start('main', null, { runId: 'r' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await second.answer('r', 'from elsewhere');
    expect((await run.result).output).toBe('from elsewhere');
  });
});
