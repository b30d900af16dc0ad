import { stdout } from 'node:process';
// #region lint
import { defineWorkflow, dryRun, lint, toMermaid } from '@vizprompt/workflow';

const files = 'refine.yaml';
for (const { line, column, severity, message, suggestion } of await lint(files, {
  language: 'ja',
})) {
  console.log(`${files}:${line}:${column} ${severity}: ${message}`, suggestion ?? '');
}
// #endregion lint

const prices = {
  qwen3: { inputPerMillion: 0, outputPerMillion: 0 },
  'gpt-5': { inputPerMillion: 1.25, outputPerMillion: 10 },
};
// #region dry-run
const plan = await dryRun({ files }, 'refine', { topic: 'a cat' }, { prices });
for (const { stepId, agent, model, prompt, inputTokens } of plan.prompts) {
  console.log(stepId, agent, model, inputTokens, prompt);
}
console.log(plan.calls, plan.costUsd); // { min: 2, max: 7 } and US dollars
// #endregion dry-run

// #region define
const story = defineWorkflow<{ topic: string }, string>({
  name: 'story',
  agent_roles: { writer: { system_prompt: 'You write short stories.' } },
  prompts: { draft: 'Write a story about {{ topic }}.' },
  steps: [
    {
      id: 'draft',
      type: 'agent_interaction',
      agent_id: 'writer',
      prompt_id: 'draft',
      input_variables: { topic: 'user_input.topic' },
    },
  ],
});
// #endregion define

// #region mermaid
const flow = story.workflows?.['story'];
if (flow) stdout.write(toMermaid(flow));
// #endregion mermaid
