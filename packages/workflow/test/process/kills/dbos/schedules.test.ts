import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowEngineOptions, WorkflowFile } from '@vizprompt/workflow';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Fleet } from '../../../support/dbos/fleet.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 2);
const lease = { leaseMs: 1500, heartbeatMs: 250, maxTakeovers: 1000 };

const fleet = new Fleet();
afterAll(() => fleet.stop());
beforeEach(async () => {
  await fleet.leaveAll();
  await fleet.clear();
});

const files: WorkflowFile = {
  workflows: {
    flow: {
      steps: ['a', 'b', 'c'].map((id) => ({
        id,
        type: 'function',
        function: 'effect',
        input_variables: { at: 'user_input.at' },
      })),
    },
  },
  schedules: { each: { workflow: 'flow', cron: '* * * * * *', missed: 'all' } },
};

it('a time whose worker was killed before it had started the run has its run all the same', async () => {
  const options: WorkflowEngineOptions = { files, functions: { effect: async () => null } };
  const [first] = await fleet.workers(1, options, lease);
  const engine = await fleet.engine(options);
  await engine.startSchedules();
  // Several may be started between two looks.
  const started = async (): Promise<number> => (await engine.runs()).length;
  await expect.poll(started, { timeout: 60_000 }).toBeGreaterThan(0);
  // The run is written with its row of this table.
  const lock = await fleet.lockTable('dispatch_run');
  await expect.poll(() => lock.waiting(), { timeout: 20_000 }).toBeGreaterThan(0);
  await first?.kill();
  await lock.release();
  const fired = await fleet.firedTimes();
  expect(fired.length).toBeGreaterThan(1);
  await fleet.workers(1, options, lease);
  const done = async () => {
    const runs = await engine.runs({ status: 'done', limit: 1000 });
    const ids = new Set(runs.map(({ id }) => id));
    return fired.filter((time) => !ids.has(`each@${time}`));
  };
  await expect.poll(done, { timeout: 60_000 }).toEqual([]);
});

it(
  'workers that are killed again and again start one run for each time, and finish all of them',
  { timeout: 120_000 + ROUNDS * 15_000 },
  async () => {
    const effects: string[] = [];
    const effect: NonNullable<WorkflowEngineOptions['functions']>[string] = async ({ at }) => {
      effects.push(JSON.stringify(at));
      await sleep(Math.random() * 200);
      return null;
    };
    const options: WorkflowEngineOptions = { files, functions: { effect } };
    let workers = await fleet.workers(2, options, lease);
    const engine = await fleet.engine(options);
    const schedules = await engine.startSchedules();
    await expect.poll(() => effects.length, { timeout: 60_000 }).toBeGreaterThan(0);
    for (let kills = 0; kills < ROUNDS; kills++) {
      await sleep(300 + Math.random() * 1200);
      const [victim] = workers;
      await victim?.kill();
      const [next] = await fleet.workers(1, options, lease);
      workers = [...workers.slice(1), ...(next ? [next] : [])];
    }
    await sleep(1500);
    await schedules.close();
    const open = async () => (await engine.runs({ status: 'running', limit: 1000 })).length;
    await expect.poll(open, { timeout: 60_000 }).toBe(0);

    const runs = await engine.runs({ limit: 1000 });
    expect(runs.filter(({ status }) => status !== 'done')).toEqual([]);
    const times = runs.map(({ id }) => Date.parse(id.replace('each@', '')));
    times.sort((a, b) => a - b);
    expect(times.length).toBeGreaterThan(ROUNDS / 2);
    // No second is left out, and none has two runs.
    for (const [at, time] of times.entries()) expect(time).toBe((times[0] ?? 0) + at * 1000);
    // Steps that were in progress at a kill run once more, and no others.
    expect(effects.length).toBeGreaterThanOrEqual(times.length * 3);
    expect(effects.length).toBeLessThanOrEqual(times.length * 3 + ROUNDS * 4);
    for (const { id } of runs) expect(await fleet.resultsOf(id)).toHaveLength(1);
  },
);
