import { startFakeLLM } from '@vizprompt/providers/testing';

await using server = await startFakeLLM({
  answer: ({ body }) => {
    const asked = JSON.stringify(body['messages']);
    if (asked.includes('Rate this')) return '{"score": 9, "critique": "none"}';
    return asked.includes('Which is the best') ? '2' : '古池や';
  },
});
process.env['OLLAMA_HOST'] = server.url;

// #region first
import { WorkflowEngine } from '@vizprompt/workflow';

await using engine = await WorkflowEngine.open({ files: 'flows.yaml' });
const run = await engine.start('story', '字を覚える猫');
for await (const event of run) if (event.type === 'step:delta') process.stdout.write(event.text);
const { output, usage } = await run.result;
console.log(output, usage.outputTokens);
// #endregion first

// #region resume
import { VizPrompt } from '@vizprompt/core';
import { openStorage } from '@vizprompt/providers/node';

await using storage = await openStorage('./data');
await using vizprompt = await VizPrompt.open('./project');
const options = {
  files: 'panel.yaml',
  storage, // 次のステップの前に、ここに入る
  recorders: [vizprompt.recorder()], // 実行がプロジェクトのフローになる
};
{
  await using first = await WorkflowEngine.open(options);
  const haiku = await first.start('haiku', { topic: '古池' }, { runId: '俳句1' });
  for await (const event of haiku) if (event.type === 'step:waiting') break;
} // ここでプロセスが終わる。落ちてもよい

await using second = await WorkflowEngine.open(options);
const again = await second.resume('俳句1'); // 同じ答えに二度払うことはない
await second.answer('俳句1', true); // 人が「はい」と答える
const printed = await again.result;
console.log(printed.output, printed.variables['may_print']);
// #endregion resume
console.log((await vizprompt.listFlows()).map(({ nodes }) => nodes));
