import type { Turn } from '@vizprompt/providers';
import { LLMError } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import {
  counting,
  courseOf,
  failureOf,
  openManager,
  saying,
  turnsOf,
  twoAndMC,
} from '../support/support.ts';

/** The course of `twoAndMC` with one round. */
const ONE_ROUND = [
  '0 opening MC M1',
  '1 turn A A1',
  '2 turn B B1',
  '3 summary MC M2',
  '4 closing MC M3',
];

describe('a talk that is interrupted', () => {
  it('pauses after the turn in progress, and continues as if uninterrupted', async () => {
    const manager = await openManager(twoAndMC({ rounds: 1 }));
    const stop = manager.on(
      'turn:started',
      ({ turn }) => turn.number === 1 && void manager.pause(),
    );
    const run = manager.start();
    expect(await run.result()).toMatchObject({ status: 'paused', turns: 1 });
    stop();
    expect(await manager.conversation(run.conversationId)).toMatchObject({ status: 'paused' });
    expect(await manager.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
    expect(await courseOf(manager, run.conversationId)).toEqual(ONE_ROUND);
    const turns = await turnsOf(manager, run.conversationId);
    expect(turns.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1]);
  });

  it.each(['pause', 'stop'] as const)(
    '%s breaks the call off, and resume asks again',
    async (how) => {
      const slow = scriptedModel(['長い話が途中で切れる', 'やり直した話'], {
        chunkDelayMs: 5,
        chunkSize: 2,
      });
      const manager = await openManager(
        twoAndMC({
          rounds: 1,
          participants: [
            { name: 'A', model: slow },
            { name: 'B', model: counting('B') },
          ],
        }),
      );
      const stop = manager.on('turn:delta', ({ number, text }) => {
        if (number === 1 && text.includes('長い')) {
          void (how === 'pause' ? manager.pause({ now: true }) : manager.stop());
        }
      });
      const run = manager.start();
      expect(await run.result()).toMatchObject({ status: how === 'pause' ? 'paused' : 'stopped' });
      stop();
      const broken = (await turnsOf(manager, run.conversationId)).at(-1);
      expect(broken).toMatchObject({ number: 1, status: 'aborted', attempt: 1 });
      expect('長い話が途中で切れる'.startsWith(broken?.text ?? 'x')).toBe(true);
      await manager.resume(run.conversationId).result();
      const turns = await turnsOf(manager, run.conversationId);
      expect(turns[1]).toMatchObject({ text: 'やり直した話', attempt: 2, status: 'done' });
      expect(turns).toHaveLength(5);
    },
  );

  it('pauses when its reader leaves, without asking for another turn', async () => {
    const b = counting('B');
    const manager = await openManager(
      twoAndMC({
        participants: [
          { name: 'A', model: counting('A') },
          { name: 'B', model: b },
        ],
      }),
    );
    const run = manager.start();
    for await (const event of run) {
      if (event.type === 'turn:ended' && event.turn.number === 1) break;
    }
    expect(b.calls).toHaveLength(0);
    expect(await manager.conversation(run.conversationId)).toMatchObject({ status: 'paused' });
    await manager.resume(run.conversationId).result();
    expect(await courseOf(manager, run.conversationId)).toHaveLength(8);
  });

  it('has one reader', async () => {
    const manager = await openManager(twoAndMC({ rounds: 1 }));
    const run = manager.start();
    for await (const event of run) {
      if (event.type !== 'turn:started') continue;
      const second = run[Symbol.asyncIterator]().next();
      await expect(second).rejects.toThrow('this run is iterated already');
    }
  });

  it('can be paused by its reader within the loop', async () => {
    const manager = await openManager(twoAndMC());
    const types: string[] = [];
    for await (const event of manager.start()) {
      types.push(event.type);
      if (event.type === 'turn:ended' && event.turn.number === 2) await manager.pause();
    }
    expect(types.at(-1)).toBe('talk:ended');
  });

  it('is closed by the moderator when it is stopped in peace', async () => {
    const manager = await openManager(twoAndMC({ rounds: 9 }));
    manager.on(
      'turn:started',
      ({ turn }) => turn.number === 4 && void manager.stop({ closing: true }),
    );
    const run = manager.start();
    expect(await run.result()).toMatchObject({ status: 'done', reason: 'stop() was called' });
    const course = await courseOf(manager, run.conversationId);
    expect(course.slice(4)).toEqual(['4 turn A A2', '5 closing MC M3']);
  });

  it('is started only once at a time, and may be resumed with other limits', async () => {
    const manager = await openManager(twoAndMC({ rounds: 1 }));
    const run = manager.start();
    const first = run.result();
    await expect(manager.start().result()).rejects.toMatchObject({ code: 'busy' });
    await manager.pause();
    await first;
    const more = await manager.resume(run.conversationId, { rounds: 3 }).result();
    expect(more).toMatchObject({ status: 'done', turns: 6, reason: 'rounds: 3' });
  });

  it('does not begin when its signal is aborted already', async () => {
    const a = counting('M');
    const manager = await openManager(twoAndMC({ moderator: { model: a } }));
    const result = await manager.start({ signal: AbortSignal.abort() }).result();
    expect(result.status).toBe('stopped');
    expect(a.calls).toHaveLength(0);
  });

  it('continues only with the same participants', async () => {
    const { inMemoryStorage } = await import('@vizprompt/providers/node');
    await using storage = await inMemoryStorage();
    const manager = await openManager(twoAndMC(), { storage });
    const run = manager.start();
    manager.on('turn:started', ({ turn }) => turn.number === 1 && void manager.pause());
    await run.result();
    const others = await openManager(
      twoAndMC({ participants: ['A', 'C'].map((name) => ({ name, model: counting(name) })) }),
      { storage },
    );
    await expect(others.resume(run.conversationId).result()).rejects.toThrow(
      'was led with A, B, MC, and the config has A, C, MC',
    );
  });
});

