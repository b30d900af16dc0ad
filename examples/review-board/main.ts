// Three reviewers read a change at the same time, and a judge makes one verdict of what they say:
//   npx tsx examples/review-board/main.ts [FILE] [--model openai:gpt-5-mini] [--base-url URL] [--tokens N]
//   npx tsx examples/review-board/main.ts --resume
//
// Without FILE it is material/change.diff. Without --model a few rules replace the models, so it runs without a
// key. Kill it in the middle (--delay-ms 300 gives you time), and --resume continues with what is not done yet.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { messageOf } from '@vizprompt/providers';
import { createBudget } from '@vizprompt/providers/middleware';
import { openStorage } from '@vizprompt/providers/node';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { WorkflowEngine, type WorkflowRun } from '@vizprompt/workflow';
import { offlineModel } from './offline-model.ts';
import { showFlow } from './show-flow.ts';
import { showRun } from './show-run.ts';

const DATA = 'review-board-data';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    'base-url': { type: 'string' },
    tokens: { type: 'string', default: '20000' },
    resume: { type: 'boolean', default: false },
    'delay-ms': { type: 'string', default: '0' },
  },
});

try {
  await main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const name = values.model ?? 'offline';
  const model =
    values.model === undefined
      ? offlineModel(Number(values['delay-ms']))
      : createModelRegistry().model(values.model, { baseURL: values['base-url'] });

  await using storage = await openStorage(join(DATA, 'runs'));
  await using vizprompt = await VizPrompt.open(join(DATA, 'project'));
  await using engine = await WorkflowEngine.open({
    files: [fileOf('config/workflow_config.yaml'), fileOf('prompts/default_prompts.yaml')],
    models: { [name]: model },
    defaultModel: name, // the roles name none
    storage, // each answer is in its database before the next step begins
    recorders: [vizprompt.recorder()], // the run becomes a flow of the project
  });

  const run = values.resume ? await resume(engine) : await start(engine);
  process.once('SIGINT', () => run.cancel());
  await showRun(run);

  const diagram = join(DATA, 'run.mmd');
  await writeFile(diagram, await engine.toMermaid('review', { run: run.id }));
  console.log(`\nA diagram of the run is in ${diagram}. In ${DATA}/project it is a flow:`);
  await showFlow(vizprompt, run.id);
}

async function start(engine: WorkflowEngine): Promise<WorkflowRun> {
  const change = await readFile(positionals[0] ?? fileOf('material/change.diff'), 'utf8');
  const { calls, inputTokens } = await engine.dryRun('review', change);
  console.log(
    `${calls.min} calls that read ${inputTokens.min} tokens or more; ${values.tokens} are allowed`,
  );
  return engine.start('review', change, {
    budget: createBudget({ tokens: Number(values.tokens) }),
  });
}

/** Continues with the newest run that has not come to its end. Answered questions are not asked again. */
async function resume(engine: WorkflowEngine): Promise<WorkflowRun> {
  const left = (await engine.runs()).find(({ status }) => status !== 'done');
  if (!left) throw new Error('all runs are done: there is nothing to resume');
  return engine.resume(left.id, { budget: createBudget({ tokens: Number(values.tokens) }) });
}

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
