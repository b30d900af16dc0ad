// What steps cost in one system, in a process of its own; prints what it measured as JSON.
//   node steps-worker.mjs ours | langgraph | mastra STEPS RUNS [FOLDER]
const [, , system, steps, runs, folder] = process.argv;
const idle = process.memoryUsage.rss() / 1e6;
const began = performance.now();
const { open } = await import(`./${system}.mjs`);
const importMs = performance.now() - began;
const opened = await open({ folder, steps: Number(steps) });

await opened.run('long');
const times = [];
const cpu = process.cpuUsage();
for (let at = 0; at < 5; at++) {
  const start = performance.now();
  await opened.run('long');
  times.push((performance.now() - start) / Number(steps));
}
const { user, system: kernel } = process.cpuUsage(cpu);
const cpuMsPerStep = (user + kernel) / 1000 / (5 * Number(steps));
const rss = process.memoryUsage.rss() / 1e6;

const start = performance.now();
await Promise.all(Array.from({ length: Number(runs) }, () => opened.run('short')));
const seconds = (performance.now() - start) / 1000;
await opened.close();
const runsPerSecond = Number(runs) / seconds;
console.log(JSON.stringify({ importMs, msPerStep: times, cpuMsPerStep, rss, idle, runsPerSecond }));
process.exit();
