import { openStorage } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lint, type Step, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

function f(id: string, name: string, output = id): Step {
  return { id, type: 'function', function: name, output_variable: output };
}

function fileOf(step: object): WorkflowFile {
  const both = { id: 'both', type: 'parallel', output_variable: 'both', ...step } as Step;
  return { prompts: { ask: 'Well?' }, workflows: { flow: { steps: [both] } } };
}

function deferred(): { readonly promise: Promise<null>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<null>((done) => (resolve = () => done(null)));
  return { promise, resolve };
}

describe('a parallel step', () => {
  it('runs chains of any steps at the same time, each with variables of its own', async () => {
    const [left, right] = [deferred(), deferred()];
    const files = fileOf({
      branches: {
        left: { steps: [f('l1', 'left', 'same'), f('l2', 'two', 'same')] },
        right: { steps: [f('r1', 'right', 'same')], result: 'user_input' },
        person: { steps: [{ id: 'q', type: 'human', prompt_id: 'ask', output_variable: 'said' }] },
      },
    });
    await using engine = await WorkflowEngine.open({
      files,
      functions: {
        // Each waits for the other to begin.
        left: () => (left.resolve(), right.promise),
        right: () => (right.resolve(), left.promise),
        two: () => 2,
      },
    });
    const run = await engine.start('flow', 'in');
    for await (const { type } of run)
      if (type === 'step:waiting') await engine.answer(run.id, 'yes');
    const { output, variables } = await run.result;
    expect(output).toEqual({ left: 2, right: 'in', person: 'yes' });
    expect(variables).toEqual({ user_input: 'in', errors: {}, both: output });
    const { steps } = await engine.run(run.id);
    expect(steps.map(({ path }) => path).toSorted()).toEqual([
      'both#1/left/l1#1',
      'both#1/left/l2#1',
      'both#1/person/q#1',
      'both#1/right/r1#1',
    ]);
    expect(await engine.toMermaid('flow', { run: run.id })).toContain('join');
  });

  const bad = { bad: { steps: [f('b', 'bad')] }, good: { steps: [f('g', 'good')] } };
  const functions = {
    bad: () => {
      throw new Error('it is bad');
    },
    good: () => 'good',
    never: () => new Promise<never>(() => undefined),
  };

  it.each([
    [{ branches: bad }, undefined],
    [
      { branches: bad, errors: 'settle' },
      { bad: null, good: 'good' },
    ],
    [
      { branches: bad, join: 'any' },
      { bad: null, good: 'good' },
    ],
    [{ branches: bad, join: 1, errors: 'fail' }, undefined],
    [{ branches: bad, join: 2 }, undefined],
    [
      {
        branches: { slow: { steps: [f('n', 'never')] }, good: { steps: [f('g', 'good')] } },
        join: 'any',
      },
      { slow: null, good: 'good' },
    ],
  ])('%j', async (step, output) => {
    await using engine = await WorkflowEngine.open({ files: fileOf(step), functions });
    const run = await engine.start('flow', 1);
    const end = await run.result.then(
      (result) => result.output,
      (error: unknown) => error,
    );
    const failure: unknown = expect.objectContaining({ code: 'step-failed' });
    expect(end).toEqual(output ?? failure);
  });

  it('reports why a branch failed that the others settled without', async () => {
    const files = fileOf({ branches: bad, errors: 'settle' });
    await using engine = await WorkflowEngine.open({ files, functions });
    const { variables } = await (await engine.start('flow', 1)).result;
    expect(variables['errors']).toMatchObject({ both: { bad: { code: 'step-failed' } } });
  });

  it('continues where it was: branches that are done are not done again', async () => {
    const storage = await openStorage(await temporaryFolder());
    onTestFinished(() => storage.close());
    let isBroken = true;
    const calls: string[] = [];
    const files = fileOf({
      branches: {
        a: { steps: [f('a1', 'a'), f('a2', 'b')] },
        c: { steps: [f('c1', 'c')] },
      },
      maxConcurrency: 1,
    });
    const counted = (name: string) => () => {
      calls.push(name);
      if (name === 'c' && isBroken) throw new Error('not now');
      return name;
    };
    await using engine = await WorkflowEngine.open({
      files,
      storage,
      functions: { a: counted('a'), b: counted('b'), c: counted('c') },
    });
    const run = await engine.start('flow', 1);
    await expect(run.result).rejects.toMatchObject({ code: 'step-failed' });
    isBroken = false;
    const again = await engine.resume(run.id);
    expect((await again.result).output).toEqual({ a: 'b', c: 'c' });
    expect(calls).toEqual(['a', 'b', 'c', 'c']);
  });

  it('is checked as lists of steps are', async () => {
    const problems = await lint(
      fileOf({
        join: 3,
        branches: {
          one: { steps: [{ ...f('x', 'f'), next_step: 'y' }, f('x', 'f')] },
          two: {
            steps: [{ ...f('z', 'f'), when: 'x == 1' }],
          },
        },
      }),
    );
    expect(problems.map(({ code }) => code).toSorted()).toEqual([
      'duplicate-id',
      'quorum-too-large',
      'unknown-step',
      'unreachable-step',
      'variable-not-yet-set',
    ]);
  });
});
