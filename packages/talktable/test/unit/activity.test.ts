import type { ActivityContext, JsonObject, Turn } from '@vizprompt/providers';
import { createBudget } from '@vizprompt/providers/middleware';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { conversationActivity } from '@vizprompt/talktable';
import { counting, failureOf, twoAndMC } from '../support/support.ts';

function context(
  more: Partial<ActivityContext> = {},
): ActivityContext & { readonly told: JsonObject[] } {
  const told: JsonObject[] = [];
  return {
    key: 'run-1/talk',
    signal: new AbortController().signal,
    told,
    emit: (name, payload) =>
      void told.push({
        name,
        ...payload,
      }),
    ...more,
  };
}

it('a whole talk is a unit of work, led once under a key', async () => {
  await using storage = await inMemoryStorage();
  const records: Turn[] = [];
  const budget = createBudget({ tokens: 100_000 });
  const config = twoAndMC({ rounds: 1 });
  const activity = conversationActivity({ config, storage, name: 'debate' });
  const first = context({
    budget,
    recorder: { specVersion: 1, record: async (turn) => void records.push(turn) },
  });
  const output = await activity.run({ topic: '鳥' }, first);
  expect(output).toMatchObject({
    conversationId: 'run-1/talk',
    conclusion: 'M3',
    reason: 'rounds: 1',
    turns: 2,
    transcript: expect.stringContaining('# 鳥\n'),
  });
  expect(first.told.map((one) => [one['number'], one['text']])).toEqual([
    [0, 'M1'],
    [1, 'A1'],
    [2, 'B1'],
    [3, 'M2'],
    [4, 'M3'],
  ]);
  expect(records).toHaveLength(10);
  expect(100_000 - (budget.remaining.tokens ?? 0)).toBe(output.tokens);
  expect(await activity.run({ topic: '鳥' }, context())).toEqual(output);
  expect(z.fromJSONSchema(activity.output ?? {}).parse(output)).toEqual(output);
  expect(z.fromJSONSchema(activity.input ?? {}).safeParse({ maxTurns: 0 }).success).toBe(false);
});

it('that is aborted stops, and continues under the same key', async () => {
  await using storage = await inMemoryStorage();
  const slow = scriptedModel((_, call) => `長い話 ${call}`, { chunkDelayMs: 15, chunkSize: 1 });
  const config = twoAndMC({
    rounds: 1,
    participants: [
      { name: 'A', model: counting('A') },
      { name: 'B', model: slow },
    ],
  });
  const activity = conversationActivity({ config, storage });
  const controller = new AbortController();
  const aborted = context({
    signal: controller.signal,
    emit: (_, { number }) => number === 1 && controller.abort(new Error('enough')),
  });
  const failure = { name: 'TalkError', code: 'turn-failed', cause: new Error('enough') };
  expect(await failureOf(activity.run({}, aborted))).toMatchObject(failure);
  const output = await activity.run({}, context());
  expect(output).toMatchObject({ turns: 2, reason: 'rounds: 1' });
  expect(await failureOf(activity.run({}, aborted))).toMatchObject(failure);
});
