import { randomBytes } from 'node:crypto';
import { postgresStorage } from '@vizprompt/providers/postgres';
import type { Storage } from '@vizprompt/providers';
import { ConversationLog, eraseSpeaker } from '@vizprompt/talktable';
import { beforeAll, expect, inject, it } from 'vitest';
import { findWordsInSchema } from '../../../providers/test/support/find-words.ts';
import { dropNamespace } from '../../../providers/test/support/subjects.ts';
import { courseOf, openManager, saying, turnsOf, twoAndMC } from '../support/support.ts';

const connectionString = inject('databaseUrl');
const namespace = `talk_${randomBytes(6).toString('hex')}`;
let storage: Storage;
beforeAll(async () => {
  storage = await postgresStorage({ connectionString, namespace });
  return async () => {
    await storage.close();
    await dropNamespace(connectionString, namespace);
  };
});

it('a talk is logged, paused and continued on PostgreSQL', async () => {
  const manager = await openManager(
    twoAndMC({
      rounds: 1,
      participants: [
        { name: 'A', model: saying(() => 'a\0b \ud800 😀') },
        { name: 'B', model: saying(() => '犬') },
      ],
    }),
    { storage },
  );
  const stop = manager.on('turn:started', ({ turn }) => turn.number === 1 && void manager.pause());
  const run = manager.start();
  expect(await run.result()).toMatchObject({ status: 'paused' });
  stop();
  await manager.say('質問', { visibleTo: ['A'] });
  expect(await manager.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
  expect(await courseOf(manager, run.conversationId)).toEqual([
    '0 opening MC M1',
    '1 turn A a\0b \ud800 😀',
    '2 said 会場 質問',
    '3 turn B 犬',
    '4 summary MC M2',
    '5 closing MC M3',
  ]);
  const log = await ConversationLog.open(storage);
  expect(await log.exportConversation(run.conversationId, 'markdown')).toContain('> 質問');
  await log.close();
  const turns = await turnsOf(manager, run.conversationId);
  expect(turns[0]).toMatchObject({ isModerator: true, status: 'done', attempt: 1 });
  expect(turns[0]?.latencyMs).toBeTypeOf('number');
  await expect(
    manager.start({ conversationId: run.conversationId }).result(),
  ).rejects.toMatchObject({
    code: 'exists',
  });

  // A process next to it speaks while a turn is in progress, and as the person whose turn it is.
  const conversationId = 'second';
  const config = twoAndMC({
    moderator: undefined,
    rounds: 1,
    participants: [
      {
        name: 'A',
        model: saying(async () => (await other.say('横から', { conversationId }), 'はい')),
      },
      { name: '太郎', person: true },
    ],
  });
  const [leader, other] = [
    await openManager(config, { storage }),
    await openManager(config, { storage }),
  ];
  leader.on('turn:awaited', () => void other.say('私です', { conversationId, as: '太郎' }));
  expect(await leader.start({ conversationId }).result()).toMatchObject({ status: 'done' });
  expect(await courseOf(leader, conversationId)).toEqual([
    '0 turn A はい',
    '1 said 会場 横から',
    '2 turn 太郎 私です',
  ]);
});

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密'];
const SAID = WORDS.join(' は ');

it('eraseSpeaker leaves no byte of what was said in PostgreSQL', async () => {
  const find = (): Promise<readonly string[]> =>
    findWordsInSchema(connectionString, [namespace], WORDS);
  const participants = [
    { name: 'Alice', model: saying(() => SAID) },
    { name: 'Bob', model: saying(() => `You said ${SAID}.`) },
  ];
  const manager = await openManager({ topic: 't', rounds: 2, participants }, { storage });
  for await (const _ of manager.start());
  await manager.close();
  expect(await find()).not.toEqual([]);
  await eraseSpeaker(storage, { speaker: 'Alice' });
  expect(await find()).toEqual([]);
});
