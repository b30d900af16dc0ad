// A worker: leads the runs that submit.ts starts. Start it twice, in two terminals.
//   DATABASE_URL=postgres://... npx tsx examples/team-workflow/worker.ts NAME [--lease SECONDS] [--model openai:gpt-5-mini]
//
// The flow asks for ollama:llama3; without --model, a server that is started here replaces it, and takes a few
// seconds for each answer so that there is time to kill a worker.
import { parseArgs } from 'node:util';
import type { JsonValue, ModelRegistry } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { runWorker } from '@vizprompt/workflow/dbos';

const ASKED_FOR = 'ollama:llama3';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    lease: { type: 'string', default: '6' },
    model: { type: 'string' },
    'chunk-delay': { type: 'string', default: '250' },
  },
});
const url = process.env['DATABASE_URL'];
if (url === undefined) {
  console.error('DATABASE_URL is not set: see examples/team-workflow/README.md');
  process.exit(2);
}
const name = positionals[0] ?? `worker-${process.pid}`;
const models = await chooseModels(values.model);

const worker = await runWorker({
  url,
  namespace: 'team_example',
  leaseMs: Number(values.lease) * 1000,
  models,
  // All workers together call the provider at most four times at once.
  concurrency: { shared: { ollama: { concurrency: 4 } } },
});
worker.on('run:started', ({ runId, isResumed }) =>
  say(`${isResumed ? 'takes over' : 'leads'} the run ${runId}`),
);
worker.on('step:started', ({ path, agent }) => say(`… ${path} (${agent ?? ''})`));
worker.on('step:ended', ({ path, isReplayed }) =>
  say(isReplayed ? `  ${path} is in the journal already` : `✓ ${path}`),
);
worker.on('run:ended', ({ runId, status }) => say(`the run ${runId} is ${status}`));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void worker.close().then(() => process.exit()));
}
say(`is ready (pid ${process.pid})`);

function say(line: string): void {
  console.log(`[${name}] ${line}`);
}

async function chooseModels(model: string | undefined): Promise<ModelRegistry> {
  if (model !== undefined) return createModelRegistry({}, { aliases: { [ASKED_FOR]: model } });
  const standIn = await startFakeLLM({
    answer: ({ body }) => answerOf(body['messages'] ?? []),
    chunkDelayMs: Number(values['chunk-delay']),
  });
  return createModelRegistry({ ollama: { baseURL: standIn.url } });
}

function answerOf(messages: JsonValue): string {
  const told = (role: string): string =>
    (messages as { role: string; content: string }[]).findLast((one) => one.role === role)
      ?.content ?? '';
  const who = /あなたは(.*?)です/.exec(told('system'))?.[1] ?? '誰か';
  const asked = told('user');
  return `${who}より。お尋ねは「${asked.split('\n')[0] ?? ''}」、字数は${asked.length}字でした。`;
}
