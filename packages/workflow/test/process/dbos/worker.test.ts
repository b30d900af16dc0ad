import { randomBytes } from 'node:crypto';
import { createBudget } from '@vizprompt/providers/middleware';
import { WorkflowEngine, WorkflowError } from '@vizprompt/workflow';
import { dbos, runWorker, type WorkerOptions } from '@vizprompt/workflow/dbos';
import pg from 'pg';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { answering, ask, eventsOf, failureOf, fileOf } from '../../support/engine/flow-parts.ts';
import { FaultyLine } from '../../support/dbos/faulty-line.ts';

const url = inject('databaseUrl');
const namespace = `worker_${randomBytes(4).toString('hex')}`;
const FILES = fileOf([ask('one', 'user_input'), ask('two', 'one')]);

afterAll(async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const schemas = [namespace, `${namespace}_c`].flatMap((name) => [
    name,
    `${name}.cache`,
    `${name}_dbos`,
  ]);
  const names = schemas.map((name) => `"${name}"`).join(', ');
  await client.query(`DROP SCHEMA IF EXISTS ${names} CASCADE`);
  await client.end();
});

describe('a worker and an engine in one process', () => {
  it('lead and start runs; text of all kinds comes back as it was', async () => {
    const evil = '猫😀 \0 \ud800 العربية $& {{ x }} __proto__';
    const model = answering((question) => question.replace(/^Q: /, ''));
    const engine = await WorkflowEngine.open({ files: FILES, runtime: dbos({ url, namespace }) });
    onTestFinished(() => engine.close());
    // It is accepted before there is any worker.
    const run = await engine.start('flow', evil);
    const worker = await runWorker({ url, namespace, models: { m: model } });
    onTestFinished(() => worker.close());
    const events = await eventsOf(run);
    expect((await run.result).output).toBe(evil);
    expect(events.map(({ type }) => type)).toContain('step:delta');
    expect(await engine.run(run.id)).toMatchObject({ input: evil, variables: { two: evil } });

    await expect(runWorker({ url, namespace: 'other' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('DBOS runs in this process already'),
    });
    await expect(engine.start('flow', 'x', { runId: 'a/b' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await worker.close();
    const again = await runWorker({ url, namespace, models: { m: model } });
    expect(again.id).not.toBe(worker.id);
    expect((await (await engine.start('flow', 'x')).result).output).toBe('x');
    await again.close();
  });
});

describe('a run that waits for a worker', () => {
  it('is reported to the caller that started it, though another engine could not resume it', async () => {
    const model = answering(() => '話');
    // The first worker makes the tables.
    await (await runWorker({ url, namespace, models: { m: model } })).close();
    const open = async (): Promise<WorkflowEngine> => {
      const engine = await WorkflowEngine.open({ files: FILES, runtime: dbos({ url, namespace }) });
      onTestFinished(() => engine.close());
      return engine;
    };
    const run = await (await open()).start('flow', '猫', { runId: 'queued' });
    await expect((await open()).resume('queued')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining("the run 'queued' waits for a worker"),
    });
    const worker = await runWorker({ url, namespace, models: { m: model } });
    onTestFinished(() => worker.close());
    const types = (await eventsOf(run)).map(({ type }) => type);
    expect(types.filter((type) => type === 'step:ended')).toHaveLength(2);
  });
});

describe('a run that DBOS dispatches while its worker begins', () => {
  it('is led, however long that takes', async () => {
    // There is a queue from now on.
    const models = { m: answering(() => '話') };
    await (await runWorker({ url, namespace, models })).close();
    const engine = await WorkflowEngine.open({ files: FILES, runtime: dbos({ url, namespace }) });
    onTestFinished(() => engine.close());
    const run = await engine.start('flow', '猫', { runId: 'early' });
    const line = await FaultyLine.open(url);
    onTestFinished(() => line.close());
    line.delay(`INSERT INTO "${namespace}_dbos".queues`, 1500);
    const worker = await runWorker({ url: line.url, namespace, models });
    onTestFinished(() => worker.close());
    expect((await run.result).output).toBe('話');
  });
});

describe('an attempt that DBOS dispatches when another one has replaced it', () => {
  it('does not stop the one that replaced it', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const model = answering(async (_, call) => {
      if (call === 0) throw new Error('broken');
      await released;
      return '話';
    });
    const engine = await WorkflowEngine.open({ files: FILES, runtime: dbos({ url, namespace }) });
    onTestFinished(() => engine.close());
    const worker = await runWorker({ url, namespace, models: { m: model } });
    onTestFinished(() => worker.close());
    const first = await engine.start('flow', '猫', { runId: 'stale' });
    await expect(first.result).rejects.toThrow('broken');
    const second = await engine.resume('stale');
    await expect.poll(() => model.calls.length).toBe(2);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const table = `"${namespace}_dbos".workflow_status`;
    const stale = "workflow_uuid = 'stale'";
    const state = async (): Promise<unknown> =>
      (await client.query(`SELECT status FROM ${table} WHERE ${stale}`)).rows;
    await expect.poll(state).toEqual([{ status: 'ERROR' }]);
    await client.query(
      `UPDATE ${table} n SET status = 'ENQUEUED', queue_name = o.queue_name, executor_id = NULL,
        output = NULL, error = NULL FROM ${table} o WHERE n.${stale} AND o.workflow_uuid = 'stale~2'`,
    );
    await expect.poll(state, { timeout: 20_000 }).toEqual([{ status: 'SUCCESS' }]);
    release();
    expect((await second.result).output).toBe('話');
  });
});

describe('a start that waits for the database', () => {
  /** Keeps what says that a run has a budget from being written. */
  const locked = async (): Promise<{
    readonly client: pg.Client;
    readonly waiting: () => Promise<readonly { readonly pid: number }[]>;
  }> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const table = `"${namespace}".dispatch_run`;
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const sql = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = '${table}'::regclass`;
    return { client, waiting: async () => (await client.query<{ pid: number }>(sql)).rows };
  };
  const open = async (): Promise<WorkflowEngine> => {
    const engine = await WorkflowEngine.open({ files: FILES, runtime: dbos({ url, namespace }) });
    onTestFinished(() => engine.close());
    return engine;
  };

  it('and is broken off leaves no run that would continue without its budget', async () => {
    const engine = await open();
    const { client, waiting } = await locked();
    const budget = createBudget({ tokens: 10 });
    const starting = failureOf(engine.start('flow', '猫', { runId: 'half', budget }));
    await expect.poll(waiting).toHaveLength(1);
    const [one] = await waiting();
    await client.query('SELECT pg_terminate_backend($1)', [one?.pid]);
    expect(await starting).toMatchObject({ code: 'journal-unwritable' });
    await client.query('COMMIT');
    await expect(engine.run('half')).rejects.toMatchObject({ code: 'not-found' });
    const worker = await runWorker({ url, namespace, models: { m: answering(() => '話') } });
    onTestFinished(() => worker.close());
    const run = await engine.start('flow', '猫', { runId: 'half', budget });
    await expect(run.result).rejects.toMatchObject({ code: 'limit' });
  });

  it('is not taken for a run that has ended and is gone', async () => {
    const engine = await open();
    const { client, waiting } = await locked();
    const starting = engine.start('flow', '猫', { runId: 'long' });
    await expect.poll(waiting).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await client.query('COMMIT');
    const run = await starting;
    const worker = await runWorker({ url, namespace, models: { m: answering(() => '話') } });
    onTestFinished(() => worker.close());
    expect((await run.result).output).toBe('話');
  });
});

describe('an engine that is closed', () => {
  it('while it starts a run has started it, and workers lead it', async () => {
    const own = `${namespace}_c`;
    const facts = { files: FILES, runtime: dbos({ url, namespace: own }) };
    const engine = await WorkflowEngine.open(facts);
    const starting = engine.start('flow', '猫', { runId: 'late' });
    const closing = engine.close();
    const run = await starting;
    await expect(run.result).rejects.toMatchObject({ code: 'closed' });
    await closing;
    const later = await WorkflowEngine.open({ ...facts, runtime: dbos({ url, namespace: own }) });
    onTestFinished(() => later.close());
    const worker = await runWorker({ url, namespace: own, models: { m: answering(() => '話') } });
    onTestFinished(() => worker.close());
    await expect.poll(async () => (await later.run('late')).status).toBe('done');
  });
});

describe('options', () => {
  it.each<[string, object]>([
    ["'heartbeatMs' of runWorker must be less than 'leaseMs'", { leaseMs: 100, heartbeatMs: 100 }],
    ["the option 'namespace' of runWorker: expected small letters", { namespace: 'Großes' }],
    ["the option 'leaseMs' of runWorker: expected a number of milliseconds", { leaseMs: 0 }],
    ["runWorker has no option 'files'", { files: {} }],
    [
      "'rate' of 'concurrency.shared.x' of runWorker",
      { concurrency: { shared: { x: { rate: {} } } } },
    ],
  ])('%s', async (message, options) => {
    const given: WorkerOptions = { url, ...options };
    const failure = await failureOf(runWorker(given));
    expect(WorkflowError.isInstance(failure) && failure.code).toBe('invalid-input');
    expect(String(failure)).toContain(message);
  });

  it('an engine has a storage or a runtime', async () => {
    const storage = { database: {}, files: {} } as never;
    await expect(
      WorkflowEngine.open({ files: FILES, storage, runtime: dbos({ url }) }),
    ).rejects.toMatchObject({ code: 'invalid-input' });
    expect(() => dbos({ url: 1 } as never)).toThrow('expected a string');
  });

  it.each(['', 'hello', 'mysql://me:hidden@localhost/app', 'postgres://[/app'])(
    'the url %j is no address of a PostgreSQL server, and is not shown',
    async (wrong) => {
      const message = 'must be like postgres://user:password@localhost:5432/app';
      expect(() => dbos({ url: wrong })).toThrow(message);
      const failure = await failureOf(runWorker({ url: wrong }));
      expect(failure).toMatchObject({ code: 'invalid-input' });
      expect(String(failure)).toContain(message);
      expect(String(failure)).not.toContain('hidden');
    },
  );

  it('a server that cannot be reached is one clear error', async () => {
    const away = 'postgres://nobody@127.0.0.1:1/none';
    await expect(runWorker({ url: away })).rejects.toMatchObject({ code: 'journal-unwritable' });
  });
});
