// #region submit
import { WorkflowEngine } from '@vizprompt/workflow';
import { dbos } from '@vizprompt/workflow/dbos';

const url = process.env['DATABASE_URL'] ?? 'postgres://localhost:5432/app';
await using engine = await WorkflowEngine.open({ files: 'flows.yaml', runtime: dbos({ url }) });
const run = await engine.start('story', 'a cat that learns to write');
for await (const event of run) if (event.type === 'step:delta') process.stdout.write(event.text);
console.log((await run.result).output);
// #endregion submit
