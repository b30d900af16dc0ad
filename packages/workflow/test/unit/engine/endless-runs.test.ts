import { describe, expect, it } from 'vitest';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

/** Cycles that leave nothing in the journal, each with a limit that ends the run. */
const CYCLES: readonly [string, WorkflowFile['workflows']][] = [
  [
    'a branch that leads back',
    {
      flow: {
        limits: { steps: 50 },
        steps: [
          { id: 'x', type: 'branch', branches: [{ when: 'true', next_step: 'x' }], else: 'end' },
        ],
      },
    },
  ],
  [
    'two steps that lead to each other',
    {
      flow: {
        limits: { steps: 50 },
        steps: [
          { id: 'x', type: 'branch', branches: [{ when: 'true', next_step: 'y' }] },
          { id: 'y', type: 'branch', branches: [{ when: 'true', next_step: 'x' }] },
        ],
      },
    },
  ],
  [
    'a loop of branches',
    {
      flow: {
        limits: { steps: 50 },
        steps: [
          {
            id: 'l',
            type: 'loop',
            maxRounds: 1_000_000_000,
            steps: [{ id: 'x', type: 'branch', branches: [{ when: 'false', next_step: 'end' }] }],
          },
        ],
      },
    },
  ],
  [
    'workflows that run each other',
    {
      flow: {
        limits: { steps: 200 },
        steps: [{ id: 'a', type: 'subflow', workflow: 'other', input_variables: {} }],
      },
      other: { steps: [{ id: 'b', type: 'subflow', workflow: 'flow', input_variables: {} }] },
    },
  ],
  [
    'a cycle that its time ends',
    {
      flow: {
        limits: { steps: 1_000_000_000, timeout: 30 },
        steps: [{ id: 'x', type: 'branch', branches: [{ when: 'true', next_step: 'x' }] }],
      },
    },
  ],
  [
    'items that go round',
    {
      flow: {
        limits: { steps: 300 },
        steps: [
          {
            id: 'each',
            type: 'foreach',
            in: '[1, 2, 3]',
            as: 'item',
            steps: [{ id: 'x', type: 'branch', branches: [{ when: 'true', next_step: 'x' }] }],
          },
        ],
      },
    },
  ],
  [
    'a skipped step that is its own next one',
    {
      flow: {
        limits: { steps: 50 },
        steps: [{ id: 'x', type: 'function', function: 'f', when: 'false', next_step: 'x' }],
      },
    },
  ],
];

describe('a run that its limit ended can be looked at', () => {
  it.each(CYCLES)('%s', async (_, workflows = {}) => {
    const functions = { f: () => null };
    await using engine = await WorkflowEngine.open({ files: { workflows }, functions });
    const run = await engine.start('flow', 'go');
    await expect(run.result).rejects.toMatchObject({ code: 'limit' });
    expect(await engine.run(run.id)).toMatchObject({
      status: 'failed',
      error: { code: 'limit' },
      variables: { user_input: 'go' },
    });
    expect(await engine.toMermaid('flow', { run: run.id })).toContain('flowchart');
  });
});

it('counts the steps of rounds and items, not the rounds and items', async () => {
  const step = { id: 'x', type: 'function', function: 'f' } as const;
  const files: WorkflowFile = {
    workflows: {
      rounds: {
        limits: { steps: 11 },
        steps: [{ id: 'l', type: 'loop', maxRounds: 10, steps: [step] }],
      },
      items: {
        limits: { steps: 11 },
        steps: [{ id: 'e', type: 'foreach', in: '[1,2,3,4,5,6,7,8,9,10]', as: 'i', steps: [step] }],
      },
    },
  };
  await using engine = await WorkflowEngine.open({ files, functions: { f: () => null } });
  for (const name of engine.workflows) {
    const { result } = await engine.start(name, 1);
    await expect(result).resolves.toMatchObject({ variables: { errors: {} } });
  }
});

it('says where a run met its limit in few words, however deep that is', async () => {
  const files: WorkflowFile = {
    workflows: {
      flow: { limits: { steps: 200 }, steps: [{ id: 'again', type: 'subflow', workflow: 'flow' }] },
    },
  };
  await using engine = await WorkflowEngine.open({ files });
  const error = await (await engine.start('flow', 1)).result.catch((thrown: unknown) => thrown);
  expect(String(error).length).toBeLessThan(500);
});

describe('a loop that uses up its rounds', () => {
  const open = (loop: object): Promise<WorkflowEngine> =>
    WorkflowEngine.open({
      files: {
        workflows: {
          flow: {
            steps: [
              {
                id: 'refine',
                type: 'loop',
                maxRounds: 3,
                steps: [{ id: 'f', type: 'function', function: 'f', output_variable: 'n' }],
                ...loop,
              } as never,
            ],
          },
        },
      },
      functions: { f: () => 1 },
    });

  it('is reported by an event and a variable', async () => {
    await using engine = await open({ until: 'n > 1' });
    const run = await engine.start('flow', 1);
    const events = [];
    for await (const event of run) events.push(event);
    const told = { type: 'step:exhausted', path: 'refine#1', rounds: 3 };
    expect(events).toContainEqual(expect.objectContaining(told));
    const { variables } = await run.result;
    expect(variables['errors']).toMatchObject({ refine: { code: 'exhausted' } });
    expect((await engine.run(run.id)).variables).toEqual(variables);
  });

  it('fails where that is asked for, and onError deals with it', async () => {
    await using engine = await open({ until: 'n > 1', onExhausted: 'fail' });
    await expect((await engine.start('flow', 1)).result).rejects.toMatchObject({
      code: 'step-failed',
      context: { causeCode: 'exhausted', path: 'refine#1' },
    });
    await using other = await open({ until: 'n > 1', onExhausted: 'fail', onError: 'continue' });
    const { variables } = await (await other.start('flow', 1)).result;
    expect(variables['errors']).toMatchObject({ refine: { code: 'step-failed' } });
  });

  it.each([{}, { until: 'n == 1' }, { until: 'round == 3' }])(
    'is not reported where no condition was left open: %j',
    async (loop) => {
      await using engine = await open({ ...loop, onExhausted: 'fail' });
      expect((await (await engine.start('flow', 1)).result).variables['errors']).toEqual({});
    },
  );
});
