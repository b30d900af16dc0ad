import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

const call = { agent_id: 'poet', prompt_id: 'write', input_variables: { topic: 'user_input' } };
const files: WorkflowFile = {
  agent_roles: {
    poet: { system_prompt: 'x', model: 'm' },
    judge: { system_prompt: 'y', model: 'j' },
  },
  prompts: {
    write: '{{ topic }}',
    pick: '{% for one in answers %}{{ one.number }} {{ one.answer }}{% endfor %}',
  },
  workflows: {
    best: {
      steps: [
        {
          id: 'write',
          type: 'multi_agent_interaction',
          agents_to_run: [call, call],
          aggregate: { strategy: 'bestOf', agent_id: 'judge', prompt_id: 'pick' },
        },
      ],
    },
    votes: {
      steps: [
        {
          id: 'vote',
          type: 'multi_agent_interaction',
          agents_to_run: [call, call],
          aggregate: { strategy: 'vote', by: 'score' },
        },
      ],
    },
  },
};

it('asks a judge again after a resume, when it named none of the answers', async () => {
  const judge = scriptedModel(['どちらも良い', '甲乙つけがたい', '2']);
  const models = { m: scriptedModel((_, at) => `haiku ${at}`), j: judge };
  await using engine = await WorkflowEngine.open({ files, models });
  const run = await engine.start('best', '池');
  await expect(run.result).rejects.toMatchObject({
    code: 'step-failed',
    message: expect.stringContaining('bestOf needs the number of one answer, from 1 to 2, and got'),
    context: { path: 'write#1:bestOf', stepId: 'write' },
  });
  const again = await engine.resume(run.id);
  expect((await again.result).output).toMatch(/^haiku/);
  expect(judge.calls).toHaveLength(3);
  expect(models.m.calls).toHaveLength(2);
});

it('says which step could not make one of its answers', async () => {
  const models = { m: scriptedModel(() => 'no object'), j: scriptedModel([]) };
  await using engine = await WorkflowEngine.open({ files, models });
  const { result } = await engine.start('votes', 'x');
  await expect(result).rejects.toMatchObject({
    code: 'step-failed',
    message: expect.stringContaining("the step 'vote#1' failed: "),
    context: { path: 'vote#1', stepId: 'vote' },
  });
});
