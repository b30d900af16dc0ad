// A worker on DBOS, or DBOS alone with the same steps, led by its parent:
//   node worker.mjs '{ "url": ..., "namespace": ..., "leaseMs": ..., "steps": ... }'   [bare]
//   -> 'ready'; 'began' when a slow step begins
//   'report' -> { msPerStep, cpuMsPerStep, rssMb }: of the newest chain; 'chain' (bare only) -> the same, after one more
//   chain
import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWER } from '../workflow/work.mjs';

const [, , text, kind] = process.argv;
const options = JSON.parse(text);
let times = [];
let cpu = process.cpuUsage();

const functions = {
  answer: async () => {
    if (times.length === 0) cpu = process.cpuUsage();
    times.push(performance.now());
    return ANSWER;
  },
  slow: async (_input, { signal }) => {
    process.send('began');
    await sleep(60_000, undefined, { signal });
    return ANSWER;
  },
  quick: async () => ANSWER,
};
const runChain = kind === 'bare' ? await bare() : await ours();
process.on('message', (message) => void tell(message));
process.on('disconnect', () => process.exit());
process.send('ready');

async function tell(message) {
  if (message === 'chain') await runChain();
  const between = times.length - 1;
  const msPerStep = (times[between] - times[0]) / between;
  const { user, system } = process.cpuUsage(cpu);
  const cpuMsPerStep = (user + system) / 1000 / between;
  times = [];
  process.send({ msPerStep, cpuMsPerStep, rssMb: process.memoryUsage().rss / 2 ** 20 });
}

async function ours() {
  const { runWorker } = await import('@vizprompt/workflow/dbos');
  const { url, namespace, leaseMs } = options;
  await runWorker({ url, namespace, leaseMs, functions });
}

async function bare() {
  const { DBOS } = await import('@dbos-inc/dbos-sdk');
  DBOS.setConfig({
    name: 'bare',
    systemDatabaseUrl: options.url,
    systemDatabaseSchemaName: 'bare',
    logLevel: 'error',
  });
  const chain = DBOS.registerWorkflow(
    async () => {
      let answer = '';
      for (let at = 0; at < options.steps; at++) {
        answer = await DBOS.runStep(() => functions.answer(answer), { name: `step${at}` });
      }
      return answer;
    },
    { name: 'chain' },
  );
  await DBOS.launch();
  return async () => {
    const answer = await chain();
    if (answer !== ANSWER) throw new Error(`DBOS alone gave '${answer}'`);
  };
}
