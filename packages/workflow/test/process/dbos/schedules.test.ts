import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { dbos, runWorker } from '../../../src/dbos/index.ts';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';

const url = inject('databaseUrl');
const namespace = `schedules_${randomBytes(4).toString('hex')}`;
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(async () => {
  await client.query(
    `DROP SCHEMA IF EXISTS "${namespace}", "${namespace}.cache", "${namespace}_dbos" CASCADE`,
  );
  await client.end();
});

const files: WorkflowFile = {
  workflows: {
    flow: {
      steps: [
        { id: 's', type: 'function', function: 'f', input_variables: { at: 'user_input.at' } },
      ],
    },
  },
  schedules: { each: { workflow: 'flow', cron: '* * * * * *' } },
};

it('workers start one run for each time, also when who set the schedule has gone, until it is taken back', async () => {
  // Set before there is a worker, and so before DBOS has any table.
  const engine = await WorkflowEngine.open({ files, runtime: dbos({ url, namespace }) });
  const schedules = await engine.startSchedules();
  expect(Object.keys(schedules.next())).toEqual(['each']);
  const ended: string[] = [];
  let enough: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (enough = resolve));
  await using worker = await runWorker({
    url,
    namespace,
    functions: { f: ({ at }) => at ?? null },
    listeners: {
      'run:ended': ({ runId, output }) => {
        expect(runId).toBe(`each@${JSON.stringify(output).slice(1, -1)}`);
        ended.push(runId);
        if (ended.length >= 3) enough();
      },
    },
  });
  await expect.poll(() => ended.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await schedules.close();
  await engine.close();
  await all;
  expect(new Set(ended).size).toBe(ended.length);

  await using later = await WorkflowEngine.open({ files: [], runtime: dbos({ url, namespace }) });
  await using _ = await later.startSchedules();
  const { rows } = await client.query(`SELECT * FROM "${namespace}_dbos".workflow_schedules`);
  expect(rows).toEqual([]);
  expect(worker.id).not.toBe('');
});
