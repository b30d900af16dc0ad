import { inMemoryStorage } from '@vizprompt/providers/node';
import type { Turn, TurnRecorder } from '@vizprompt/providers';
import { scriptedModel, type Script } from '@vizprompt/providers/testing';
import {
  WorkflowEngine,
  type Step,
  type WorkflowEngineOptions,
  type WorkflowFile,
} from '@vizprompt/workflow';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Keeps turns as they were last recorded, in the order in which they were first. */
function keeper(fails: (turn: Turn) => boolean = () => false): {
  recorder: TurnRecorder;
  turns: Map<string, Turn>;
  shape(): string[];
} {
  const turns = new Map<string, Turn>();
  return {
    turns,
    recorder: {
      specVersion: 1,
      async record(turn) {
        if (fails(turn)) throw new Error(`no room for ${turn.id}`);
        turns.set(turn.id, turn);
      },
    },
    shape: () =>
      [...turns.values()].map(
        ({ id, status, follows }) => `${id} ${status} <- ${follows.join(' ')}`,
      ),
  };
}

function agent(id: string, more: object = {}): Step {
  return { id, type: 'agent_interaction', agent_id: id, prompt_id: 'p', ...more };
}

function fileOf(steps: readonly Step[]): WorkflowFile {
  const ids = ['a', 'b', 'c', 'd', 'e', 'judge'];
  return {
    agent_roles: Object.fromEntries(ids.map((id) => [id, { system_prompt: id, model: 'm' }])),
    prompts: { p: 'p', q: '?' },
    workflows: { main: { steps } },
  };
}

