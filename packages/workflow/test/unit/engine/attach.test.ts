import { openStorage } from '@vizprompt/providers/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type RunEvent,
  WorkflowEngine,
  type WorkflowFile,
  type WorkflowRun,
} from '../../../src/index.ts';
import { temporaryFolder } from '../../support/engine/open-engine.ts';

const files: WorkflowFile = {
  prompts: { ask: 'Well?' },
  workflows: {
    flow: {
      steps: [
        { id: 'first', type: 'function', function: 'f' },
        { id: 'person', type: 'human', prompt_id: 'ask' },
        { id: 'last', type: 'function', function: 'f' },
      ],
    },
  },
};
const functions = { f: () => 1 };

async function eventsOf(run: WorkflowRun): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

describe('attach', () => {
  it('gives a run that another engine leads, with its question and its result', async () => {
    const storage = await openStorage(await temporaryFolder());
    onTestFinished(() => storage.close());
    await using leader = await WorkflowEngine.open({ files, functions, storage });
    await using other = await WorkflowEngine.open({ files, functions, storage });
    const { id } = await leader.start('flow', 1);
    const attached = await other.attach(id);
    const types: string[] = [];
    for await (const event of attached) {
      types.push(event.type);
      if (event.type === 'step:waiting') await other.answer(id, 'yes');
    }
    expect((await attached.result).output).toBe(1);
    expect(types.filter((type) => type === 'step:waiting')).toHaveLength(1);
    expect(types.at(-1)).toBe('run:ended');
  });

  it('gives a run that this engine leads to any number of readers', async () => {
    await using engine = await WorkflowEngine.open({ files, functions });
    const run = await engine.start('flow', 1);
    for await (const { type } of run) if (type === 'step:waiting') break;
    const attached = await Promise.all([engine.attach(run.id), engine.attach(run.id)]);
    const events = attached.map(eventsOf);
    await engine.answer(run.id, 'yes');
    for (const list of await Promise.all(events)) {
      expect(list.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['step:answered', 'step:started', 'step:ended', 'run:ended']),
      );
    }
    expect((await attached[0].result).output).toBe(1);
  });

  it('gives the result of a run that has ended, or its error', async () => {
    const one = { id: 'x', type: 'function', function: 'x' } as const;
    await using engine = await WorkflowEngine.open({
      files: { workflows: { flow: { steps: [one] } } },
      functions: {
        x: () => {
          throw new Error('no');
        },
      },
    });
    const run = await engine.start('flow', 1);
    const error = await run.result.catch((thrown: unknown) => thrown);
    const attached = await engine.attach(run.id);
    await expect(attached.result).rejects.toMatchObject({
      code: 'step-failed',
      message: (error as Error).message,
    });
    await expect(engine.attach('nobody')).rejects.toMatchObject({ code: 'not-found' });
  });
});

it('listeners that are an option hear every run', async () => {
  const heard: string[] = [];
  await using engine = await WorkflowEngine.open({
    files: { workflows: { flow: { steps: [{ id: 'x', type: 'function', function: 'f' }] } } },
    functions,
    listeners: {
      'run:started': ({ runId }) => heard.push(`started ${runId}`),
      'run:ended': ({ runId }) => heard.push(`ended ${runId}`),
    },
  });
  const runs = await Promise.all([engine.start('flow', 1), engine.start('flow', 2)]);
  for (const { id, result } of runs) {
    await result;
    expect(heard).toEqual(expect.arrayContaining([`started ${id}`, `ended ${id}`]));
  }
});
