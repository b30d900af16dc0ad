// #region trace
import { traceRuns } from '@vizprompt/workflow/otel';

const tracing = await traceRuns(); // spans go to the provider that the app has registered
// #endregion trace
// #region serve
import { createServer } from 'node:http';
import { openStorage } from '@vizprompt/providers/node';
import { WorkflowEngine } from '@vizprompt/workflow';
import { createWorkflowHandler, toNodeListener } from '@vizprompt/workflow/http';

await using storage = await openStorage('./data');
await using engine = await WorkflowEngine.open({ files: 'daily.yaml', storage, ...tracing });
await using schedules = await engine.startSchedules({
  onRun: ({ id }, schedule) => console.log(`${schedule} started ${id}`),
});
console.log(schedules.next()); // { morning: '2027-01-04T22:00:00.000Z' }
const handler = createWorkflowHandler(engine, { basePath: '/flows' });
const server = createServer(toNodeListener(handler)).listen(7738, '127.0.0.1');
// #endregion serve
server.close();
