import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConversationLog, ConversationManager, type FollowedTalkEvent } from '../../src/index.ts';
import { counting, temporaryFolder, twoAndMC } from '../support/support.ts';

function lineOf(event: FollowedTalkEvent): string {
  if (event.type === 'turn:awaited') return `awaited ${event.number} ${event.speaker}`;
  if (event.type === 'talk:ended') return `ended ${event.conversation.stopReason}`;
  return `${event.turn.number} ${event.turn.speaker}: ${event.turn.text}`;
}

it('any number of listeners hear a talk as its log grows, and a front answers for a person', async () => {
  const logPath = join(await temporaryFolder(), 'log.db');
  const config = twoAndMC({
    moderator: undefined,
    rounds: 1,
    participants: [
      { name: 'A', model: counting('A') },
      { name: 'P', person: true },
      { name: 'B', model: counting('B') },
    ],
    logPath,
  });
  await using manager = await ConversationManager.open(config);
  const run = manager.start({ conversationId: 'talk' });
  let begun: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  manager.on('turn:awaited', () => begun());
  const result = run.result();
  await hasBegun;
  // A front in another process reads the log and knows nothing else.
  await using log = await ConversationLog.open(logPath);
  expect(await log.awaited('talk')).toEqual({ number: 1, speaker: 'P' });
  const heard: string[] = [];
  for await (const event of log.follow('talk')) {
    heard.push(lineOf(event));
    if (event.type !== 'turn:awaited') continue;
    // Words from outside come after the open turn, and are heard once.
    await manager.say('listen', { conversationId: 'talk' });
    await manager.say('from a page', { conversationId: 'talk', as: event.speaker });
  }
  expect(heard[0]).toBe('0 A: A1');
  expect(heard[1]).toBe('awaited 1 P');
  expect(heard.slice(2).toSorted()).toEqual([
    '1 P: from a page',
    '2 Audience: listen'.replace('Audience', '会場'),
    '3 B: B1',
    'ended rounds: 1',
  ]);
  expect(heard.at(-1)).toBe('ended rounds: 1');
  expect((await result).status).toBe('done');
  const late: string[] = [];
  for await (const event of manager.follow('talk', { from: 2 })) late.push(lineOf(event));
  expect(late).toEqual(['2 会場: listen', '3 B: B1', 'ended rounds: 1']);
  expect(await manager.awaited('talk')).toBeUndefined();
});

it('a listener stops with its signal, and needs a talk', async () => {
  const logPath = join(await temporaryFolder(), 'log.db');
  await using manager = await ConversationManager.open(twoAndMC({ logPath, rounds: 1 }));
  await manager.start({ conversationId: 'talk', maxTurns: 1 }).result();
  const signal = AbortSignal.abort();
  const heard: unknown[] = [];
  for await (const event of manager.follow('talk', { signal })) heard.push(event);
  expect(heard).toEqual([]);
  await expect(manager.follow('none').next()).rejects.toMatchObject({
    code: 'conversation-not-found',
  });
});

it('answers of two fronts at the same time are both in the log, one as the turn', async () => {
  const config = twoAndMC({
    moderator: undefined,
    rounds: 1,
    participants: [
      { name: 'P', person: true },
      { name: 'B', model: counting('B') },
    ],
    logPath: join(await temporaryFolder(), 'log.db'),
  });
  await using leader = await ConversationManager.open(config);
  await using front = await ConversationManager.open(config);
  const said: Promise<void>[] = [];
  leader.on('turn:awaited', () => {
    const afar = front.say('from afar', { conversationId: 'talk', as: 'P' });
    // The leader has not looked into the log yet.
    said.push(
      afar,
      afar.then(() => leader.say('from here', { conversationId: 'talk', as: 'P' })),
    );
  });
  const { status } = await leader.start({ conversationId: 'talk' }).result();
  await Promise.all(said);
  expect(status).toBe('done');
  const turns: string[] = [];
  for await (const { kind, speaker, text } of leader.turns('talk')) {
    turns.push(`${kind} ${speaker}: ${text}`);
  }
  expect(turns).toEqual(['turn P: from afar', 'said P: from here', 'turn B: B1']);
});
