import { randomBytes } from 'node:crypto';
import type { Database, Storage } from '@vizprompt/providers';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { ClaimQueue } from '../../../src/dbos/claim-queue.ts';
import { openDispatch, queueLease, rowOfRun } from '../../../src/dbos/dispatch.ts';
import { reconnectingJournal } from '../../../src/dbos/retry-on-disconnect.ts';
import type { Lease } from '../../../src/journal/engine-lease.ts';
import { SqlJournal } from '../../../src/journal/sql-journal.ts';
import { FaultyLine } from '../../support/dbos/faulty-line.ts';

const url = inject('databaseUrl');
const namespace = `claims_${randomBytes(4).toString('hex')}`;
let storage: Storage;
beforeAll(async () => {
  storage = await openDispatch({ url }, namespace, 15_000);
});
afterAll(async () => {
  await storage.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS "${namespace}", "${namespace}.cache" CASCADE`);
  await client.end();
});

async function queueRuns(...ids: readonly string[]): Promise<void> {
  const journal = new SqlJournal(storage, queueLease);
  for (const id of ids) {
    const run = { id, workflow: 'flow', hash: 'h', promptSet: '', task: {}, createdAt: 1 };
    await journal.create({ run, definition: {} as never }, [rowOfRun(id, undefined, undefined)]);
  }
}

/** Counts statements. */
function counting(database: Database): {
  readonly database: Database;
  readonly count: () => number;
} {
  let statements = 0;
  const query: Database['query'] = (sql, params) => {
    statements++;
    return database.query(sql, params);
  };
  return { database: { ...database, query }, count: () => statements };
}

function leaseOf(id: string): Lease {
  return {
    id,
    hold: async () => undefined,
    isAlive: async (owner) => owner === id,
    close: async () => undefined,
  };
}

it('runs that are dispatched together are claimed together, each with what is known of it', async () => {
  const ids = Array.from({ length: 50 }, (_, at) => `run ${at} "{\\,}" 猫`);
  await queueRuns(...ids);
  const { database, count } = counting(storage.database);
  const queue = new ClaimQueue(database, 'worker');
  const claimed = await Promise.all(ids.map((id) => queue.claim(id, 1)));
  expect(claimed.map((one) => one?.run.id)).toEqual(ids);
  expect(claimed.map((one) => one?.dispatch.executions)).toEqual(ids.map(() => 1));
  expect(count()).toBe(1);
});

it('a run that has ended, is gone or has another attempt is not claimed, and what was known of it stays', async () => {
  await queueRuns('ended', 'live');
  const journal = new SqlJournal(storage, leaseOf('worker'));
  const queue = new ClaimQueue(storage.database, 'worker');
  await queue.claim('ended', 1);
  await journal.write('ended', { type: 'ended', status: 'done', output: 1, at: 2 });
  const all = await Promise.all([
    queue.claim('ended', 1),
    queue.claim('gone', 1),
    queue.claim('live', 2),
    queue.claim('live', 1),
    queue.claim('live', 1),
  ]);
  expect(all.map((one) => one?.dispatch.executions)).toEqual([
    undefined,
    undefined,
    undefined,
    1,
    2,
  ]);
  expect(await journal.run('ended')).toMatchObject({ status: 'done', output: 1 });
});

it('who led a run before can write nothing of it', async () => {
  await queueRuns('taken');
  const before = new SqlJournal(storage, leaseOf('before'));
  await new ClaimQueue(storage.database, 'before').claim('taken', 1);
  await new ClaimQueue(storage.database, 'after').claim('taken', 1);
  await expect(before.write('taken', stepOf('one'))).rejects.toMatchObject({ code: 'conflict' });
});

it.each(['step', 'ended'] as const)(
  'what several runs wrote together, when the connection broke before the answer, is written once (%s)',
  async (type) => {
    const ids = ['a', 'b', 'c'].map((id) => `${type} ${id}`);
    await queueRuns(...ids);
    const line = await FaultyLine.open(url);
    onTestFinished(() => line.close());
    const own = await openDispatch({ url: line.url }, namespace, 15_000);
    onTestFinished(() => own.close());
    const queue = new ClaimQueue(own.database, 'worker');
    await Promise.all(ids.map((id) => queue.claim(id, 1)));
    const sql = new SqlJournal(own, leaseOf('worker'));
    const journal = reconnectingJournal(sql, () => false);
    line.loseAnswerTo('COMMIT\0');
    await Promise.all(
      ids.map((id) =>
        journal.write(
          id,
          type === 'step' ? stepOf('one') : { type, status: 'done', output: id, at: 5 },
        ),
      ),
    );
    expect(line.lost).toBe(1);
    for (const id of ids) {
      const { steps } = await sql.history(id);
      expect(steps).toHaveLength(type === 'step' ? 1 : 0);
      expect((await sql.run(id))?.status).toBe(type === 'step' ? 'running' : 'done');
    }
  },
);

function stepOf(path: string): {
  readonly type: 'step';
  readonly path: string;
  readonly seq: number;
  readonly begun: number;
  readonly output: string;
  readonly meta: object & Record<string, never>;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly elapsedMs: number;
} {
  const times = { startedAt: 1, endedAt: 2, elapsedMs: 1 };
  return { type: 'step', path, seq: 1, begun: 0, output: path, meta: {}, ...times };
}
