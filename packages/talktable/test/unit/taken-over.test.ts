import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { counting, failureOf, openManager, turnsOf, twoAndMC } from '../support/support.ts';

/** The end of the first manager's call after the second one has finished its talk. */
type Late = 'fails' | 'answers' | 'is stopped';

it.each<Late>(['fails', 'answers', 'is stopped'])(
  'a manager whose talk another one finished leaves its end alone: it %s',
  async (late) => {
    await using storage = await inMemoryStorage();
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const slow = scriptedModel(
      async (request) => {
        const stopped = new Promise<void>((resolve) =>
          request.signal?.addEventListener('abort', () => resolve()),
        );
        await Promise.race([gate, stopped]);
        if (late === 'fails') throw new Error('too late');
        return 'late';
      },
      { modelId: 'A' },
    );
    const config = twoAndMC({ rounds: 1, retries: 0 });
    const [, b] = config.participants;
    const first = await openManager(
      { ...config, participants: [{ name: 'A', model: slow }, ...(b ? [b] : [])] },
      { storage },
    );
    const started = new Promise<void>((resolve) => {
      first.on('turn:started', ({ turn }) => turn.number === 1 && resolve());
    });
    const run = first.start();
    const failure = failureOf(run.result());
    await started;
    const second = await openManager(twoAndMC({ rounds: 1 }), { storage });
    expect(await second.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
    const before = await second.conversation(run.conversationId);
    const turns = await turnsOf(second, run.conversationId);
    if (late === 'is stopped') await first.stop();
    else go();
    expect(await failure).toMatchObject({ name: 'TalkError', code: 'conflict' });
    expect(await second.conversation(run.conversationId)).toEqual(before);
    expect(await turnsOf(second, run.conversationId)).toEqual(turns);
    go();
  },
);

it('a manager that is paused between turns does not pause the talk of another one', async () => {
  await using storage = await inMemoryStorage();
  const first = await openManager(twoAndMC({ rounds: 1, intervalMs: 60_000 }), { storage });
  const opened = new Promise<void>((resolve) => {
    first.on('turn:ended', ({ turn }) => turn.number === 0 && resolve());
  });
  const run = first.start();
  const failure = failureOf(run.result());
  await opened;
  const second = await openManager(
    twoAndMC({
      rounds: 1,
      participants: [
        { name: 'A', model: counting('A') },
        { name: 'B', person: true },
      ],
    }),
    { storage },
  );
  const awaited = new Promise<void>((resolve) => second.on('turn:awaited', () => resolve()));
  const going = second.resume(run.conversationId).result();
  await awaited;
  await first.pause();
  expect(await failure).toMatchObject({ name: 'TalkError', code: 'conflict' });
  expect(await second.conversation(run.conversationId)).toMatchObject({ status: 'running' });
  await second.say('fine', { as: 'B' });
  expect(await going).toMatchObject({ status: 'done' });
});
