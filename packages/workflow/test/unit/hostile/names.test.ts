import type { WorkflowEngine } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';
import {
  ask,
  diskStorage,
  failureOf,
  fileOf,
  models,
  openEngine,
} from '../../support/hostile-flow.ts';

/** Names that no database can hold. */
const names = ['\0', 'a\0b', '\ud800', 'x\udfff'];

/** Asked by the id of a run. */
const ids: Readonly<Record<string, (engine: WorkflowEngine, id: string) => Promise<unknown>>> = {
  run: (engine, id) => engine.run(id),
  resume: (engine, id) => engine.resume(id),
  fork: (engine, id) => engine.fork(id, 'say#1'),
  answer: (engine, id) => engine.answer(id, 'yes'),
  cancel: (engine, id) => engine.cancel(id),
  toMermaid: (engine, id) => engine.toMermaid('main', { run: id }),
};

/** Asked by the name of something else that there is none of. */
const others: Readonly<Record<string, (engine: WorkflowEngine, name: string) => Promise<unknown>>> =
  {
    'start of a workflow': (engine, name) => engine.start(name, 'x'),
    'start with a set of prompts': (engine, promptSet) => engine.start('main', 'x', { promptSet }),
    'fork at a path': (engine, path) => engine.fork('r', path),
    'fork with a prompt': (engine, name) => engine.fork('r', 'say#1', { prompts: { [name]: 'x' } }),
    'fork with a model': (engine, name) => engine.fork('r', 'say#1', { models: { [name]: 'm' } }),
    toMermaid: (engine, name) => engine.toMermaid(name),
    dryRun: (engine, name) => engine.dryRun(name, 'x'),
  };

/** Ids for runs that are to be made. */
const made: Readonly<Record<string, (engine: WorkflowEngine, id: string) => Promise<unknown>>> = {
  start: (engine, runId) => engine.start('main', 'x', { runId }),
  fork: (engine, runId) => engine.fork('r', 'say#1', {}, { runId }),
};

const files = fileOf(
  [
    ask('say', 'user_input', 'said'),
    { id: 'person', type: 'human', prompt_id: 'p', output_variable: 'v' },
  ],
  {},
  { p: '?' },
);

describe.each(['in memory', 'on a disk'])('a run that is kept %s', (place) => {
  const open = async (): Promise<WorkflowEngine> => {
    const storage = place === 'on a disk' ? { storage: await diskStorage() } : {};
    const engine = await openEngine(files, { models: models(() => 'x').models, ...storage });
    const run = await engine.start('main', 'x', { runId: 'r' });
    for await (const event of run) if (event.type === 'step:waiting') break;
    return engine;
  };

  it('is not found by an id that no database holds', async () => {
    const engine = await open();
    for (const [what, call] of [...Object.entries(ids), ...Object.entries(others)]) {
      for (const name of names) {
        expect([what, name, await failureOf(call(engine, name))]).toEqual([
          what,
          name,
          expect.objectContaining({ name: 'WorkflowError', code: 'not-found' }),
        ]);
      }
    }
    for (const name of [...names, 'none']) expect(await engine.runs({ after: name })).toEqual([]);
  });

  it('is not made under such an id', async () => {
    const engine = await open();
    for (const [what, call] of Object.entries(made)) {
      for (const name of names) {
        expect([what, name, await failureOf(call(engine, name))]).toEqual([
          what,
          name,
          expect.objectContaining({ name: 'WorkflowError', code: 'invalid-input' }),
        ]);
      }
    }
    expect(await engine.runs()).toHaveLength(1);
  });

  it('waits for the answer that has a path of its own', async () => {
    const engine = await open();
    for (const path of names) {
      expect(await failureOf(engine.answer('r', 'yes', { path }))).toMatchObject({
        name: 'WorkflowError',
        code: 'not-waiting',
      });
    }
  });

  it('is cancelled for any reason, which it keeps', async () => {
    const engine = await open();
    await engine.cancel('r', 'a\0b\ud800');
    const { status, error } = await engine.run('r');
    expect([status, error?.message]).toEqual(['cancelled', expect.stringContaining('a\0b\ud800')]);
  });
});

it('a workflow, its steps and variables may be called what no database holds', async () => {
  const [name, step, variable] = ['w\0', 's\ud800', 'v\0'];
  const storage = await diskStorage();
  const engine = await openEngine(
    {
      workflows: {
        [name]: {
          steps: [{ id: step, type: 'function', function: 'f', output_variable: variable }],
        },
      },
    },
    { storage, functions: { f: () => 'a\0b\ud800' } },
  );
  const run = await engine.start(name, 'x', { runId: 'r' });
  expect((await run.result).output).toBe('a\0b\ud800');
  const { workflow, steps } = await engine.run('r');
  expect([workflow, steps.map(({ path }) => path)]).toEqual([name, [`${step}#1`]]);
});
