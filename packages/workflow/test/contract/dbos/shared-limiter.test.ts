import { randomBytes } from 'node:crypto';
import type { Storage } from '@vizprompt/providers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { Dispatch, openDispatch } from '../../../src/dbos/dispatch.ts';
import { SharedLimiter } from '../../../src/dbos/shared-limiter.ts';
import { FaultyLine } from '../../support/dbos/faulty-line.ts';

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
    local: { acquire: async () => () => undefined },
    shared: { p: { concurrency: 1 } },
    database: storage.database,
    owner: () => 'worker',
  });
  await limiter.open();
  // The database does not answer while another connection has the table.
  await client.query(`BEGIN; LOCK TABLE "${namespace}".dispatch_place IN ACCESS EXCLUSIVE MODE`);
  const calledOff = new AbortController();
  const call = limiter.acquire(calledOff.signal, 'p');
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

  const leave = await limiter.acquire(AbortSignal.timeout(30_000), 'p');
  leave();
});

describe('a place that was given while the connection was lost', () => {
  const limiterOn = async (
    provider: string,
    owner: string,
    lineUrl?: string,
  ): Promise<SharedLimiter> => {
    const own =
      lineUrl === undefined ? storage : await openDispatch({ url: lineUrl }, namespace, 15_000);
    if (own !== storage) onTestFinished(() => own.close());
    const limiter = new SharedLimiter({
      local: { acquire: async () => () => undefined },
      shared: { [provider]: { concurrency: 1 } },
      database: own.database,
      owner: () => owner,
    });
    await limiter.open();
    return limiter;
  };

  it('is the place of the call that asks again', async () => {
    const line = await FaultyLine.open(url);
    onTestFinished(() => line.close());
    const limiter = await limiterOn('again', 'one', line.url);
    line.loseAnswerTo('UPDATE dispatch_place');
    const leave = await limiter.acquire(AbortSignal.timeout(30_000), 'again');
    expect(line.lost).toBe(1);
    const other = await limiterOn('again', 'two');
    await expect(other.acquire(AbortSignal.timeout(300), 'again')).rejects.toThrow('timeout');
    leave();
    (await other.acquire(AbortSignal.timeout(30_000), 'again'))();
  });

  it('is free again without callers', async () => {
    const line = await FaultyLine.open(url);
    onTestFinished(() => line.close());
    const limiter = await limiterOn('gone', 'one', line.url);
    const calledOff = new AbortController();
    line.loseAnswerTo('UPDATE dispatch_place', () => calledOff.abort());
    await expect(limiter.acquire(calledOff.signal, 'gone')).rejects.toThrow('aborted');
    expect(line.lost).toBe(1);
    const other = await limiterOn('gone', 'two');
    await expect(other.acquire(AbortSignal.timeout(300), 'gone')).rejects.toThrow('timeout');
    // The work of each heartbeat.
    await limiter.freeLost();
    const leave = await other.acquire(AbortSignal.timeout(30_000), 'gone');
    // Semaphore that calls know of stay theirs.
    await other.freeLost();
    await expect(limiter.acquire(AbortSignal.timeout(300), 'gone')).rejects.toThrow('timeout');
    leave();
  });
});

it('ids of runs may hold any sign', async () => {
  const ids = ['plain', 'quo"te', 'back\\slash', '{猫,😀}', 'NULL', "it's", ''];
  expect(await new Dispatch(storage.database).endedOf(ids)).toEqual(ids);
});
