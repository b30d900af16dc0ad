import { openStorage } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lint, type Step, WorkflowEngine, type WorkflowFile } from '../../../src/index.ts';
import { dataOrder } from '../../../src/load/data-order.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

/** A step that calls a function of its own id. */
function f(id: string, inputs: readonly string[] = [], more: object = {}): Step {
  const input_variables = Object.fromEntries(inputs.map((name) => [name, name]));
  return {
    id,
    type: 'function',
    function: id,
    input_variables,
    output_variable: id,
    ...more,
  };
}

function fileOf(steps: readonly Step[], more: object = {}): WorkflowFile {
  return {
    prompts: { ask: 'Well?' },
    workflows: { flow: { order: 'by-data', steps, ...more } },
  };
}

/** Resolves once all of them have come to it. */
function meeting(count: number): () => Promise<string> {
  let missing = count;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    if (--missing === 0) open();
    await all;
    return 'met';
  };
}

describe('order: by-data', () => {
  it('runs steps side by side that take nothing of each other, and others after what they take', async () => {
    const meet = meeting(2);
    const seen: string[] = [];
    const steps = [f('a'), f('b'), f('c', ['a', 'b']), f('d', ['c'])];
    await using engine = await WorkflowEngine.open({
      files: fileOf(steps),
      functions: {
        a: meet,
        b: meet,
        c: (input) => (seen.push(`c ${JSON.stringify(input)}`), 'c'),
        d: () => (seen.push('d'), 'd'),
      },
    });
    const run = await engine.start('flow', 'x');
    const { output, variables } = await run.result;
    expect(output).toBe('d');
    expect(seen).toEqual(['c {"a":"met","b":"met"}', 'd']);
    expect(variables).toEqual({ user_input: 'x', errors: {}, a: 'met', b: 'met', c: 'c', d: 'd' });
    const state = await engine.run(run.id);
    expect(state.variables).toEqual(variables);
    expect(state.steps.map(({ path }) => path).toSorted()).toEqual(['a#1', 'b#1', 'c#1', 'd#1']);
  });

  it('holds within loops, branches, items and parallel branches as well', async () => {
    const meet = [meeting(2), meeting(2), meeting(2)];
    const body = [f('a'), f('b')];
    const rounds = { a: 0, b: 0 };
    await using engine = await WorkflowEngine.open({
      files: fileOf([{ id: 'again', type: 'loop', maxRounds: 3, steps: body }]),
      functions: {
        a: () => meet[rounds.a++]?.() ?? null,
        b: () => meet[rounds.b++]?.() ?? null,
      },
    });
    const run = await engine.start('flow', 1);
    await run.result;
    const { steps } = await engine.run(run.id);
    expect(steps.map(({ path }) => path).toSorted()).toEqual(
      [1, 2, 3].flatMap((round) => [`again#1/${round}/a#1`, `again#1/${round}/b#1`]),
    );
  });

  it('stops the parallel steps when one fails, and continues from there without repeating any', async () => {
    const storage = await openStorage(await temporaryFolder());
    onTestFinished(() => storage.close());
    const calls: string[] = [];
    let isBroken = true;
    let stopped: unknown;
    const steps = [f('quick'), f('bad', ['quick']), f('slow'), f('last', ['bad', 'slow'])];
    await using engine = await WorkflowEngine.open({
      files: fileOf(steps),
      storage,
      functions: {
        quick: () => (calls.push('quick'), 1),
        bad: () => {
          calls.push('bad');
          if (isBroken) throw new Error('not now');
          return 2;
        },
        slow: (_, { signal }) => {
          calls.push('slow');
          if (!isBroken) return 3;
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              stopped = signal.reason;
              reject(signal.reason as Error);
            });
          });
        },
        last: ({ bad, slow }) => [bad ?? null, slow ?? null],
      },
    });
    const run = await engine.start('flow', 1);
    await expect(run.result).rejects.toMatchObject({
      code: 'step-failed',
      context: { path: 'bad#1' },
    });
    expect(stopped).toMatchObject({ code: 'cancelled' });
    expect((await engine.run(run.id)).variables).toMatchObject({ quick: 1 });
    isBroken = false;
    expect((await (await engine.resume(run.id)).result).output).toEqual([2, 3]);
    expect(calls.toSorted()).toEqual(['bad', 'bad', 'quick', 'slow', 'slow']);
  });

  it('deals with failures, conditions and persons as in any order', async () => {
    const steps: Step[] = [
      { id: 'person', type: 'human', prompt_id: 'ask', output_variable: 'said' },
      f('bad', [], { onError: { default: 'none' } }),
      f('never', [], { when: 'user_input == 2' }),
      f('told', ['said', 'bad', 'never'], { input_variables: { all: 'errors', said: 'said' } }),
    ];
    await using engine = await WorkflowEngine.open({
      files: fileOf(steps),
      functions: {
        bad: () => {
          throw new Error('it is bad');
        },
        never: () => 'never',
        told: ({ all, said }) => ({ failed: Object.keys(Object(all)), said: said ?? null }),
      },
    });
    const run = await engine.start('flow', 1);
    for await (const event of run) {
      if (event.type === 'step:waiting') await engine.answer(run.id, 'yes', { path: event.path });
    }
    const { output, variables } = await run.result;
    expect(output).toEqual({ failed: ['bad'], said: 'yes' });
    expect(variables).toMatchObject({ bad: 'none', never: null, said: 'yes' });
  });

  it('forks at a step, with what cannot depend on it taken over', async () => {
    const calls: string[] = [];
    const counted = (name: string) => () => (calls.push(name), `${name}${calls.length}`);
    await using engine = await WorkflowEngine.open({
      files: fileOf([f('a'), f('b', ['a']), f('c', ['user_input'])]),
      functions: { a: counted('a'), b: counted('b'), c: () => 'c' },
    });
    const run = await engine.start('flow', 1);
    await run.result;
    const forked = await engine.fork(run.id, 'b#1', { variables: { a: 'mine' } });
    expect((await forked.result).variables).toMatchObject({ a: 'mine', b: 'b3' });
    expect(calls).toEqual(['a', 'b', 'b']);
  });

  it.each([
    [
      [f('a'), f('b')],
      [[], []],
    ],
    [
      [f('a'), f('b', ['a']), f('c', ['b', 'a'])],
      [[], [0], [1]],
    ],
    // A step that sets a variable again waits for those that read it before.
    [
      [f('a'), f('b', ['a']), f('a', [])],
      [[], [0], [1]],
    ],
    [
      [f('a'), f('b', ['errors']), f('c')],
      [[], [0], [1]],
    ],
    [
      [f('a'), { id: 'l', type: 'loop', maxRounds: 1, steps: [f('b', ['a'])] }, f('c', ['b'])],
      [[], [0], [1]],
    ],
    // The body of an item has variables of its own.
    [
      [
        f('a'),
        { id: 'e', type: 'foreach', in: 'a', as: 'x', steps: [f('b', ['x'])] },
        f('c', ['b']),
      ],
      [[], [0], []],
    ],
    [
      [f('a'), f('b', [], { when: 'a == 1' })],
      [[], [0]],
    ],
  ] as [Step[], number[][]][])('finds what waits for what: case %#', (steps, order) => {
    expect(dataOrder(steps)).toEqual(order);
  });

  it('is refused with jumps, and drawn as its steps depend on each other', async () => {
    const steps = [f('a', [], { next_step: 'b' }), f('b', [], { onError: { goto: 'end' } })];
    const problems = await lint(fileOf(steps, { initial_step: 'a' }));
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'jump-by-data workflows.flow.initial_step',
      'jump-by-data workflows.flow.steps[0].next_step',
      'jump-by-data workflows.flow.steps[1].onError.goto',
    ]);
    await using engine = await WorkflowEngine.open({
      files: fileOf([f('a'), f('b'), f('c', ['a', 'b'])]),
      functions: { a: () => 1, b: () => 1, c: () => 1 },
    });
    const drawn = await engine.toMermaid('flow');
    const arrows = drawn.split('\n').filter((line) => line.includes('-->'));
    expect(arrows.map((line) => line.trim())).toEqual([
      'start --> n1',
      'start --> n2',
      'n1 --> n3',
      'n2 --> n3',
      'n3 --> done',
    ]);
  });
});
