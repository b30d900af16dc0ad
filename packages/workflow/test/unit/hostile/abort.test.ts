import type { ChatRequest } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import type { RunEvent, WorkflowFile } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';
import { ask, diskStorage, failureOf, openEngine } from '../../support/hostile-flow.ts';

/** Branches, a loop, items, a subflow, a person: something of each. */
const file: WorkflowFile = {
  agent_roles: { a: { system_prompt: '', model: 'm' } },
  prompts: { p: '{{ v }}' },
  workflows: {
    main: {
      output: 'all',
      steps: [
        ask('first', 'user_input', 'x'),
        {
          id: 'panel',
          type: 'multi_agent_interaction',
          agents_to_run: [1, 2, 3, 4].map((number) => ({
            agent_id: 'a',
            prompt_id: 'p',
            input_variables: { v: 'x' },
            output_variable: `x${number}`,
          })),
          aggregate: 'concat',
          output_variable: 'panel',
        },
        { id: 'refine', type: 'loop', maxRounds: 2, steps: [ask('better', 'panel', 'panel')] },
        {
          id: 'each',
          type: 'foreach',
          in: '[x1, x2]',
          as: 'item',
          steps: [ask('item', 'item', 'done'), ask('item2', 'done', 'done')],
          output_variable: 'all',
        },
        { id: 'sub', type: 'subflow', workflow: 'sub', input_variables: { user_input: 'x' } },
      ],
    },
    sub: { steps: [ask('inner', 'user_input', 'y')] },
  },
};
const CALLS = 1 + 4 + 2 + 4 + 1;

/** Returns a model that counts what is in progress, and the calls that it answered to the end. */
function countingModel(): {
  model: ReturnType<typeof scriptedModel>;
  active: () => number;
  answered: string[];
} {
  let active = 0;
  const answered: string[] = [];
  const model = scriptedModel(
    async ({ messages, signal }: ChatRequest) => {
      active++;
      try {
        await new Promise(setImmediate);
        signal?.throwIfAborted();
        answered.push(JSON.stringify(messages));
        return 'x';
      } finally {
        active--;
      }
    },
    { modelId: 'm', chunkSize: 1 },
  );
  return { model, active: () => active, answered };
}

async function eventsOfWholeRun(): Promise<RunEvent[]> {
  const { model } = countingModel();
  const engine = await openEngine(file, { models: { m: model } });
  const run = await engine.start('main', '猫');
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  expect(model.calls).toHaveLength(CALLS);
  return events;
}

describe('a run that is stopped', () => {
  it('by cancel(), at any event: stops at once and makes no more calls', async () => {
    const whole = await eventsOfWholeRun();
    for (let at = 0; at < whole.length - 1; at++) {
      const { model, active } = countingModel();
      const engine = await openEngine(file, { models: { m: model } });
      const run = await engine.start('main', '猫');
      const events: RunEvent[] = [];
      let calls = 0;
      for await (const event of run) {
        if (events.push(event) !== at + 1) continue;
        run.cancel('enough');
        calls = model.calls.length;
      }
      const error = await failureOf(run.result);
      expect(error, `event ${at}`).toMatchObject({ code: 'cancelled', message: /enough/ });
      expect(events.at(-1)).toMatchObject({ type: 'run:ended', status: 'cancelled' });
      expect(events.filter(({ type }) => type === 'run:ended')).toHaveLength(1);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(model.calls.length).toBe(calls);
      expect(active()).toBe(0);
      await engine.close();
    }
  });

  it('by its signal before it starts: makes no call', async () => {
    const { model } = countingModel();
    const engine = await openEngine(file, { models: { m: model } });
    const end = await engine.start('main', '猫', { signal: AbortSignal.abort() }).then(
      (run) => failureOf(run.result),
      (error: unknown) => error,
    );
    expect(end).toMatchObject({ code: 'cancelled' });
    expect(model.calls).toHaveLength(0);
  });

  it('by closing the engine, at any event: continues in another one, and repeats nothing that had ended', async () => {
    const whole = await eventsOfWholeRun();
    const storage = await diskStorage();
    for (let at = 0; at < whole.length - 1; at++) {
      const runId = `run ${at}`;
      const { model } = countingModel();
      const engine = await openEngine(file, { models: { m: model }, storage });
      const run = await engine.start('main', '猫', { runId });
      const events: RunEvent[] = [];
      let closing: Promise<void> | undefined;
      for await (const event of run) {
        if (events.push(event) === at + 1) closing = engine.close();
      }
      await closing;
      const endedBefore = new Set(
        events.flatMap((event) => (event.type === 'step:ended' ? [event.path] : [])),
      );
      const other = countingModel();
      const next = await openEngine(file, { models: { m: other.model }, storage });
      const error = await failureOf(run.result);
      if (error === undefined) continue;
      expect(error, `event ${at}`).toMatchObject({ code: 'closed' });
      const resumed = await next.resume(runId);
      const again: RunEvent[] = [];
      for await (const event of resumed) again.push(event);
      expect((await resumed.result).output).toEqual(['x', 'x']);
      const repeated = again.flatMap((event) =>
        event.type === 'step:started' && endedBefore.has(event.path) ? [event.path] : [],
      );
      expect(repeated, `event ${at}`).toEqual([]);
      expect(other.model.calls.length).toBeLessThanOrEqual(CALLS - endedCalls(events));
      await next.close();
    }
  });
});

function endedCalls(events: readonly RunEvent[]): number {
  return events.filter((event) => event.type === 'step:ended' && event.model !== undefined).length;
}
