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
