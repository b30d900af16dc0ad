import type { Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

const files: WorkflowFile = {
  workflows: {
    flow: {
      steps: [
        { id: 'first', type: 'function', function: 'first' },
        { id: 'bad', type: 'function', function: 'bad' },
      ],
    },
  },
};

/** Opens an engine, lets it lead the run as far as it gets, and leaves the journal as its death would. */
async function lead(
  storage: Storage,
  start: (engine: WorkflowEngine) => Promise<unknown>,
  { progress = false } = {},
): Promise<unknown> {
  let hangs: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (hangs = resolve));
  const engine = await WorkflowEngine.open({
    files,
    storage,
    functions: {
      first: () => 1,
      bad: () => (progress ? 2 : new Promise(() => hangs())),
    },
  });
  try {
    await start(engine);
    if (!progress) await begun;
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await engine.close();
    const sql = "UPDATE workflow_run SET owner = 'a process that is dead' WHERE ended_at IS NULL";
    await storage.database.execute(sql);
  }
}

it('a run that ends each process that takes it over fails, is listed, and can be resumed by hand', async () => {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  await lead(storage, (engine) => engine.start('flow', 1, { runId: 'r' }));
  for (let takeover = 1; takeover <= 3; takeover++) {
    expect(await lead(storage, (engine) => engine.resume('r'))).toBeUndefined();
  }
  const events: unknown[] = [];
  const refused = await lead(storage, async (engine) => {
    engine.on('run:ended', (event) => events.push(event));
    await engine.resume('r');
  });
  expect(refused).toMatchObject({ code: 'limit', context: { limit: 'takeovers' } });
  expect(events).toMatchObject([{ runId: 'r', status: 'failed' }]);

  await using engine = await WorkflowEngine.open({
    files,
    storage,
    functions: { first: () => 1, bad: () => 2 },
  });
  expect(await engine.runs({ status: 'failed' })).toMatchObject([{ id: 'r' }]);
  expect((await engine.run('r')).error).toMatchObject({ code: 'limit' });
  const again = await engine.resume('r');
  expect((await again.result).output).toBe(2);
});

it('a process that closes its engine is no takeover', async () => {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  const options = {
    files,
    storage,
    functions: { first: () => 1, bad: () => new Promise<never>(() => undefined) },
  };
  await using first = await WorkflowEngine.open(options);
  await first.start('flow', 1, { runId: 'r' });
  await first.close();
  for (let round = 0; round < 6; round++) {
    const engine = await WorkflowEngine.open(options);
    await engine.resume('r');
    expect(await engine.runs({ status: 'running' })).toMatchObject([{ id: 'r' }]);
    await engine.close();
  }
});
