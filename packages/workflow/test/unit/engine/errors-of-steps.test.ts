import { describe, expect, it } from 'vitest';
import { type Step, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

/** Returns the ids that `errors` has after two rounds of steps whose functions fail in the rounds that are named. */
async function errorsAfter(
  steps: readonly Step[],
  { order, fails }: { readonly order: 'listed' | 'by-data'; readonly fails: readonly number[] },
): Promise<readonly string[]> {
  let call = 0;
  const rounds: Step = { id: 'rounds', type: 'loop', maxRounds: 2, steps };
  const last: Step = {
    id: 'last',
    type: 'function',
    function: 'keys',
    input_variables: { errors: 'errors' },
  };
  const files: WorkflowFile = { workflows: { flow: { order, steps: [rounds, last] } } };
  await using engine = await WorkflowEngine.open({
    files,
    functions: {
      work: () => {
        if (fails.includes(++call)) throw new Error(`call ${call}`);
        return call;
      },
      keys: ({ errors }) => Object.keys(Object(errors)),
    },
  });
  const { output } = await (await engine.start('flow', 1)).result;
  return output as string[];
}

const work: Step = { id: 'work', type: 'function', function: 'work', onError: 'continue' };
const again: Step = {
  id: 'again',
  type: 'loop',
  maxRounds: 1,
  until: 'n > 1',
  steps: [{ id: 'inner', type: 'function', function: 'work', output_variable: 'n' }],
};
const both: Step = {
  id: 'both',
  type: 'parallel',
  errors: 'settle',
  maxConcurrency: 1,
  branches: {
    x: { steps: [{ id: 'x', type: 'function', function: 'work' }] },
    y: { steps: [{ id: 'y', type: 'function', function: 'work' }] },
  },
};

describe.each(['listed', 'by-data'] as const)('errors, %s', (order) => {
  it.each([
    ['a step that succeeds later', work, [1], []],
    ['a step that fails later', work, [2], ['work']],
    ['a step that fails twice', work, [1, 2], ['work']],
    ['a loop that is exhausted, and then not', again, [], []],
    ['parts that fail, and then not', both, [1], []],
    ['parts that fail later', both, [3], ['both']],
    ['a step within another', { id: 'in', type: 'loop', maxRounds: 1, steps: [work] }, [1], []],
  ] as const)('are those of the last time: %s', async (_, step, fails, left) => {
    expect(await errorsAfter([step], { order, fails })).toEqual(left);
  });

  it('stay where the step is left out', async () => {
    const step = { ...work, when: 'round == 1' } as const;
    expect(await errorsAfter([step], { order, fails: [1] })).toEqual(['work']);
  });
});
