import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { defineWorkflow, WorkflowEngine } from '../../src/index.ts';

const story = defineWorkflow<string, string>({
  name: 'story',
  agent_roles: { writer: { system_prompt: 'You write.' } },
  prompts: { draft: 'About {{ topic }}.', ask: 'Is it good?', broken: '{{ topic }}' },
  steps: [
    {
      id: 'draft',
      type: 'agent_interaction',
      agent_id: 'writer',
      prompt_id: 'draft',
      input_variables: { topic: 'user_input' },
      output_variable: 'story',
    },
    { id: 'count', type: 'function', function: 'count', onError: 'continue' },
    { id: 'ask', type: 'human', prompt_id: 'ask', output_variable: 'verdict' },
    { id: 'rest', type: 'sleep', duration: 1 },
  ],
});

it('an engine shows what a run would send, and what became of one', async () => {
  const engine = await WorkflowEngine.open({
    files: story,
    models: { m: scriptedModel(['昔々']) },
    defaultModel: 'm',
    prices: { m: { inputPerMillion: 1, outputPerMillion: 1 } },
    functions: {
      count() {
        throw new Error('it cannot count');
      },
    },
  });
  const { prompts, costUsd, unpriced, hash } = await engine.dryRun('story', '猫');
  expect(prompts.map(({ prompt }) => prompt)).toEqual(['About 猫.', 'Is it good?']);
  expect(costUsd.max).toBeGreaterThan(0);
  expect(unpriced).toEqual([]);
  await expect(engine.dryRun('stroy', '猫')).rejects.toMatchObject({ code: 'not-found' });

  const run = await engine.start(story, '猫');
  const seen = [];
  for await (const event of run) {
    seen.push(event);
    if (event.type !== 'step:waiting') continue;
    const text = await engine.toMermaid('story', { run: run.id });
    expect(text).toMatch(/class n1 done\n[^]*class n2 failed\n[^]*class n3 waiting/);
    await engine.answer(run.id, true);
  }
  const after = await engine.toMermaid('story', { run: run.id });
  expect(after).toMatch(/class n1,n3(?:,n4)? done/);
  expect((await engine.run(run.id)).definitionHash).toBe(hash);
  expect(await engine.toMermaid('story')).not.toContain('class');
  await expect(engine.toMermaid('x')).rejects.toMatchObject({ code: 'not-found' });
  await engine.close();
});
