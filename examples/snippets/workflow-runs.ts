import { startFakeLLM } from '@vizprompt/providers/testing';

await using server = await startFakeLLM({ answer: 'Once upon a time' });
process.env['OLLAMA_HOST'] = server.url;

// #region running
import { createBudget } from '@vizprompt/providers/middleware';
import { openStorage } from '@vizprompt/providers/node';
import { WorkflowEngine, WorkflowError } from '@vizprompt/workflow';

await using storage = await openStorage('./data');
await using engine = await WorkflowEngine.open({
  files: 'flows.yaml',
  storage,
  concurrency: { total: 16, providers: { ollama: 2 } }, // calls at a time, of all runs
  retention: { keepLast: 1000, maxAge: '30d' }, // of runs that have ended
});
engine.on('step:fell-back', ({ path, from, to }) => console.log(`${path}: ${to} for ${from}`));

const budget = createBudget({ tokens: 100_000 }); // shared by as many runs as are given it
const run = await engine.start('story', 'a cat', { budget, signal: AbortSignal.timeout(60_000) });
try {
  const { output, variables, usage } = await run.result;
  console.log(output, Object.keys(variables), usage.outputTokens);
} catch (error) {
  if (!WorkflowError.isInstance(error)) throw error;
  console.log(error.code, error.context['path'], error.cause); // such as `step-failed review#1`
}
// #endregion running

// #region later
for (const { id } of await engine.runs({ status: 'running' })) {
  await engine.resume(id); // after a crash; `conflict` for those that another process leads
}
const { steps, waiting } = await engine.run(run.id);
console.log(
  steps.map(({ path }) => path),
  waiting.length,
);
const fork = await engine.fork(run.id, 'review#1', {
  prompts: { review: 'Make this funny: {{ story }}' }, // or variables, models, or the step's output
});
console.log((await fork.result).output);
// #endregion later
