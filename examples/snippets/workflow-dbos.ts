/** In each worker process. */
export async function work(url: string): Promise<void> {
  // #region worker
  const { runWorker } = await import('@vizprompt/workflow/dbos');

  const worker = await runWorker({ url }); // `postgres://…`; models by name, as an engine makes them
  process.once('SIGTERM', () => void worker.close());
  // #endregion worker
}

/** In each process that starts runs. */
export async function submit(url: string): Promise<void> {
  // #region submit
  const { WorkflowEngine } = await import('@vizprompt/workflow');
  const { dbos } = await import('@vizprompt/workflow/dbos');

  await using engine = await WorkflowEngine.open({ files: 'flows.yaml', runtime: dbos({ url }) });
  const run = await engine.start('story', 'a cat that learns to write');
  for await (const event of run) if (event.type === 'step:delta') process.stdout.write(event.text);
  console.log((await run.result).output);
  // #endregion submit
}

/** A worker with limits. */
export async function workWithin(url: string): Promise<void> {
  const { runWorker } = await import('@vizprompt/workflow/dbos');
  // #region limits
  await using worker = await runWorker({
    url,
    namespace: 'novels', // begins the names of its schemas; others are out of sight
    functions: { shout: ({ text }) => JSON.stringify(text).toUpperCase() },
    concurrency: {
      runs: 100, // that a worker leads at a time
      shared: { openai: { concurrency: 20, rate: { calls: 500, perMs: 60_000 } } }, // of all workers
    },
    leaseMs: 15_000, // after which a silent worker is taken for dead
    retention: { keepLast: 10_000, maxAge: '30d' }, // in the tables of DBOS, too
  });
  worker.on('run:ended', ({ runId, status }) => console.log(runId, status));
  // #endregion limits
}
