import { join } from 'node:path';
import { openStorage } from '@vizprompt/providers/node';
import { ConversationLog, eraseSpeaker, type TalkTurn } from '@vizprompt/talktable';
import { describe, expect, it } from 'vitest';
import { ERASED } from '@vizprompt/providers/internal';
import { findWords } from '../../../providers/test/support/find-words.ts';
import { openManager, saying, temporaryFolder } from '../support/support.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密', 'quokka-4711', 'personaword'];
const SAID = `The ${WORDS[0]} is "${WORDS[2]}".\n${WORDS[1]}は北にある。\u0000\uD800`;

async function talkIn(logPath: string): Promise<string> {
  const manager = await openManager(
    {
      topic: '庭について',
      logPath,
      rounds: 2,
      participants: [
        { name: 'Alice', model: saying(() => SAID), persona: `has a ${WORDS[3]} of her own` },
        { name: 'Bob', model: saying(() => `You said: ${SAID}\nI agree.`), persona: 'likes Alice' },
      ],
      moderator: { model: saying(() => `In short: ${WORDS[0]}, ${WORDS[1]}`) },
    },
    {},
  );
  const run = manager.start({ conversationId: 'talk-1' });
  for await (const _ of run);
  await manager.close();
  return 'talk-1';
}

async function turnsOf(path: string, id: string): Promise<readonly TalkTurn[]> {
  await using log = await ConversationLog.open(path);
  const turns: TalkTurn[] = [];
  for await (const turn of log.turns(id)) turns.push(turn);
  return turns;
}

describe('eraseSpeaker of a log', () => {
  it('leaves no byte of what was said, and every turn in its place', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'log.db');
    const id = await talkIn(path);
    const before = await turnsOf(path, id);
    expect(findWords(folder, WORDS)).not.toEqual([]);
    const planned = await eraseSpeaker(path, { speaker: 'alice', dryRun: true });
    expect(await turnsOf(path, id)).toEqual(before);
    const report = await eraseSpeaker(path, { speaker: 'alice' });
    expect(report.erased).toEqual(planned.erased);
    expect(findWords(folder, WORDS)).toEqual([]);
    const after = await turnsOf(path, id);
    expect(after.map(({ id: row, number, kind, status }) => [row, number, kind, status])).toEqual(
      before.map(({ id: row, number, kind, status }) => [row, number, kind, status]),
    );
    const own = after.filter(({ speaker }) => speaker === ERASED);
    expect(own).toHaveLength(2);
    expect(own.every(({ text, prompt }) => text === ERASED && prompt === '')).toBe(true);
    const others = after.filter(({ speaker }) => speaker === 'Bob');
    expect(others.every(({ text }) => text.includes('I agree.'))).toBe(true);
    expect(report.erased).toContainEqual({ place: 'turns', count: 2 });
    expect(report.remains.map(({ place }) => place)).toContain('mentions');
    expect((await eraseSpeaker(path, { speaker: 'Alice' })).erased).toEqual([]);
    await using log = await ConversationLog.open(path);
    expect((await log.conversation(id)).participants.map(({ name }) => name)).toEqual([
      ERASED,
      'Bob',
    ]);
    for (const format of ['markdown', 'json', 'html'] as const) {
      expect(await log.exportConversation(id, format)).toContain('I agree.');
    }
    await eraseSpeaker(path, { speaker: 'Alice', mentions: true });
    expect(findWords(folder, ['Alice'])).toEqual([]);
  });

  it('is the same in a storage', async () => {
    const folder = await temporaryFolder();
    await using storage = await openStorage(folder);
    const manager = await openManager(
      {
        topic: 't',
        rounds: 1,
        participants: [
          { name: 'Alice', model: saying(() => SAID) },
          { name: 'Bob', model: saying(() => 'fine') },
        ],
      },
      { storage },
    );
    for await (const _ of manager.start());
    await eraseSpeaker(storage, { speaker: 'Alice' });
    expect(findWords(folder, WORDS)).toEqual([]);
  });

  it('goes from names of fields in what a moderator answers', async () => {
    const folder = await temporaryFolder();
    const logPath = join(folder, 'log.db');
    const line = SAID.split('\n')[0] ?? '';
    const manager = await openManager(
      {
        topic: '庭について',
        logPath,
        rounds: 2,
        participants: [
          { name: 'Alice', model: saying(() => line) },
          { name: 'Bob', model: saying(() => 'noted') },
        ],
        moderator: { model: saying(() => JSON.stringify({ next: 'Bob', [line]: 'first' })) },
      },
      {},
    );
    for await (const _ of manager.start({ conversationId: 'talk-1' }));
    await manager.close();
    await eraseSpeaker(logPath, { speaker: 'Alice' });
    expect(findWords(folder, WORDS)).toEqual([]);
  });

  it('leaves a talk alone that is led', async () => {
    const path = join(await temporaryFolder(), 'log.db');
    await talkIn(path);
    const { lockFolder } = await import('@vizprompt/providers/node');
    const { takeLead } = await import('../../src/log/talk-log.ts');
    const locks = lockFolder(`${path}-locks`);
    const lead = await takeLead(locks, 'talk-1', path);
    await expect(eraseSpeaker(path, { speaker: 'Alice' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await turnsOf(path, 'talk-1')).some(({ text }) => text === SAID)).toBe(true);
    await lead[Symbol.asyncDispose]();
    await locks.close();
  });

  it('is stopped by its signal, and finished by the next call', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'log.db');
    await talkIn(path);
    for (let stops = 0; stops < 12; stops++) {
      let asked = 0;
      const signal = {
        throwIfAborted: () => {
          if (asked++ === stops) throw new Error('enough');
        },
        addEventListener: () => undefined,
        aborted: false,
      } as unknown as AbortSignal;
      const run = eraseSpeaker(path, { speaker: 'Alice', signal });
      const isOver = await run.then(
        () => true,
        (error: unknown) => {
          expect(String(error)).toContain('enough');
          return false;
        },
      );
      if (isOver) break;
    }
    await eraseSpeaker(path, { speaker: 'Alice' });
    expect(findWords(folder, WORDS)).toEqual([]);
  });

  it('refuses a name without letters, options that it does not have, and a log that is not there', async () => {
    const path = join(await temporaryFolder(), 'none.db');
    await expect(eraseSpeaker(path, { speaker: ' ' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const wrong = { speaker: 'A', user: 'A' };
    await expect(eraseSpeaker(path, wrong)).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(eraseSpeaker(path, { speaker: 'A' })).rejects.toMatchObject({
      code: 'log-unreadable',
    });
  });
});
