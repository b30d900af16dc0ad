// Leads a run from the built package, and dies at the given point:
//   node lead-run.mjs '{"folder", "url", "runId", "resume", "dieAt": {"point", "number"}}'
import { appendFileSync } from 'node:fs';
import { openStorage } from '@vizprompt/providers/node';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { WorkflowEngine } from '@vizprompt/workflow';

const job = JSON.parse(process.argv[2] ?? '{}');
const { folder, url, runId, dieAt = {}, files } = job;

let reached = 0;
function reach(point) {
  if (dieAt.point === point && dieAt.number === ++reached) process.kill(process.pid, 'SIGKILL');
}

const registry = createModelRegistry({ openai: { baseURL: `${url}/v1`, apiKey: 'k' } });
const storage = await openStorage(folder);
const model = registry.model('openai:m');
try {
  const engine = await WorkflowEngine.open({
    files,
    storage,
    maxTakeovers: 1000,
    // Its effects are written to a file, which outlives the process.
    tools: [
      {
        name: 'note',
        describe: async () => ({ name: 'note', parameters: { type: 'object' } }),
        async run(input) {
          appendFileSync(`${folder}/notes`, `${JSON.stringify(input)}\n`);
          await new Promise((resolve) => setTimeout(resolve, 3));
          return input;
        },
      },
    ],
    models: {
      m: {
        ...model,
        // The answer of a model is whole, and no row holds it yet.
        async *stream(request) {
          reach('before-call');
          for await (const event of model.stream(request)) {
            if (event.type === 'finish') reach('answered');
            yield event;
          }
        },
      },
    },
  });
  // The journal has it by now.
  engine.on('step:ended', ({ isReplayed }) => !isReplayed && reach('journalled'));
  engine.on('run:started', () => reach('started'));
  engine.on('run:ended', () => reach('ended'));
  engine.on('step:waiting', () => process.send?.('waiting'));
  const run = job.resume ? await engine.resume(runId) : await engine.start('flow', '猫', { runId });
  process.send?.('leading');
  const { output } = await run.result;
  console.log(JSON.stringify({ output }));
  await engine.close();
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
  process.exitCode = 1;
}
await storage.close();
process.disconnect?.();
