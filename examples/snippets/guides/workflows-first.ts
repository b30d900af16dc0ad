// #region program
import { scriptedModel } from '@vizprompt/providers/testing';
import { WorkflowEngine } from '@vizprompt/workflow';

// Without `models` the names in the file are real: ollama:qwen3 is asked on this machine.
const models = { 'ollama:qwen3': scriptedModel(['A cat found a pen.', 'Mia found a pen.']) };
await using engine = await WorkflowEngine.open({ files: 'story.yaml', models });
const run = await engine.start('story', 'a cat that learns to write');
for await (const event of run) {
  if (event.type === 'step:ended') console.log(event.path, event.output);
}
console.log((await run.result).usage);
// #endregion program
