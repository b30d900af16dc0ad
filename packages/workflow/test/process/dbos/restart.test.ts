import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  startPostgres,
  type PostgresServer,
} from '../../../../providers/test/support/postgres-server.ts';
import { answering, ask, fileOf } from '../../support/engine/flow-parts.ts';
import { Fleet } from '../../support/dbos/fleet.ts';

let server: PostgresServer;
let fleet: Fleet;
beforeAll(async () => {
  server = await startPostgres();
  fleet = new Fleet(server.url);
});
afterAll(async () => {
  await fleet.stop();
  await server.stop();
});

it('runs continue when PostgreSQL is restarted in their middle, and repeat no finished step', async () => {
  const steps = Array.from({ length: 12 }, (_, at) =>
    ask(`s${at}`, at === 0 ? 'user_input' : `s${at - 1}`),
  );
  let restarting: Promise<void> | undefined;
  const model = answering(async (question, call) => {
    if (call === 20) restarting ??= server.restart();
    await sleep(20);
    return question.slice(-20);
  });
  const options = {
    files: fileOf(steps, { flow: { limits: { tokens: 1_000_000 } } }),
    models: { m: model },
  };
  const lease = { leaseMs: 3000, heartbeatMs: 500 };
  const workers = await fleet.workers(2, options, lease);
  const ids = workers.map(({ id }) => id).toSorted();
  const engine = await fleet.engine(options);
  const runs = await Promise.all(
    ['あ', 'い', 'う', 'え'].map((text) => engine.start('flow', text)),
  );
  const results = await Promise.all(runs.map(({ result }) => result));
  await restarting;
  expect(restarting).toBeDefined();
  const ends = results.map(({ output }) => JSON.stringify(output).slice(-2, -1));
  expect(ends).toEqual(['あ', 'い', 'う', 'え']);
  for (const run of runs) {
    const { status, steps: done } = await engine.run(run.id);
    expect([status, done.length]).toEqual(['done', 12]);
  }
  // No worker was taken for dead, so that no call was made twice.
  expect((await fleet.workerIds()).toSorted()).toEqual(ids);
  expect(model.calls).toHaveLength(4 * 12);
});
