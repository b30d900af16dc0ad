// How long an engine takes to open on a file, the first time and then again; prints it as JSON.
//   node load-worker.mjs FILE
import { WorkflowEngine } from '@vizprompt/workflow';

const [, , file] = process.argv;
const times = [];
for (let at = 0; at < 15; at++) {
  const start = performance.now();
  const engine = await WorkflowEngine.open({ files: file, functions: { answer: () => '' } });
  times.push(performance.now() - start);
  await engine.close();
}
console.log(JSON.stringify(times));
process.exit();
