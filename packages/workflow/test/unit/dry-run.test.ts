import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition, WorkflowFile } from '../../src/definition/workflow-file.ts';
import { dryRun } from '../../src/dry-run/dry-run.ts';
import { everything } from '../support/everything.ts';

const v1 = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/v1/${name}`, import.meta.url));
const boards = { files: [v1('workflow_config.json'), v1('default_prompts.json')] };

const small = (steps: WorkflowDefinition['steps']): { readonly files: WorkflowFile } => ({
  files: {
    agent_roles: { a: { system_prompt: 'You answer.', model: 'ollama:x' } },
    prompts: { p: 'Go on. {{ t }}', q: 'Go on.' },
    workflows: { w: { steps } },
  },
});
const call = { agent_id: 'a', prompt_id: 'q' };
const agent = (id: string, more: object = {}) =>
  ({ id, type: 'agent_interaction', ...call, output_variable: id, ...more }) as const;

describe('a dry run', () => {
  it('renders every prompt, with places for what is not known yet', async () => {
    const { prompts, promptSet, unbounded, ...plan } = await dryRun(boards, 'bagging', '猫と$&');
    expect(promptSet).toBe('default');
    expect(
      prompts.map(({ stepId, agent: who, model, prompt }) => [stepId, who, model, prompt]),
    ).toEqual([
      [
        'multi_agent_example_step',
        'writer',
        'ollama:llama3',
        '「猫と$&」について短い物語を書いてください。',
      ],
      [
        'multi_agent_example_step',
        'critic',
        undefined,
        '「猫と$&」について短い物語を書いてください。',
      ],
      ['aggregation_step', 'aggregator_agent', undefined, 'A: ⟨output_A⟩\nB: ⟨output_B⟩'],
    ]);
    expect(plan.unpriced).toEqual(['llama3']);
    expect(plan.withoutModel).toEqual(['critic', 'aggregator_agent']);
    expect(unbounded).toEqual([]);
  });

  it('names models without a price as prices name them', async () => {
    const steps = ['a:x', 'ollama:qwen3:8b', 'b:constructor'].map((model, at) =>
      agent(`s${at}`, { model }),
    );
    const flow = small(steps);
    const { unpriced } = await dryRun(flow, 'w', '猫');
    expect(unpriced).toEqual(['x', 'qwen3:8b', 'constructor']);
    const price = { inputPerMillion: 1, outputPerMillion: 1 };
    const prices = Object.fromEntries(unpriced.map((key) => [key, price]));
    expect((await dryRun(flow, 'w', '猫', { prices })).unpriced).toEqual([]);
  });

  it('counts tokens and dollars from the least to the most', async () => {
    const prices = { llama3: { inputPerMillion: 1, outputPerMillion: 10 } };
    const result = await dryRun(boards, 'boosting', '猫', {
      prices,
      defaultModel: 'ollama:llama3',
      outputTokens: 500,
    });
    const [draft, review] = result.prompts;
    expect(draft?.inputTokens.min).toBe(draft?.inputTokens.max);
    expect(review?.inputTokens.max).toBe((review?.inputTokens.min ?? 0) + 500);
    expect(result.calls).toEqual({ min: 2, max: 2 });
    expect(result.outputTokens).toEqual({ min: 2, max: 1000 });
    const input = result.inputTokens;
    expect(result.costUsd.min).toBeCloseTo((input.min + 20) / 1e6, 12);
    expect(result.costUsd.max).toBeCloseTo((input.max + 10_000) / 1e6, 12);
    expect(result.unpriced).toEqual([]);
  });

  it.each<[string, WorkflowDefinition['steps'], [number, number]]>([
    [
      'a branch',
      [
        { id: 'b', type: 'branch', branches: [{ when: 'user_input == ""', next_step: 'end' }] },
        agent('x'),
      ],
      [0, 1],
    ],
    [
      'a branch of two ways',
      [
        { id: 'b', type: 'branch', branches: [{ when: 'true', next_step: 'y' }], else: 'z' },
        agent('y'),
        agent('z'),
      ],
      [1, 2],
    ],
    ['what may be left out', [agent('x', { when: 'user_input == ""' })], [0, 1]],
    [
      'a loop that may end',
      [{ id: 'l', type: 'loop', maxRounds: 4, until: 'round > 1', steps: [agent('x')] }],
      [1, 4],
    ],
    [
      'a loop that does not',
      [{ id: 'l', type: 'loop', maxRounds: 4, steps: [agent('x')] }],
      [4, 4],
    ],
    [
      'a list of the input',
      [{ id: 'f', type: 'foreach', in: 'user_input.split(",")', as: 'i', steps: [agent('x')] }],
      [3, 3],
    ],
    [
      'a list that is not known',
      [agent('a'), { id: 'f', type: 'foreach', in: 'a.split(",")', as: 'i', steps: [agent('x')] }],
      [1, 11],
    ],
    [
      'agents and who judges them',
      [
        {
          id: 'm',
          type: 'multi_agent_interaction',
          agents_to_run: [call, call],
          aggregate: { strategy: 'judge', ...call },
        },
      ],
      [3, 3],
    ],
    [
      'a subflow that runs itself',
      [agent('x'), { id: 's', type: 'subflow', workflow: 'w' }],
      [1, 1],
    ],
  ])('counts the calls of %s', async (_, steps, [min, max]) => {
    const { calls } = await dryRun(small(steps), 'w', 'a,b,c');
    expect(calls).toEqual({ min, max });
  });

  it('names what has no end but the limits', async () => {
    const back = {
      id: 'b',
      type: 'branch' as const,
      branches: [{ when: 'x == ""', next_step: 'end' }],
      else: 'x',
    };
    const { calls, unbounded } = await dryRun(small([agent('x'), back]), 'w', '');
    expect({ calls, unbounded }).toEqual({ calls: { min: 1, max: 1 }, unbounded: ['x'] });
  });

  it('shows a prompt that cannot be rendered, and why', async () => {
    const { prompts } = await dryRun(
      small([agent('x', { prompt_id: 'p', input_variables: { t: 'user_input.title' } })]),
      'w',
      { name: 'x' },
    );
    expect(prompts).toMatchObject([
      {
        prompt: 'Go on. {{ t }}',
        problem: "'user_input.title': 'user_input' has no 'title' (there is: name)",
      },
    ]);
  });

  it('refuses an input that a run would refuse', async () => {
    const { files } = small([agent('x')]);
    const { steps } = files.workflows?.['w'] ?? { steps: [] };
    const inputs = { type: 'object', required: ['topic'] };
    const flow = { files: { ...files, workflows: { w: { inputs, steps } } } };
    await expect(dryRun(flow, 'w', {})).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await dryRun(flow, 'w', { topic: '猫' })).prompts).toHaveLength(1);
  });

  it('goes through every type of step, and gives the hash of a run', async () => {
    const result = await dryRun({ files: everything }, 'all', { topic: '猫', time: '' });
    expect(result.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(result.prompts.every(({ problem }) => problem === undefined)).toBe(true);
    const judged = result.prompts.flatMap(({ stepId, agent: who, prompt }) =>
      who === 'judge' && prompt !== '' ? [[stepId, prompt]] : [],
    );
    expect(judged).toEqual([
      [
        'many',
        '[{"number":1,"agent":"writer","answer":"⟨a⟩"},{"number":2,"agent":"judge","answer":"⟨judge⟩"}]',
      ],
      ['best', '[{"number":1,"agent":"judge","answer":"⟨judge⟩"}]'],
    ]);
  });

  it('goes through 5,000 steps', async () => {
    const steps = Array.from({ length: 5000 }, (_, at) => agent(`s${at}`));
    const { calls } = await dryRun(small(steps), 'w', '');
    expect(calls).toEqual({ min: 5000, max: 5000 });
  });
});
