import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { answering, ask, fileOf, part } from '../../support/engine/flow-parts.ts';
import { Fleet } from '../../support/dbos/fleet.ts';

const fleet = new Fleet();
afterAll(() => fleet.stop());
beforeEach(async () => {
  await fleet.leaveAll();
  await fleet.clear();
});

const BAG = fileOf([
  {
    id: 'bag',
    type: 'multi_agent_interaction',
    agents_to_run: ['a', 'b', 'c', 'd'].map((id) => part(id, 'user_input')),
  },
]);

describe('limits of a provider', () => {
  it('hold for the calls of all workers together', async () => {
    let atOnce = 0;
    let most = 0;
    const begun: number[] = [];
    const model = answering(async () => {
      begun.push(performance.now());
      most = Math.max(most, ++atOnce);
      await sleep(80);
      atOnce--;
      return 'y';
    });
    const options = { files: BAG, models: { m: model } };
    const shared = { scripted: { concurrency: 3, rate: { calls: 10, perMs: 1000 } } };
    await fleet.workers(2, options, { concurrency: { runs: 4, shared } });
    const engine = await fleet.engine(options);
    const runs = await Promise.all(Array.from({ length: 5 }, (_, at) => engine.start('flow', at)));
    await Promise.all(runs.map(({ result }) => result));
    expect(begun).toHaveLength(20);
    expect(most).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(1);
    // The calls reach this process a little later than they begin: some earlier, some later than the others.
    const spans = begun.slice(10).map((at, index) => at - (begun[index] ?? 0));
    expect(Math.min(...spans)).toBeGreaterThan(500);
  });

  it('a place of a worker that died becomes free', async () => {
    const model = answering(async (_, call) => {
      if (call === 0) await new Promise(() => undefined);
      return 'y';
    });
    const options = { files: fileOf([ask('one', 'user_input')]), models: { m: model } };
    const workers = await fleet.workers(2, options, {
      leaseMs: 1000,
      heartbeatMs: 200,
      concurrency: { shared: { scripted: { concurrency: 1 } } },
    });
    const engine = await fleet.engine(options);
    const run = await engine.start('flow', 'x');
    while (model.calls.length === 0) await sleep(5);
    const { leads } = await fleet.leaderOf(run.id);
    await workers.find(({ id }) => id === leads)?.kill();
    expect((await run.result).output).toBe('y');
  });
});

describe('retention', () => {
  it('bounds the tables of DBOS, too', async () => {
    const model = answering(() => 'y');
    const options = { files: BAG, models: { m: model } };
    await fleet.workers(2, options, { retention: { keepLast: 5 } });
    const engine = await fleet.engine(options);
    for (let round = 0; round < 2; round++) {
      const runs = await Promise.all(
        Array.from({ length: 8 }, (_, at) => engine.start('flow', at)),
      );
      await Promise.all(runs.map(({ result }) => result));
    }
    await expect.poll(async () => (await engine.runs()).length).toBeLessThanOrEqual(5);
    await expect
      .poll(async () => (await fleet.dbosRows())['workflow_status'])
      .toBeLessThanOrEqual(5);
    const rows = await fleet.dbosRows();
    expect(rows['operation_outputs']).toBe(0);
    expect(Object.values(rows).reduce((sum, count) => sum + count, 0)).toBeLessThan(200);
    const [first] = await engine.runs();
    expect((await engine.run(first?.id ?? '')).steps).toHaveLength(4);
  });
});
