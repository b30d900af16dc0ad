import { scriptedModel } from '@vizprompt/providers/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

const score = { type: 'object', required: ['点'], properties: { 点: { type: 'number' } } };
const call = { agent_id: '作家', prompt_id: 'ask', input_variables: { data: 'user_input' } };
const files: WorkflowFile = {
  use: { models: { small: 'scripted:m' } },
  agent_roles: { 作家: { system_prompt: 'x', model: 'small' } },
  prompts: { ask: 'Q: {{ data }}' },
  workflows: {
    flow: {
      steps: [
        { id: 'rate', type: 'agent_interaction', ...call, output: { schema: score } },
        { id: 'below', type: 'subflow', workflow: 'inner', input_variables: {} },
      ],
    },
    inner: {
      steps: [
        {
          id: 'each',
          type: 'loop',
          maxRounds: 1,
          steps: [{ id: 'rate', type: 'agent_interaction', ...call, output: { schema: score } }],
        },
      ],
    },
  },
};

describe('changes of a fork', () => {
  let engine: WorkflowEngine;
  beforeEach(async () => {
    const model = scriptedModel(() => '{"点":1}');
    engine = await WorkflowEngine.open({ files, models: { 'scripted:m': model } });
    await (
      await engine.start('flow', 'x', { runId: 'r' })
    ).result;
  });
  afterEach(async () => engine.close());

  it.each([
    ['a prompt', { prompts: { Ask: 'x' } }, 'not-found', "'Ask' is no prompt of the run: is 'ask'"],
    [
      'a model',
      { models: { smal: 'a:b' } },
      'not-found',
      "is 'small' meant? it has small, scripted",
    ],
    ['a template', { prompts: { ask: '{{ data ' } }, 'template-failed', 'not closed'],
    ['an output', { output: 5 }, 'invalid-input', "the output of 'rate#1' does not fit its schema"],
  ])('are refused before there is a run: %s', async (_what, changes, code, message) => {
    const refused = engine.fork('r', 'rate#1', changes);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.toThrow(message);
    expect(await engine.runs()).toHaveLength(1);
  });

  it('are held to the schema of a step in a loop of a subflow', async () => {
    const { steps } = await engine.run('r');
    const path =
      steps.map((step) => step.path).find((one) => one.endsWith('each#1/1/rate#1')) ?? '';
    await expect(engine.fork('r', path, { output: { 点: '一' } })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const fork = await engine.fork('r', path, { output: { 点: 9 } });
    expect((await fork.result).output).toEqual({ 点: 9 });
  });

  it('are made at a step: one without a path is refused', async () => {
    const fork: unknown = Reflect.apply(engine.fork.bind(engine), undefined, ['r']);
    await expect(fork).rejects.toThrow('the path of a step: expected a string, got undefined');
  });
});
