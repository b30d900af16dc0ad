import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { answering, ask, fileOf } from '../../support/engine/flow-parts.ts';
import { Fleet } from '../../support/dbos/fleet.ts';

/** `npm run test:soak` does ten thousand. */
const RUNS = process.env['SOAK_ROUNDS'] === undefined ? 100 : 10_000;
const AT_A_TIME = 30;
const KEPT = 40;
const CALLS_AT_A_TIME = 3;

const fleet = new Fleet();
afterAll(() => fleet.stop());

it(
  'of many runs through two workers none is lost, limits hold across them, and the database stays small',
  async () => {
    let calling = 0;
    let mostAtATime = 0;
    let calls = 0;
    const model = answering(async (prompt) => {
      calls++;
      mostAtATime = Math.max(mostAtATime, ++calling);
      await new Promise((resolve) => setTimeout(resolve, 2));
      calling--;
      return prompt;
    });
    const given = { models: { m: model }, retention: { keepLast: KEPT } };
    const shared = { [model.provider]: { concurrency: CALLS_AT_A_TIME } };
    await fleet.workers(2, given, { concurrency: { shared } });
    const engine = await fleet.engine({
      files: fileOf([ask('one', 'user_input'), ask('two', 'one')]),
    });

    const outputs = new Map<string, unknown>();
    let next = 0;
    let mostRows = 0;
    const lane = async (): Promise<void> => {
      for (let at = next++; at < RUNS; at = next++) {
        const runId = `run-${at}`;
        const run = await engine.start('flow', `${at}`, { runId });
        const { output } = await run.result;
        if (outputs.has(runId)) throw new Error(`${runId} ended twice`);
        outputs.set(runId, output);
        if (at % 50 === 0) mostRows = Math.max(mostRows, await rowsOf(fleet));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, lane));

    expect(outputs.size).toBe(RUNS);
    for (let at = 0; at < RUNS; at++) expect(outputs.get(`run-${at}`)).toContain(`${at}`);
    expect(calls).toBe(2 * RUNS);
    expect(mostAtATime).toBe(CALLS_AT_A_TIME);

    // Retention follows a moment after; the remaining rows are those of the runs that are kept.
    await expect
      .poll(() => rowsOf(fleet), { timeout: 60_000 })
      .toBeLessThanOrEqual(PER_RUN * KEPT + OTHERS);
    expect(mostRows).toBeLessThanOrEqual(PER_RUN * (KEPT + 20 * AT_A_TIME));
  },
  60_000 + RUNS * 500,
);

/** Rows that one run of two steps leaves in all tables together, at the most. */
const PER_RUN = 16;
/** Rows of workers, places and queues. */
const OTHERS = 20;

async function rowsOf({ url, namespace }: Fleet): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname IN ('${namespace}', '${namespace}_dbos') AND tablename NOT LIKE '%migration%'`,
    );
    const counts = rows.map(({ name }) => `SELECT COUNT(*) AS n FROM ${name}`).join(' UNION ALL ');
    const counted = await client.query<{ n: string }>(`SELECT SUM(n) AS n FROM (${counts}) AS t`);
    return Number(counted.rows[0]?.n);
  } finally {
    await client.end();
  }
}
