import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError, type Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answering, ask, fileOf } from '../../support/engine/flow-parts.ts';
import { openInMemory, sqliteStorage, temporaryFolder } from '../../support/engine/open-engine.ts';
import { postgres } from '../../support/engine/open-on-postgres.ts';

const FLOW = fileOf([ask('one', 'user_input'), ask('two', 'one')]);

describe.each([
  ['SQLite', sqliteStorage],
  ['PostgreSQL', postgres],
] as const)('an engine that has hung, on %s', (_, open) => {
  it('is taken over when its lease is over, and what it writes afterwards is refused', async () => {
    const storage: Storage = await open();
    let answer: (text: string) => void = () => undefined;
    const slow = scriptedModel(() => new Promise<string>((resolve) => (answer = resolve)));
    const hung = await openInMemory({ files: FLOW, storage, models: { m: slow } });
    const run = await hung.start('flow', 'x');
    while (slow.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const other = await openInMemory({
      files: FLOW,
      storage,
      models: { m: answering(() => 'other') },
    });
    await expect(other.resume(run.id)).rejects.toMatchObject({ code: 'conflict' });
    // As if it had not come to say that it is alive for longer than its lease.
    await storage.database.execute('UPDATE workflow_owner SET alive_at = alive_at - 60000');
    expect((await (await other.resume(run.id)).result).output).toBe('other');
    answer('late');
    await expect(run.result).rejects.toMatchObject({ code: 'conflict' });
    const { output, steps } = await other.run(run.id);
    expect([output, steps.map((step) => step.output)]).toEqual(['other', ['other', 'other']]);
  });
});

describe('a journal that cannot be written', () => {
  it('is one clear error, and the run continues later from what was acknowledged', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'data'));
    const storage = await openStorage(join(folder, 'data'));
    onTestFinished(() => storage.close());
    let isFull = false;
    const full: Storage = {
      ...storage,
      database: {
        ...storage.database,
        batch: async (statements) => {
          if (isFull) throw new StorageError('io', 'database or disk is full');
          return storage.database.batch(statements);
        },
        execute: async (sql, params) => {
          if (isFull) throw new StorageError('io', 'database or disk is full');
          return storage.database.execute(sql, params);
        },
      },
    };
    const model = answering((question) => {
      isFull = question.startsWith('Q: Q:');
      return question;
    });
    const engine = await openInMemory({ files: FLOW, storage: full, models: { m: model } });
    const run = await engine.start('flow', 'x');
    await expect(run.result).rejects.toMatchObject({
      code: 'journal-unwritable',
      message: expect.stringContaining('database or disk is full'),
    });
    isFull = false;
    const limited = await openInMemory({
      files: fileOf([ask('one', 'user_input')], { flow: { limits: { tokens: 10_000 } } }),
      storage: full,
      models: { m: model },
    });
    const paid = await limited.start('flow', 'x');
    isFull = true;
    // The cost that a call may have could not be written down, so it is not made.
    await expect(paid.result).rejects.toMatchObject({ code: 'journal-unwritable' });
    isFull = false;
    await limited.close();
    expect(await engine.run(run.id)).toMatchObject({
      status: 'running',
      steps: [{ path: 'one#1' }],
    });
    const resumed = await engine.resume(run.id);
    await expect(resumed.result).rejects.toMatchObject({ code: 'journal-unwritable' });
    await engine.close();
    isFull = false;
    const other = await openInMemory({ files: FLOW, storage, models: { m: answering(() => 'y') } });
    expect((await (await other.resume(run.id)).result).output).toBe('y');
    expect(model.calls).toHaveLength(3);
  });
});