async function open(
  steps: readonly Step[],
  script: Script,
  options: Partial<WorkflowEngineOptions> = {},
): Promise<WorkflowEngine> {
  const models = { m: scriptedModel(script, { modelId: 'm' }) };
  const engine = await WorkflowEngine.open({ files: fileOf(steps), models, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

const panel: Step = {
  id: 'panel',
  type: 'multi_agent_interaction',
  agents_to_run: ['b', 'c', 'd'].map((id) => ({ agent_id: id, prompt_id: 'p' })),
};
const person: Step = { id: 'person', type: 'human', prompt_id: 'q' };
const whole = [agent('a'), { ...panel, aggregate: 'vote' } satisfies Step, person, agent('e')];

describe('the turns of a run', () => {
  it('are branches where agents work side by side, and come together in what is made of them', async () => {
    const { recorder, shape, turns } = keeper();
    const engine = await open(whole, () => 'x', { recorders: [recorder] });
    const run = await engine.start('main', null);
    for await (const event of run) {
      if (event.type === 'step:waiting') await engine.answer(run.id, { is: 'good' });
    }
    expect(shape()).toEqual([
      'a#1 done <- ',
      'panel#1/b done <- a#1',
      'panel#1/c done <- a#1',
      'panel#1/d done <- a#1',
      'panel#1:vote done <- panel#1/b panel#1/c panel#1/d',
      'person#1 done <- panel#1:vote',
      'e#1 done <- person#1',
    ]);
    expect(turns.get('panel#1:vote')).toMatchObject({ kind: 'aggregate', speaker: 'vote' });
    expect(turns.get('e#1')).toMatchObject({
      conversationId: run.id,
      kind: 'turn',
      speaker: 'e',
      model: expect.stringMatching(/:m$/),
      input: [{ type: 'text', text: 'p' }],
      output: [{ type: 'text', text: 'x' }],
      usage: { outputTokens: expect.any(Number) },
    });
  });

  it('come together in the next step where nothing is made of them, and in a judge where one is asked', async () => {
    const { recorder, shape } = keeper();
    const judged: Step = {
      ...panel,
      id: 'judged',
      aggregate: { strategy: 'bestOf', agent_id: 'judge', prompt_id: 'p' },
    };
    const engine = await open([panel, judged, agent('e')], () => '2', { recorders: [recorder] });
    await (
      await engine.start('main', null)
    ).result;
    expect(shape().slice(3)).toEqual([
      ...['b', 'c', 'd'].map((id) => `judged#1/${id} done <- panel#1/b panel#1/c panel#1/d`),
      'judged#1:bestOf done <- judged#1/b judged#1/c judged#1/d',
      'e#1 done <- judged#1:bestOf',
    ]);
  });

  it('are chains for items, and rounds of a loop', async () => {
    const { recorder, shape } = keeper();
    const engine = await open(
      [
        {
          id: 'each',
          type: 'foreach',
          in: '[1, 2]',
          as: 'item',
          maxConcurrency: 1,
          steps: [agent('a'), agent('b')],
        },
        { id: 'twice', type: 'loop', maxRounds: 2, steps: [agent('c')] },
      ],
      () => 'x',
      { recorders: [recorder] },
    );
    await (
      await engine.start('main', null)
    ).result;
    expect(shape()).toEqual([
      'each#1/0/a#1 done <- ',
      'each#1/0/b#1 done <- each#1/0/a#1',
      'each#1/1/a#1 done <- ',
      'each#1/1/b#1 done <- each#1/1/a#1',
      'twice#1/1/c#1 done <- each#1/0/b#1 each#1/1/b#1',
      'twice#1/2/c#1 done <- twice#1/1/c#1',
    ]);
  });

  it('are failed or aborted where the work was', async () => {
    const { recorder, turns } = keeper();
    const engine = await open(
      [{ ...panel, failureMode: { quorum: 1 } }, agent('e', { onError: 'continue' })],
      async ({ messages, signal }) => {
        const who = JSON.stringify(messages[0]);
        if (who.includes('"c"')) return 'first';
        if (who.includes('"e"')) throw new Error('broken');
        await new Promise((_, reject) => signal?.addEventListener('abort', reject));
        return '';
      },
      { recorders: [recorder] },
    );
    await (
      await engine.start('main', null)
    ).result;
    expect(Object.fromEntries([...turns.values()].map(({ id, status }) => [id, status]))).toEqual({
      'panel#1/b': 'aborted',
      'panel#1/c': 'done',
      'panel#1/d': 'aborted',
      'e#1': 'failed',
    });
    expect(turns.get('e#1')).toMatchObject({
      follows: ['panel#1/c'],
      error: { message: expect.stringContaining('broken') },
    });
  });

  it('of a person are failed when no answer comes in time, and aborted when the run is cancelled', async () => {
    const { recorder, turns } = keeper();
    const late = { ...person, timeout: { total: 20 }, onError: 'continue' } satisfies Step;
    const engine = await open([late, { ...person, id: 'again' }], () => 'x', {
      recorders: [recorder],
    });
    const run = await engine.start('main', null);
    for await (const event of run) {
      if (event.type === 'step:waiting' && event.stepId === 'again') run.cancel();
    }
    await engine.close();
    expect(turns.get('person#1')).toMatchObject({ status: 'failed', speaker: 'person' });
    expect(turns.get('again#1')).toMatchObject({ status: 'aborted', input: [{ text: '?' }] });
  });

  it('are the same after a resume, with the times at which things were done', async () => {
    const storage = await inMemoryStorage();
    onTestFinished(() => storage.close());
    let time = Date.parse('2026-01-31T12:00:00.000Z');
    const clock = (): Date => new Date((time += 1000));
    const { recorder, turns, shape } = keeper();
    const options = { storage, recorders: [recorder], clock };
    const first = await open(whole, () => 'x', options);
    const run = await first.start('main', null, { runId: 'r' });
    for await (const event of run) if (event.type === 'step:waiting') break;
    await first.close();
    const before = new Map(turns);
    expect(turns.get('person#1')?.status).toBe('pending');
    const second = await open(whole, () => 'x', options);
    const resumed = await second.resume('r');
    await second.answer('r', 'yes');
    await resumed.result;
    expect(shape()).toHaveLength(7);
    for (const id of ['a#1', 'panel#1/b', 'panel#1/c', 'panel#1/d']) {
      expect(turns.get(id)).toEqual(before.get(id));
    }
    expect(turns.get('person#1')).toMatchObject({ status: 'done', output: [{ text: 'yes' }] });
  });
});

describe('a recorder', () => {
  it('that fails is an event, and the run continues', async () => {
    const broken = keeper(({ id }) => id === 'a#1');
    const engine = await open([agent('a'), agent('b')], () => 'x', {
      recorders: [broken.recorder],
    });
    const run = await engine.start('main', null);
    const failed: unknown[] = [];
    for await (const event of run) if (event.type === 'recorder:failed') failed.push(event);
    expect((await run.result).output).toBe('x');
    expect(failed[0]).toMatchObject({ runId: run.id, error: { message: 'no room for a#1' } });
    expect(broken.shape()).toEqual(['b#1 done <- ']);
  });

  it('that is required ends the run, which continues by a resume', async () => {
    const storage = await inMemoryStorage();
    onTestFinished(() => storage.close());
    let isFull = true;
    const { recorder, shape } = keeper(({ id }) => isFull && id === 'b#1');
    const options = { storage, recorders: [{ recorder, required: true }] };
    let calls = 0;
    const steps = [agent('a'), agent('b', { onError: 'continue' }), agent('c')];
    const engine = await open(steps, () => `${++calls}`, options);
    const run = await engine.start('main', null, { runId: 'r' });
    await expect(run.result).rejects.toMatchObject({
      code: 'recorder-failed',
      context: { path: 'b#1' },
    });
    isFull = false;
    const { output } = await (await engine.resume('r')).result;
    expect(shape()).toEqual(['a#1 done <- ', 'b#1 done <- a#1', 'c#1 done <- b#1']);
    expect(output).toBe(`${calls}`);
    expect(calls).toBe(3);
  });

  it('that never answers does not prevent cancelling', async () => {
    const stuck: TurnRecorder = { specVersion: 1, record: () => new Promise(() => undefined) };
    const engine = await WorkflowEngine.open({
      files: fileOf([agent('a'), person]),
      models: { m: scriptedModel(() => 'x', { modelId: 'm' }) },
      recorders: [stuck],
    });
    const run = await engine.start('main', null);
    for await (const event of run) if (event.type === 'step:waiting') run.cancel();
    await expect(run.result).rejects.toMatchObject({ code: 'cancelled' });
  });
});
