import { startFakeLLM } from '@vizprompt/providers/testing';

await using server = await startFakeLLM({
  answer: ({ body }) => {
    const asked = JSON.stringify(body['messages']);
    if (asked.includes('Rate this')) return '{"score": 9, "critique": "none"}';
    return asked.includes('Which is the best') ? '2' : 'An old silent pond';
  },
});
process.env['OLLAMA_HOST'] = server.url;

// #region first
import { WorkflowEngine } from '@vizprompt/workflow';

await using engine = await WorkflowEngine.open({ files: 'flows.yaml' });
const run = await engine.start('story', 'a cat that learns to write');
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
  storage, // each step is in its database before the next one begins
  recorders: [vizprompt.recorder()], // the run becomes a flow of the project
};
{
  await using first = await WorkflowEngine.open(options);
  const haiku = await first.start('haiku', { topic: 'a pond' }, { runId: 'haiku 1' });
  for await (const event of haiku) if (event.type === 'step:waiting') break;
} // the process ends here, or is killed

await using second = await WorkflowEngine.open(options);
const again = await second.resume('haiku 1'); // no answer is paid for twice
await second.answer('haiku 1', true); // a person says yes
const printed = await again.result;
console.log(printed.output, printed.variables['may_print']);
// #endregion resume
console.log((await vizprompt.listFlows()).map(({ nodes }) => nodes));
