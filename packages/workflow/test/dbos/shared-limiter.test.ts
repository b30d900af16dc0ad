import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Storage } from '@vizprompt/providers';
import { Dispatch } from '../../src/dbos/dispatch.ts';
import { openDispatch } from '../../src/dbos/open-dispatch.ts';
import { SharedLimiter } from '../../src/dbos/shared-limiter.ts';

const url = inject('databaseUrl');
const namespace = `limiter_${randomBytes(4).toString('hex')}`;
let storage: Storage;
let client: pg.Client;
beforeAll(async () => {
  storage = await openDispatch({ url }, namespace, 15_000);
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(async () => {
  await storage.close();
  await client.query(`DROP SCHEMA IF EXISTS "${namespace}", "${namespace}.cache" CASCADE`);
  await client.end();
});

it('a call that is called off while the database gives it a place leaves that place to others', async () => {
  const limiter = new SharedLimiter({
    local: { enter: async () => () => undefined },
    shared: { p: { concurrency: 1 } },
    database: storage.database,
    owner: () => 'worker',
  });
  await limiter.open();
  // The database does not answer while somebody else has the table.
  await client.query(`BEGIN; LOCK TABLE "${namespace}".dispatch_place IN ACCESS EXCLUSIVE MODE`);
  const calledOff = new AbortController();
  const call = limiter.enter(calledOff.signal, 'p');
  await expect
    .poll(async () => {
      const { rows } = await client.query<{ n: string }>(
        `SELECT COUNT(*) AS n FROM pg_locks WHERE NOT granted
          AND relation = '"${namespace}".dispatch_place'::regclass`,
      );
      return Number(rows[0]?.n);
    })
    .toBe(1);
  calledOff.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  await client.query('COMMIT');

  const leave = await limiter.enter(AbortSignal.timeout(5000), 'p');
  leave();
});

it('ids of runs may hold any sign', async () => {
  const ids = ['plain', 'quo"te', 'back\\slash', '{猫,😀}', 'NULL', "it's", ''];
  expect(await new Dispatch(storage.database).endedOf(ids)).toEqual(ids);
});
