// Starts a run that workers lead, prints its progress and its result.
//   DATABASE_URL=postgres://... npx tsx examples/team-workflow/submit.ts [--input TEXT]
//   DATABASE_URL=postgres://... npx tsx examples/team-workflow/submit.ts --watch RUN-ID
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WorkflowEngine } from '@vizprompt/workflow';
import { dbos } from '@vizprompt/workflow/dbos';

const { values } = parseArgs({
  options: { input: { type: 'string', default: '新しい図書室' }, watch: { type: 'string' } },
});
const url = process.env['DATABASE_URL'];
if (url === undefined) {
  console.error('DATABASE_URL is not set: see examples/team-workflow/README.md');
  process.exit(2);
}

const engine = await WorkflowEngine.open({
  files: fileURLToPath(new URL('flows.yaml', import.meta.url)),
  runtime: dbos({ url, namespace: 'team_example' }),
});
if (values.watch === undefined) await start(values.input);
else await watch(values.watch);
await engine.close();

async function start(input: string): Promise<void> {
  const run = await engine.start('announcement', input);
  console.log(`run ${run.id}`);
  // The run does not need this program: when it is gone, workers continue, and --watch looks again.
  process.once('SIGINT', () => process.exit(130));
  for await (const event of run) {
    if (event.type === 'step:ended') console.log(`✓ ${event.path}`);
    else if (event.type === 'step:failed') console.log(`✗ ${event.path}: ${event.error.message}`);
  }
  show((await run.result).output);
}

/** Follows a run that another process started, with any leader, until it is over. */
async function watch(id: string): Promise<void> {
  console.log(`run ${id}`);
  const told = new Set<string>();
  for (;;) {
    const { status, steps, output, error } = await engine.run(id);
    for (const { path } of steps) {
      if (!told.has(path)) console.log(`✓ ${path}`);
      told.add(path);
    }
    if (status === 'done') return show(output);
    if (error) throw new Error(`the run is ${status}: ${error.message}`);
    await sleep(500);
  }
}

function show(output: unknown): void {
  console.log(typeof output === 'string' ? `\n${output}` : output);
}
