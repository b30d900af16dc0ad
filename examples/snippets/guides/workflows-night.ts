// #region program
import { textOf } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { WorkflowEngine } from '@vizprompt/workflow';

await using storage = await openStorage('./data');
const model = scriptedModel(({ messages: [, prompt] }) => {
  if (prompt && textOf(prompt).startsWith('Write')) return 'A cat found a pen.';
  return isFirst ? process.exit() : 'Mia found a pen.'; // the power fails
});
const models = { 'ollama:qwen3': model };
await using engine = await WorkflowEngine.open({ files: 'story.yaml', models, storage });
const isFirst = (await engine.runs()).length === 0;
const run = isFirst
  ? await engine.start('story', 'a cat', { runId: 'last night' })
  : await engine.resume('last night');
for await (const event of run) {
  if (event.type !== 'step:ended') continue;
  console.log(event.path, event.isReplayed ? 'from the journal' : 'done');
}
console.log((await run.result).output, 'calls:', model.calls.length);
// #endregion program
