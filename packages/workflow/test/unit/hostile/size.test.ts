import { textOf, type JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { ask, diskStorage, fileOf, models, openEngine } from '../../support/hostile-flow.ts';

const MB = 1024 * 1024;
const nextTurn = (): Promise<void> => new Promise(setImmediate);

describe('size', () => {
  it('passes 1 MB through prompts, answers and the journal, unchanged', async () => {
    const big = '長い物語。😀'.repeat(MB / 20);
    const storage = await diskStorage();
    const { models: given, model } = models(({ messages }) => textOf(messages.at(-1)?.parts ?? []));
    const file = fileOf(
      [
        ask('one', 'user_input', 'first'),
        { id: 'person', type: 'human', prompt_id: 'go', output_variable: 'go' },
        ask('two', 'first', 'second'),
      ],
      {},
      { go: 'ok?' },
    );
    const engine = await openEngine(file, { models: given, storage });
    const run = await engine.start('main', big, { runId: 'big' });
    for await (const event of run) if (event.type === 'step:waiting') break;
    await engine.close();
    const again = await openEngine(file, { models: given, storage });
    const resumed = await again.resume('big');
    await again.answer('big', 'yes');
    const { output } = await resumed.result;
    expect(output === big).toBe(true);
    expect(model.calls).toHaveLength(2);
  });

  it('runs 200 items, no more at a time than it may, and keeps their order', async () => {
    let active = 0;
    let most = 0;
    const file = fileOf([
      {
        id: 'each',
        type: 'foreach',
        in: 'user_input',
        as: 'item',
        indexAs: 'at',
        maxConcurrency: 50,
        output_variable: 'all',
        steps: [
          {
            id: 'double',
            type: 'function',
            function: 'double',
            input_variables: { item: 'item', at: 'at' },
            output_variable: 'doubled',
          },
        ],
      },
    ]);
    const engine = await openEngine(file, {
      functions: {
        async double({ item, at }: JsonObject) {
          most = Math.max(most, ++active);
          for (let turn = 0; turn < (Number(at) * 7) % 5; turn++) await nextTurn();
          active--;
          return Number(item) * 2;
        },
      },
    });
    const items = Array.from({ length: 200 }, (_, at) => at);
    const { output } = await (await engine.start('main', items)).result;
    expect(output).toEqual(items.map((item) => item * 2));
    expect(most).toBe(50);
  });

  it('asks 200 agents at once, within the limit of the engine', async () => {
    let active = 0;
    let most = 0;
    const { models: given } = models(async ({ messages }) => {
      most = Math.max(most, ++active);
      await nextTurn();
      active--;
      return `${textOf(messages.at(-1)?.parts ?? [])}!`;
    });
    const agents = Array.from({ length: 200 }, (_, at) => ({
      agent_id: 'a',
      prompt_id: 'p',
      input_variables: { v: 'user_input' },
      output_variable: `o${at}`,
    }));
    const file = fileOf([
      {
        id: 'all',
        type: 'multi_agent_interaction',
        agents_to_run: agents,
        aggregate: 'vote',
        output_variable: 'one',
      },
    ]);
    const engine = await openEngine(file, { models: given, concurrency: { total: 20 } });
    const { output, variables } = await (await engine.start('main', '猫')).result;
    expect(output).toBe('猫!');
    expect(variables['o199']).toBe('猫!');
    expect(most).toBe(20);
  });
});