describe('a participant that says nothing', () => {
  it('is asked again, and then passed over', async () => {
    const a = saying(['', ' \n', '', 'やっと']);
    const manager = await openManager(
      twoAndMC({
        rounds: 2,
        moderator: undefined,
        participants: [
          { name: 'A', model: a },
          { name: 'B', model: counting('B') },
        ],
      }),
    );
    const run = manager.start();
    expect(await run.result()).toMatchObject({ status: 'done', turns: 4 });
    const turns = await turnsOf(manager, run.conversationId);
    expect(turns[0]).toMatchObject({ status: 'skipped', text: '', attempt: 3 });
    expect(turns[0]?.error?.message).toBe("'A' answered with nothing");
    expect(turns[2]).toMatchObject({ status: 'done', text: 'やっと' });
    expect(turns[1]?.prompt).not.toContain('A: ');
  });

  it('ends the talk if no one says anything, and the log says so', async () => {
    const silent = saying(() => '');
    const manager = await openManager(
      twoAndMC({ retries: 0, participants: ['A', 'B'].map((name) => ({ name, model: silent })) }),
    );
    const run = manager.start();
    const error = await failureOf(run.result());
    expect(String(error)).toContain('no one says anything: the last 2 answers were empty');
    expect(await manager.conversation(run.conversationId)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no one says anything'),
    });
  });
});

