// #region program
import { scriptedModel } from '@vizprompt/providers/testing';
import { WorkflowEngine } from '@vizprompt/workflow';

// models を渡さなければ、ファイルに書いた ollama:qwen3 に本当に尋ねる。
const models = { 'ollama:qwen3': scriptedModel(['猫が筆を拾った。', 'ミケは筆を拾った。']) };
await using engine = await WorkflowEngine.open({ files: 'story.yaml', models });
const run = await engine.start('story', '字を覚える猫');
for await (const event of run) {
  if (event.type === 'step:ended') console.log(event.path, event.output);
}
console.log((await run.result).output);
// #endregion program
