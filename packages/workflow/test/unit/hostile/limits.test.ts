import type { Activity } from '@vizprompt/providers';
import { createBudget } from '@vizprompt/providers/middleware';
import type { Step } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';
import { ask, failureOf, fileOf, models, openEngine } from '../../support/hostile-flow.ts';

describe('a budget of nothing', () => {
  it.each([
    ['tokens', { limits: { tokens: 0 } }, {}],
    [
      'dollars',
      { limits: { costUsd: 0 } },
      { prices: { m: { inputPerMillion: 1, outputPerMillion: 1 } } },
    ],
  ])('asks no model: %s', async (_, more, options) => {
    const { models: given, model } = models(() => 'never');
    const engine = await openEngine(fileOf([ask('one', 'user_input', 'x')], more), {
      models: given,
      ...options,
    });
    expect(await failureOf((await engine.start('main', '猫')).result)).toMatchObject({
      code: 'limit',
      context: { path: 'one#1' },
    });
    expect(model.calls).toHaveLength(0);
  });

  it('that is shared asks no model either, and no fallback, retry or onError gets around it', async () => {
    const { models: given, model } = models(() => 'never');
    const step = ask('one', 'user_input', 'x', {
      fallback: ['m'],
      retry: { maxAttempts: 5, delay: 1, on: ['quota', 'limit'] },
      onError: 'continue',
    });
    const engine = await openEngine(fileOf([step, ask('two', 'user_input', 'y')]), {
      models: given,
    });
    const run = await engine.start('main', '猫', { budget: createBudget({ tokens: 0 }) });
    expect(await failureOf(run.result)).toMatchObject({ code: 'limit' });
    expect(model.calls).toHaveLength(0);
  });
});

describe('a limit that an activity meets', () => {
  it('ends the run, also where it is the cause of an error of its own', async () => {
    let calls = 0;
    const talk: Activity = {
      specVersion: 1,
      name: 'talk',
      async run(_, { budget }) {
        calls++;
        try {
          budget?.reserve({ tokens: 1000 });
        } catch (cause) {
          throw new Error('turn 0 failed', { cause });
        }
        throw new Error('it was not refused');
      },
    };
    const step: Step = {
      id: 'talk',
      type: 'activity',
      activity: 'talk',
      retry: { maxAttempts: 3, delay: 1 },
      onError: 'continue',
    };
    const engine = await openEngine(fileOf([step], { limits: { tokens: 10 } }), {
      activities: [talk],
    });
    expect(await failureOf((await engine.start('main', '猫')).result)).toMatchObject({
      code: 'limit',
      context: { path: 'talk#1' },
    });
    expect(calls).toBe(1);
  });
});

describe('a loop without an end', () => {
  const round = fileOf([
    { id: 'a', type: 'function', function: 'nothing', next_step: 'b' },
    { id: 'b', type: 'function', function: 'nothing', next_step: 'a' },
  ]);

  it('ends at the limit of steps, and says so', async () => {
    const again = [{ when: 'true', next_step: 'x' }];
    const engine = await openEngine(fileOf([{ id: 'x', type: 'branch', branches: again }]));
    expect(await failureOf((await engine.start('main', null)).result)).toMatchObject({
      code: 'limit',
      message: expect.stringMatching(/10,000 steps.*loop without an end/s),
    });
  });

  it('leaves everything else its turn, and can be cancelled', async () => {
    const file = fileOf(round.workflows?.['main']?.steps ?? [], { limits: { steps: 100_000_000 } });
    const engine = await openEngine(file, { functions: { nothing: () => null } });
    const run = await engine.start('main', null);
    // A timer that does not come would be the end of everything else in the process.
    for (let tick = 0; tick < 5; tick++) await new Promise((resolve) => setTimeout(resolve, 1));
    run.cancel();
    expect(await failureOf(run.result)).toMatchObject({ code: 'cancelled' });
  });

  it('ends when its time is over', async () => {
    const file = fileOf(round.workflows?.['main']?.steps ?? [], {
      limits: { steps: 100_000_000, timeout: 50 },
    });
    const engine = await openEngine(file, { functions: { nothing: () => null } });
    expect(await failureOf((await engine.start('main', null)).result)).toMatchObject({
      code: 'limit',
    });
  });

  it('of subflows that run each other ends, too', async () => {
    const file = {
      workflows: {
        main: {
          limits: { steps: 100 },
          steps: [{ id: 'x', type: 'subflow', workflow: 'other' } as const],
        },
        other: { steps: [{ id: 'y', type: 'subflow', workflow: 'main' } as const] },
      },
    };
    const end = await openEngine(file).then(
      async (engine) => failureOf((await engine.start('main', null)).result),
      (error: unknown) => error,
    );
    expect(['limit', 'definition-invalid']).toContain(Reflect.get(Object(end), 'code'));
  });
});
