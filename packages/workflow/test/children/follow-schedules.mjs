// Follows a schedule of each second from the built package, until it is killed or asked to end:
//   node follow-schedules.mjs '{"folder"}'
import { appendFileSync } from 'node:fs';
import { openStorage } from '@vizprompt/providers/node';
import { WorkflowEngine } from '@vizprompt/workflow';

const { folder } = JSON.parse(process.argv[2] ?? '{}');
const step = { type: 'function', input_variables: { at: 'user_input.at' } };

/** Its effects are written to a file, which outlives the process. */
const write =
  (name) =>
  async (_, { runId }) => {
    appendFileSync(`${folder}/effects`, `${runId} ${name}\n`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return name;
  };

const storage = await openStorage(folder);
const engine = await WorkflowEngine.open({
  files: {
    workflows: {
      flow: {
        order: 'by-data',
        steps: [
          { ...step, id: 'a', function: 'a', output_variable: 'a' },
          { ...step, id: 'b', function: 'b', output_variable: 'b' },
          { ...step, id: 'c', function: 'c', input_variables: { a: 'a', b: 'b' } },
        ],
      },
    },
    schedules: { each: { workflow: 'flow', cron: '* * * * * *', missed: 'all' } },
  },
  storage,
  maxTakeovers: 1000,
  functions: { a: write('a'), b: write('b'), c: write('c') },
});
const results = [];
const schedules = await engine.startSchedules({ onRun: (run) => results.push(run.result) });
process.send?.('following');
const end = async () => {
  await schedules.close();
  await Promise.allSettled(results);
  await engine.close();
  await storage.close();
  process.disconnect?.();
};
process.once('message', () => void end());
