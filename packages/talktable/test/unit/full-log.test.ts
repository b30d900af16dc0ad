import { inMemoryStorage } from '@vizprompt/providers/node';
import { expect, it } from 'vitest';
import { failureOf, openManager, saying, turnsOf, twoAndMC } from '../support/support.ts';

it('a finished turn that the log could not take is written when there is room, and not asked for again', async () => {
  await using storage = await inMemoryStorage();
  const { database } = storage;
  const long = '長い。'.repeat(20_000);
  const a = saying(async (_, call) => {
    // The disk is full from here on: SQLite itself refuses to grow.
    const [size] = await database.query<{ page_count: number }>('PRAGMA page_count');
    if (call === 0) await database.query(`PRAGMA max_page_count = ${size?.page_count}`);
    return `${long}${call}`;
  });
  const config = twoAndMC({ rounds: 2, moderator: undefined });
  const [, b] = config.participants;
  const manager = await openManager(
    { ...config, participants: [{ name: 'A', model: a }, b ?? { name: 'B' }] },
    { storage },
  );
  const ended: number[] = [];
  manager.on('turn:ended', ({ turn }) => ended.push(turn.number));
  const run = manager.start();
  const error = await failureOf(run.result());
  expect(error).toMatchObject({ code: 'log-unwritable' });
  expect(String(error)).toContain('database or disk is full');
  expect(ended).toEqual([]);
  expect(await turnsOf(manager, run.conversationId)).toMatchObject([{ status: 'pending' }]);

  // Still no room: still the same error, and no speaker is asked.
  await expect(manager.resume(run.conversationId).result()).rejects.toMatchObject({
    code: 'log-unwritable',
  });
  expect(a.calls).toHaveLength(1);
  await database.query('PRAGMA max_page_count = 100000');
  expect(await manager.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
  expect(a.calls).toHaveLength(2);
  expect(ended).toEqual([0, 1, 2, 3]);
  const turns = await turnsOf(manager, run.conversationId);
  expect(turns.map(({ number, attempt, status }) => [number, attempt, status])).toEqual(
    [0, 1, 2, 3].map((number) => [number, 1, 'done']),
  );
  expect(turns[0]?.text).toBe(`${long}0`);
});
