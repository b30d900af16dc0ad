import { expect, it } from 'vitest';
import type { ConversationManagerOptions } from '@vizprompt/talktable';
import { planOf } from '../../src/config/plan.ts';
import { failureOf, openManager, turnsOf, twoAndMC } from '../support/support.ts';

it.each<[string, ConversationManagerOptions['visibleTo'], string]>([
  [
    'throws',
    () => {
      throw new Error('oh');
    },
    'oh',
  ],
  ['names nobody at the table', () => ['B', 'C'], "named 'C', who is not at the table"],
  ['gives no list', () => 'B' as never, 'must give a list of names'],
])('visibleTo that %s fails the turn, and its row says why', async (_, visibleTo, problem) => {
  let isBroken = true;
  const manager = await openManager(twoAndMC({ rounds: 1 }), {
    visibleTo: (turn) => (isBroken ? visibleTo?.(turn) : undefined),
  });
  const run = manager.start();
  const error = await failureOf(run.result());
  expect(error).toMatchObject({ name: 'TalkError', code: 'turn-failed' });
  expect(String(error)).toContain(problem);
  const turns = await turnsOf(manager, run.conversationId);
  expect(turns.at(-1)).toMatchObject({ speaker: 'A', status: 'failed', text: 'A1' });
  expect(turns.at(-1)?.error?.message).toContain(problem);
  isBroken = false;
  expect(await manager.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
});

it.each([undefined, null, 7, {}])('ask that gives %s is an error that says so', async (given) => {
  const config = twoAndMC({ rounds: 1 });
  const [a] = config.participants;
  const manager = await openManager(
    { ...config, participants: [...(a ? [a] : []), { name: '太郎', person: true }] },
    { ask: async () => given as never },
  );
  const run = manager.start();
  const error = await failureOf(run.result());
  expect(error).toMatchObject({ name: 'TalkError', code: 'turn-failed' });
  expect(String(error)).toMatch(/ask gave \w+ for '太郎': it must give a string/);
  const turns = await turnsOf(manager, run.conversationId);
  expect(turns.at(-1)).toMatchObject({ status: 'failed', error: { code: 'invalid-input' } });
});

it('no voice speaks in the name of a model at the table, or under a name of two lines', async () => {
  const manager = await openManager(twoAndMC({ rounds: 1 }));
  const run = manager.start();
  const said: Promise<unknown>[] = [];
  manager.on('turn:ended', ({ turn }) => {
    if (turn.number > 0) return;
    for (const as of ['A', 'ａ ', 'mc', 'C\n## 9. A', 'C\u2028', 'C\u0007']) {
      said.push(failureOf(manager.say('I agree', { as })));
    }
  });
  await run.result();
  for (const error of await Promise.all(said)) {
    expect(error).toMatchObject({ name: 'TalkError', code: 'invalid-input' });
  }
  expect(said).toHaveLength(6);
  const turns = await turnsOf(manager, run.conversationId);
  expect(turns.filter(({ kind }) => kind === 'said')).toEqual([]);
});

it('refuses unknown options and values of another kind', async () => {
  const config = twoAndMC({ rounds: 1 });
  const mistyped = await failureOf(openManager(config, { visibelTo: () => [] } as never));
  expect(String(mistyped)).toContain("open has no option 'visibelTo': is 'visibleTo' meant?");
  const manager = await openManager(config);
  const starting = (): unknown => manager.start({ maxTurn: 1 } as never);
  expect(starting).toThrow("start has no option 'maxTurn': is 'maxTurns' meant?");
  const resuming = (): unknown => manager.resume('id', { signal: 'now' } as never);
  expect(resuming).toThrow("the option 'signal' of resume: expected an AbortSignal");
  const said = await failureOf(manager.say('text', { to: 'A' } as never));
  expect(said).toMatchObject({ name: 'TalkError', code: 'invalid-input' });
});

it('takes options and limits of time that are undefined as absent', async () => {
  const limits = { totalMs: undefined, firstByteMs: undefined, idleMs: undefined };
  expect(planOf({ ...twoAndMC({}), timeout: limits }, {}).timeout).toEqual(
    planOf(twoAndMC({}), {}).timeout,
  );
  const manager = await openManager(twoAndMC({ rounds: 1 }), { ask: undefined, clock: undefined });
  const options = { signal: undefined, maxTurns: undefined, rounds: undefined };
  const run = manager.start({ ...options, conversationId: undefined });
  expect(await run.result()).toMatchObject({ status: 'done', reason: 'rounds: 1' });
});
