import { openStorage } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import { type Step, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

function fileOf(...steps: readonly Step[]): WorkflowFile {
  return { workflows: { flow: { steps } } };
}

const first: Step = { id: 'first', type: 'function', function: 'count', output_variable: 'n' };
const wrong: Step = { id: 'second', type: 'function', function: 'f', when: 'n.field == 1' };

it('a run in flight continues with corrected files, and repeats nothing before the step', async () => {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  let calls = 0;
  const functions = { count: () => ++calls, f: () => 'fixed' };
  const before = await WorkflowEngine.open({ files: fileOf(first, wrong), functions, storage });
  const run = await before.start('flow', 'x');
  await expect(run.result).rejects.toMatchObject({ context: { stepId: 'second' } });
  await before.close();

  const files = fileOf(
    first,
    { ...wrong, when: 'n == 1' },
    { id: 'third', type: 'function', function: 'f' },
  );
  await using engine = await WorkflowEngine.open({ files, functions, storage });
  const same = await engine.fork(run.id, 'second#1');
  await expect(same.result).rejects.toMatchObject({ code: 'step-failed' });
  const fork = await engine.fork(run.id, 'second#1', { definition: 'current' });
  expect((await fork.result).output).toBe('fixed');
  expect(calls).toBe(1);
  expect((await engine.run(fork.id)).steps.map(({ path }) => path)).toEqual([
    'first#1',
    'second#1',
    'third#1',
  ]);
});

it('says which step the corrected files do not have', async () => {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  const functions = { count: () => 1, f: () => 2 };
  const before = await WorkflowEngine.open({ files: fileOf(first, wrong), functions, storage });
  const run = await before.start('flow', 'x');
  await run.result.catch(() => undefined);
  await before.close();
  const files = fileOf(first, { ...wrong, id: 'secnod' });
  await using engine = await WorkflowEngine.open({ files, functions, storage });
  await expect(engine.fork(run.id, 'second#1', { definition: 'current' })).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining("is 'secnod' meant?"),
  });
});