describe('people', () => {
  it('take part through ask, through say, or pass', async () => {
    const answers = ['', '人間の意見です'];
    const manager = await openManager(
      twoAndMC({
        rounds: 2,
        moderator: undefined,
        participants: [
          { name: '太郎', person: true },
          { name: 'B', model: counting('B') },
        ],
      }),
      {
        ask: async ({ speaker, recent }) => `${answers.shift()}${recent.length > 0 ? speaker : ''}`,
      },
    );
    const run = manager.start();
    await run.result();
    expect(await courseOf(manager, run.conversationId)).toEqual([
      '0 turn 太郎 ',
      '1 turn B B1',
      '2 turn 太郎 人間の意見です太郎',
      '3 turn B B2',
    ]);
  });

  it('are waited for, but not when the talk is paused', async () => {
    const manager = await openManager(
      twoAndMC({
        rounds: 1,
        moderator: undefined,
        participants: [
          { name: '太郎', person: true },
          { name: 'B', model: counting('B') },
        ],
      }),
    );
    const stop = manager.on('turn:awaited', () => void manager.pause());
    const run = manager.start();
    expect(await run.result()).toMatchObject({ status: 'paused' });
    stop();
    manager.on('turn:awaited', () => void manager.say('はい', { as: '太郎' }));
    expect(await manager.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
    const turns = await turnsOf(manager, run.conversationId);
    expect(turns[0]).toMatchObject({ text: 'はい', attempt: 2, status: 'done' });
    expect(turns[0]?.model).toBeUndefined();
  });

  it('lose nothing that they say at once after their answer', async () => {
    const manager = await openManager(
      twoAndMC({
        rounds: 1,
        moderator: undefined,
        participants: [
          { name: 'P', person: true },
          { name: 'B', model: counting('B') },
        ],
      }),
    );
    const said: Promise<void>[] = [];
    manager.on('turn:awaited', () => {
      said.push(...['one', 'two', 'three'].map((text) => manager.say(text, { as: 'P' })));
    });
    const run = manager.start();
    await run.result();
    await Promise.all(said);
    const turns = await turnsOf(manager, run.conversationId);
    expect(turns.filter(({ speaker }) => speaker === 'P').map(({ text }) => text)).toEqual(
      expect.arrayContaining(['one', 'two', 'three']),
    );
    expect(turns.find(({ text }) => text === 'one')?.kind).toBe('turn');
  });

  it('speak from outside, heard by all or by some', async () => {
    const [b, c] = [counting('B'), counting('C')];
    const manager = await openManager({
      topic: '猫と犬はどちらがいい',
      participants: [
        { name: 'A', model: scriptedModel(['話の途中'], { chunkDelayMs: 20 }) },
        { name: 'B', model: b },
        { name: 'C', model: c },
      ],
      maxTurns: 3,
    });
    await expect(manager.say('x')).rejects.toThrow('there is no talk to speak in');
    manager.on('turn:started', async ({ turn }) => {
      if (turn.number !== 0) return;
      await manager.say('質問です');
      await manager.say('Bにだけ', { as: '客', visibleTo: ['B'] });
    });
    const run = manager.start();
    await run.result();
    expect(await courseOf(manager, run.conversationId)).toEqual([
      '0 turn A 話の途中',
      '1 said 会場 質問です',
      '2 said 客 Bにだけ',
      '3 turn B B1',
      '4 turn C C1',
    ]);
    const heard = JSON.stringify(b.calls[0]?.messages);
    expect(heard.indexOf('話の途中')).toBeLessThan(heard.indexOf('会場: 質問です'));
    expect(heard).toContain('客: Bにだけ');
    expect(JSON.stringify(c.calls[0]?.messages)).not.toContain('Bにだけ');
    await expect(manager.say('too late')).rejects.toMatchObject({ code: 'finished' });
  });
});

it('a voice from outside that says nothing, to no one or as no one is refused', async () => {
  const manager = await openManager(twoAndMC());
  manager.on('turn:started', ({ turn }) => turn.number === 1 && void manager.pause());
  await manager.start().result();
  await expect(manager.say(' ')).rejects.toThrow('there is nothing to say');
  await expect(manager.say('x', { visibleTo: ['Z'] })).rejects.toThrow("'Z' in visibleTo");
  await expect(manager.say('x', { as: 'a\0' })).rejects.toThrow('as is empty or holds broken');
  expect(() => manager.start({ conversationId: '' })).toThrow('conversationId is empty');
});

describe('budgets', () => {
  it('end the talk before a call that may cost too much, and keep counting when it continues', async () => {
    const manager = await openManager(twoAndMC({ rounds: 9, budget: { tokens: 1600 } }));
    const run = manager.start();
    const error = await failureOf(run.result());
    expect(error).toMatchObject({ code: 'turn-failed', cause: { code: 'quota' } });
    const again = await failureOf(manager.resume(run.conversationId).result());
    expect(again).toMatchObject({ cause: { code: 'quota' } });
    const turns = await turnsOf(manager, run.conversationId);
    expect(turns.at(-1)).toMatchObject({ status: 'failed', attempt: 2 });
    expect(turns.filter(({ status }) => status === 'done').length).toBeGreaterThan(1);
  });
});

describe('recorders', () => {
  it('that fail are an event, unless they are required', async () => {
    const failing = { specVersion: 1, record: () => Promise.reject(new Error('full')) } as const;
    const manager = await openManager(twoAndMC({ rounds: 1 }), { recorders: [failing] });
    const failures: unknown[] = [];
    manager.on('recorder:failed', ({ error }) => failures.push(error));
    expect(await manager.start().result()).toMatchObject({ status: 'done' });
    expect(failures).toHaveLength(10);
    const strict = await openManager(twoAndMC(), {
      recorders: [{ recorder: failing, required: true }],
    });
    await expect(strict.start().result()).rejects.toMatchObject({ code: 'recorder-failed' });
  });

  it('are reported again for the last turn when a talk continues', async () => {
    const records: Turn[] = [];
    const manager = await openManager(twoAndMC({ rounds: 1 }), {
      recorders: [{ specVersion: 1, record: async (turn) => void records.push(turn) }],
    });
    const run = manager.start();
    const stop = manager.on(
      'turn:started',
      ({ turn }) => turn.number === 1 && void manager.pause(),
    );
    await run.result();
    stop();
    const last = records.at(-1);
    records.length = 0;
    await manager.resume(run.conversationId).result();
    expect(records[0]).toEqual(last);
  });
});

it('a foreign error of a model ends the talk with its row', async () => {
  const manager = await openManager(
    twoAndMC({
      participants: [
        { name: 'A', model: saying([new LLMError('content_filter', '話せません')]) },
        { name: 'B', model: counting('B') },
      ],
    }),
  );
  const run = manager.start();
  const seen: string[] = [];
  const error = await failureOf(
    (async () => {
      for await (const event of run) seen.push(event.type);
    })(),
  );
  expect(String(error)).toContain('turn 1 (A, scripted:script) failed: 話せません');
  expect(seen).toContain('turn:ended');
  const turns = await turnsOf(manager, run.conversationId);
  expect(turns.at(-1)?.error).toMatchObject({ code: 'content_filter' });
});
