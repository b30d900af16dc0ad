import { startFakeLLM } from '@vizprompt/providers/testing';

await using server = await startFakeLLM({ answer: 'むかしむかし' });
process.env['OLLAMA_HOST'] = server.url;

// #region running
import { createBudget } from '@vizprompt/providers/middleware';
import { openStorage } from '@vizprompt/providers/node';
import { WorkflowEngine, WorkflowError } from '@vizprompt/workflow';

await using storage = await openStorage('./data');
await using engine = await WorkflowEngine.open({
  files: 'flows.yaml',
  storage,
  concurrency: { total: 16, providers: { ollama: 2 } }, // すべての実行を通して、同時に行う呼び出し
  retention: { keepLast: 1000, maxAge: '30d' }, // 終わった実行について
});
engine.on('step:fell-back', ({ path, from, to }) =>
  console.log(`${path}: ${from} の代わりに ${to}`),
);

const budget = createBudget({ tokens: 100_000 }); // 渡した実行のすべてで分け合う
const run = await engine.start('story', '猫', { budget, signal: AbortSignal.timeout(60_000) });
try {
  const { output, variables, usage } = await run.result;
  console.log(output, Object.keys(variables), usage.outputTokens);
} catch (error) {
  if (!WorkflowError.isInstance(error)) throw error;
  console.log(error.code, error.context['path'], error.cause); // `step-failed review#1` など
}
// #endregion running

// #region later
for (const { id } of await engine.runs({ status: 'running' })) {
  await engine.resume(id); // 落ちた後に。別のプロセスが進めていれば `conflict`
}
const { steps, waiting } = await engine.run(run.id);
console.log(
  steps.map(({ path }) => path),
  waiting.length,
);
const fork = await engine.fork(run.id, 'review#1', {
  prompts: { review: 'おかしくしてください：{{ story }}' }, // 変数、モデル、ステップの出力でもよい
});
console.log((await fork.result).output);
// #endregion later
