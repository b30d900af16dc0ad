import { LLMError, textMessage, type ChatModel } from '@vizprompt/providers';
import { compose } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import {
  answering,
  type Answers,
  CallLog,
  simulating,
  type Simulation,
} from '../../../src/testing/simulation.ts';

const place = { runId: 'r', path: 'panel/critic', stepId: 'panel', agent: 'critic' };
const request = { messages: [textMessage('system', '厳しく'), textMessage('user', '猫?')] };

function staged(answers: Answers, simulation: Simulation = {}, at = place): [ChatModel, CallLog] {
  const log = new CallLog();
  const model = compose(
    scriptedModel([], { provider: 'ollama', modelId: 'm' }),
    log.layer(at),
    simulating(simulation, log)(at.path),
    answering(answers, log)(at.path),
  );
  return [model, log];
}

describe('answers', () => {
  it('are found by step and agent, step, or agent, the most exact one first', async () => {
    const all = { 'panel/critic': '1', panel: '2', critic: '3' };
    for (const [keys, expected] of [
      [['critic', 'panel', 'panel/critic'], '1'],
      [['critic', 'panel'], '2'],
      [['critic'], '3'],
    ] as const) {
      const answers = Object.fromEntries(keys.map((key) => [key, all[key]]));
      const [model] = staged(answers);
      expect((await model.generate(request)).text).toBe(expected);
    }
  });

  it('come in order, and an error says when there are too few', async () => {
    const [model] = staged({ critic: { inOrder: ['a', new LLMError('server', 'down'), 'c'] } });
    expect((await model.generate(request)).text).toBe('a');
    await expect(model.generate(request)).rejects.toThrow('down');
    expect((await model.generate(request)).text).toBe('c');
    await expect(model.generate(request)).rejects.toThrow("'critic' has 3 answers");
  });

  it('can be functions of the call, and name what is missing', async () => {
    const [model, log] = staged(({ prompt, system, attempt }) => `${system} ${prompt} ${attempt}`);
    expect((await model.generate(request)).text).toBe('厳しく 猫? 1');
    expect((await model.generate(request)).text).toBe('厳しく 猫? 2');
    expect(log.calls).toMatchObject([
      { ...place, model: 'ollama:m', prompt: '猫?', answer: '厳しく 猫? 1', attempt: 1 },
      { attempt: 2 },
    ]);
    const [silent] = staged({ poet: 'a' });
    await expect(silent.generate(request)).rejects.toThrow(
      "no answer for the step 'panel' or the agent 'critic', which was asked: 猫?",
    );
    const [inherited] = staged({}, {}, { ...place, stepId: 'toString', agent: 'constructor' });
    await expect(inherited.generate(request)).rejects.toThrow('no answer');
  });
});

describe('a simulation', () => {
  it('lets the first calls of a place fail', async () => {
    const failures = [{ at: 'critic', times: 2, retryAfterMs: 7 }];
    const [model, log] = staged({ critic: 'a' }, { failures });
    for (const attempt of [1, 2]) {
      await expect(model.generate(request)).rejects.toMatchObject({
        code: 'rate_limit',
        status: 429,
        retryAfterMs: 7,
        isRetryable: true,
      });
      expect(log.calls).toHaveLength(attempt);
    }
    expect((await model.generate(request)).text).toBe('a');
    expect(log.calls[0]?.error).toMatchObject({ code: 'rate_limit' });
    const [other] = staged({ critic: 'a' }, { failures: [{ at: 'poet' }] });
    expect((await other.generate(request)).text).toBe('a');
  });

  it('draws a share by the seed, the same whatever the order of calls', async () => {
    const paths = Array.from({ length: 40 }, (_, at) => `each#${at}/critic`);
    const failed = async (seed: number, order: readonly string[]): Promise<string[]> => {
      const found: string[] = [];
      const failures = [{ code: 'overloaded', share: 0.4 } as const];
      await Promise.all(
        order.map(async (path) => {
          const [model] = staged({ critic: 'a' }, { failures, seed }, { ...place, path });
          await model.generate(request).catch(() => found.push(path));
        }),
      );
      return found.toSorted();
    };
    const first = await failed(1, paths);
    expect(first.length).toBeGreaterThan(5);
    expect(first.length).toBeLessThan(30);
    expect(await failed(1, paths.toReversed())).toEqual(first);
    expect(await failed(2, paths)).not.toEqual(first);
  });

  it('is late, and stops when it is aborted', async () => {
    const [model] = staged({ critic: 'a' }, { latencyMs: [20, 30] });
    const start = performance.now();
    await model.generate(request);
    expect(performance.now() - start).toBeGreaterThan(15);
    const [slow] = staged({ critic: 'a' }, { latencyMs: 60_000 });
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    const call = slow.generate({ ...request, signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });
});
