import { describe, expect, it, onTestFinished } from 'vitest';
import type { Step } from '@vizprompt/workflow';
import { openStorage } from '@vizprompt/providers/node';
import { answering, ask, fileOf } from '../../support/engine/flow-parts.ts';
import {
  openInMemory,
  temporaryFolder,
  type OpenEngine,
} from '../../support/engine/open-engine.ts';

const functions = { next: ({ n }: Record<string, unknown>) => Number(n) + 1 };
const count = (id: string): Step => ({
  id,
  type: 'function',
  function: 'next',
  input_variables: { n: 'n' },
  output_variable: 'n',
});
const first: Step = { ...count('first'), input_variables: { n: 'user_input' } } as Step;

/** The order of commits is the same; only the disk is not waited for. */
const openOnSqlite: OpenEngine = async (options) => {
  const storage = await openStorage(await temporaryFolder(), { durability: 'normal' });
  onTestFinished(() => storage.close());
  return openInMemory({ storage, ...options });
};

describe.each([
  ['in memory', openInMemory],
  ['on SQLite', openOnSqlite],
])('large runs %s', (_name, open) => {
  it('5,000 steps', async () => {
    const steps = [first, ...Array.from({ length: 4999 }, (_, at) => count(`s${at}`))];
    const engine = await open({ files: fileOf(steps), functions, models: {} });
    const run = await engine.start('flow', 0);
    expect((await run.result).output).toBe(5000);
    expect((await engine.run(run.id)).steps).toHaveLength(5000);
  });

  it('a loop of 3,000 rounds in a loop', async () => {
    const inner: Step = { id: 'inner', type: 'loop', maxRounds: 100, as: 'i', steps: [count('s')] };
    const engine = await open({
      files: fileOf([first, { id: 'outer', type: 'loop', maxRounds: 30, as: 'o', steps: [inner] }]),
      functions,
      models: {},
    });
    expect((await (await engine.start('flow', 0)).result).output).toBe(3001);
  });

  it('1,000 items at the same time', async () => {
    const engine = await open({
      files: fileOf([
        {
          id: 'each',
          type: 'foreach',
          in: 'user_input',
          as: 'item',
          maxConcurrency: 1000,
          steps: [ask('one', 'item', 'a'), ask('two', 'a', 'b')],
        },
      ]),
      models: { m: answering((question) => question.slice(3)) },
      concurrency: { total: 1000 },
    });
    const items = Array.from({ length: 1000 }, (_, at) => `項目${at}`);
    const run = await engine.start('flow', items);
    expect((await run.result).output).toEqual(items);
    const { steps } = await engine.run(run.id);
    expect(new Set(steps.map(({ path }) => path)).size).toBe(2000);
  });

  it('an input of 10 MB', async () => {
    const text = '猫'.repeat(10_000_000 / 3);
    const engine = await open({
      files: fileOf([ask('one', 'user_input.text'), ask('two', 'one')]),
      models: { m: answering((question) => String(question.length)) },
    });
    const run = await engine.start('flow', { text });
    // The second question is `Q: 3333336`.
    expect((await run.result).output).toBe('10');
    expect((await engine.run(run.id)).input).toEqual({ text });
  });

  it('1,000 runs at the same time', async () => {
    const engine = await open({
      files: fileOf([ask('one', 'user_input'), ask('two', 'one'), ask('three', 'two')]),
      models: { m: answering((question) => question) },
    });
    const runs = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => engine.start('flow', at)),
    );
    const results = await Promise.all(runs.map(({ result }) => result));
    expect(results.map(({ output }) => output)).toEqual(runs.map((_, at) => `Q: Q: Q: ${at}`));
  });

  it('an endless loop ends by its limit, and can be cancelled while it runs', async () => {
    const endless: Step = {
      id: 'again',
      type: 'branch',
      branches: [{ when: 'true', next_step: 'again' }],
    };
    const files = fileOf([endless], {
      workflows: { huge: { steps: [endless], limits: { steps: 1e9 } } },
    });
    const engine = await open({ files, models: {} });
    await expect((await engine.start('flow', 0)).result).rejects.toMatchObject({ code: 'limit' });
    const run = await engine.start('huge', 0);
    setTimeout(() => run.cancel(), 50);
    await expect(run.result).rejects.toMatchObject({ code: 'cancelled' });
  });
});
