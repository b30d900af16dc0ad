// Starts a run that workers lead, tells how it goes, and prints what it gave.
//   DATABASE_URL=postgres://... npx tsx examples/team-workflow/submit.ts [--input TEXT]
//   DATABASE_URL=postgres://... npx tsx examples/team-workflow/submit.ts --watch RUN-ID
import { fileURLToPath } from 'node:url';
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
const run =
  values.watch === undefined
    ? await engine.start('announcement', values.input)
    : await engine.resume(values.watch);
console.log(`run ${run.id}`);
// The run does not need this program: when it is gone, workers go on, and --watch looks again.
process.once('SIGINT', () => process.exit(130));
for await (const event of run) {
  if (event.type === 'step:ended') console.log(`✓ ${event.path}`);
  else if (event.type === 'step:failed') console.log(`✗ ${event.path}: ${event.error.message}`);
}
const { output } = await run.result;
console.log(typeof output === 'string' ? `\n${output}` : output);
await engine.close();
