// #region program
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { WorkflowEngine } from '@vizprompt/workflow';

const models = {
  strict: scriptedModel(['no']),
  mild: scriptedModel(['yes']),
  fair: scriptedModel(['yes']),
};
await using storage = await openStorage('./data');
await using engine = await WorkflowEngine.open({ files: 'board.yaml', models, storage });
const run = await engine.start('board', 'A cat found a pen.');
for await (const event of run) {
  if (event.type === 'step:ended') console.log(event.path, event.output);
  if (event.type !== 'step:waiting') continue;
  console.log(event.question);
  await engine.answer(run.id, true); // from any process, today or next year
}
// #endregion program
