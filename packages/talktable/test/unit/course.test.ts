import { describe, expect, it } from 'vitest';
import type { StopRule, TalkEvent } from '@vizprompt/talktable';
import { counting, courseOf, openManager, saying, turnsOf, twoAndMC } from '../support/support.ts';

describe('the course of a talk', () => {
  it('is: the MC opens, A and B speak, the MC sums up each round, and closes', async () => {
    const manager = await openManager(twoAndMC());
    const run = manager.start();
    expect(await run.result()).toMatchObject({ status: 'done', reason: 'rounds: 2', turns: 4 });
    expect(await courseOf(manager, run.conversationId)).toEqual([
      '0 opening MC M1',
      '1 turn A A1',
      '2 turn B B1',
      '3 summary MC M2',
      '4 turn A A2',
      '5 turn B B2',
      '6 summary MC M3',
      '7 closing MC M4',
    ]);
  });

  it('ends after ten turns of participants if nothing else ends it, and goes without a moderator', async () => {
    const { rounds: _, moderator: _mc, ...config } = twoAndMC();
    const manager = await openManager(config);
    const run = manager.start();
    expect(await run.result()).toMatchObject({ reason: 'turns: 10', turns: 10 });
    const course = await courseOf(manager, run.conversationId);
    expect(course.at(-1)).toBe('9 turn B B5');
  });

  it.each([
    ['turn', ['A1', 'M2', 'B1', 'M3', 'C1', 'M4', 'A2', 'M5']],
    ['round', ['A1', 'B1', 'C1', 'M2', 'A2']],
    [2, ['A1', 'B1', 'M2', 'C1', 'A2', 'M3']],
  ] as const)('lets the MC sum up every %s', async (every, expected) => {
    const manager = await openManager({
      topic: 't',
      participants: ['A', 'B', 'C'].map((name) => ({ name, model: counting(name) })),
      moderator: { model: counting('M'), every },
      maxTurns: 4,
    });
    const run = manager.start();
    await run.result();
    const texts = (await turnsOf(manager, run.conversationId)).map(({ text }) => text);
    expect(texts.slice(1, -1)).toEqual(expected);
  });

  it.each(['', ' \u200b\n\u2060\ufeff', '\u00ad\u3164\u180e', '\u200e\ufe0f\u3000'])(
    'counts an answer that shows nothing as nothing said: %#',
    async (blank) => {
      const manager = await openManager(
        twoAndMC({
          participants: [
            { name: 'A', model: saying(() => blank) },
            { name: 'B', model: counting('B') },
          ],
          rounds: 1,
          retries: 1,
        }),
      );
      const run = manager.start();
      await run.result();
      await expect(manager.say(blank)).rejects.toThrow(
        /^(there is nothing to say|the conversation .* has come to its end)$/,
      );
      const turns = await turnsOf(manager, run.conversationId);
      expect(turns[1]).toMatchObject({ speaker: 'A', status: 'skipped', text: '', attempt: 2 });
      expect(turns[1]?.error?.message).toBe("'A' answered with nothing");
      expect(turns[2]).toMatchObject({ speaker: 'B', status: 'done' });
    },
  );

  it('takes limits from start() before those of the config', async () => {
    const manager = await openManager(twoAndMC({ moderator: undefined }));
    expect(await manager.start({ maxTurns: 3 }).result()).toMatchObject({ turns: 3 });
    expect(await manager.start({ rounds: 3 }).result()).toMatchObject({ turns: 6 });
    expect(() => manager.start({ maxTurns: 0 })).toThrow(
      'maxTurns: expected a whole number from 1',
    );
  });

  it('gives what is said piece by piece, and turns that are in the log already', async () => {
    const said = '長い話をします。'.repeat(5);
    const manager = await openManager(
      twoAndMC({
        participants: [
          { name: 'A', model: saying(() => `A: ${said}`) },
          { name: 'B', model: counting('B') },
        ],
        rounds: 1,
      }),
    );
    const pieces = new Map<number, string>();
    const types: TalkEvent['type'][] = [];
    for await (const event of manager.start()) {
      types.push(event.type);
      if (event.type === 'turn:delta') {
        pieces.set(event.number, (pieces.get(event.number) ?? '') + event.text);
      }
      if (event.type !== 'turn:ended') continue;
      const { turn } = event;
      expect(pieces.get(turn.number)).toBe(turn.text);
      const logged = await turnsOf(manager, turn.conversationId);
      expect(logged.at(-1)).toMatchObject({ number: turn.number, status: 'done', text: turn.text });
    }
    expect(pieces.get(1)).toBe(said);
    expect(types.filter((type) => type === 'turn:delta').length).toBeGreaterThan(6);
    expect(types[0]).toBe('turn:started');
    expect(types.at(-1)).toBe('talk:ended');
  });
});

describe('stop rules', () => {
  const lastOf = async (
    stop: StopRule | readonly StopRule[],
    texts: readonly string[] = [],
    act: (manager: Awaited<ReturnType<typeof openManager>>) => void = () => {},
  ): Promise<string> => {
    const model = saying((_, call) => ({
      parts: [{ type: 'text', text: texts[call] ?? `text ${call} ${'xyz'.repeat(call)}` }],
      usage: { inputTokens: 10, outputTokens: 5 },
    }));
    const manager = await openManager({
      topic: 't',
      participants: ['A', 'B'].map((name) => ({ name, model })),
      stop,
      prices: { script: { inputPerMillion: 10_000, outputPerMillion: 100_000 } },
    });
    act(manager);
    const { turns, reason } = await manager.start().result();
    return `${turns} ${reason}`;
  };

  it('are counts of rounds, turns, tokens and cost', async () => {
    expect(await lastOf({ rounds: 2 })).toBe('4 rounds: 2');
    expect(await lastOf([{ rounds: 2 }, { turns: 3 }])).toBe('3 turns: 3');
    expect(await lastOf({ tokens: 40 })).toBe('3 tokens: 40');
    expect(await lastOf({ costUsd: 1.1 })).toBe('2 costUsd: 1.1');
  });

  it('are joined by and, by or, and in each other', async () => {
    expect(await lastOf({ all: [{ rounds: 1 }, { tokens: 40 }] })).toBe(
      '3 rounds: 1 and tokens: 40',
    );
    // Words that came before the rest of the rule is met are not forgotten.
    const late = { all: [{ keyword: '結論' }, { any: [{ turns: 4 }] }] };
    expect(await lastOf(late, ['結論。', 'b', 'c', 'd'])).toBe('4 keyword: 結論 and turns: 4');
    const either = { any: [{ turns: 9 }, { all: [{ turns: 2 }, { keyword: 'ＥＮＤ' }] }] };
    expect(await lastOf(either, ['end', 'go on', 'the end'])).toBe(
      '2 turns: 2 and keyword: ＥＮＤ',
    );
  });

  it('know when nothing new is said', async () => {
    const texts = [
      'cats are soft',
      'dogs are loyal friends',
      'fish?',
      'Cats are soft!',
      'dogs are loyal friends.',
    ];
    expect(await lastOf({ similarity: { threshold: 0.9 } }, texts)).toBe('5 similarity');
  });

  it('hear a signal from outside, and the clock', async () => {
    expect(
      await lastOf([{ signal: 'enough' }, { turns: 50 }], [], (manager) => {
        manager.on('turn:ended', ({ turn }) => turn.number === 1 && manager.signal('enough'));
      }),
    ).toBe('2 signal: enough');
    const slow = await openManager({
      topic: 't',
      participants: ['A', 'B'].map((name) => ({ name, model: counting(name) })),
      intervalMs: 60,
      stop: { seconds: 0.15 },
    });
    const { turns, reason } = await slow.start().result();
    expect(reason).toBe('seconds: 0.15');
    expect(turns).toBeLessThan(5);
  });

  it('hear a keyword in the last turn of a round although the MC speaks after it', async () => {
    const manager = await openManager(
      twoAndMC({
        participants: [
          { name: 'A', model: counting('A') },
          { name: 'B', model: saying(['...', '結論に達しました']) },
        ],
        rounds: undefined,
        stop: { keyword: '結論' },
      }),
    );
    expect(await manager.start().result()).toMatchObject({ turns: 4, reason: 'keyword: 結論' });
  });
});

describe('a verdict of the moderator', () => {
  it('ends the talk, after an answer that did not fit was shown to it', async () => {
    const mc = saying([
      'welcome',
      'summary 1',
      '{"finished":"no"}',
      '{"finished":false,"reason":"まだ"}',
      'summary 2',
      '{"finished":true,"reason":"同じ結論"}',
      'bye',
    ]);
    const manager = await openManager(
      twoAndMC({ moderator: { model: mc }, rounds: undefined, stop: { verdict: true } }),
    );
    const verdicts: string[] = [];
    manager.on('verdict:given', ({ finished, reason }) => verdicts.push(`${finished} ${reason}`));
    const run = manager.start();
    expect(await run.result()).toMatchObject({ reason: 'verdict', turns: 4 });
    expect(verdicts).toEqual(['false まだ', 'true 同じ結論']);
    const turns = await turnsOf(manager, run.conversationId);
    expect(
      turns.filter(({ kind }) => kind === 'verdict').map(({ visibleTo }) => visibleTo),
    ).toEqual([[], []]);
    const b = turns.find(({ number }) => number === 6);
    expect(b?.prompt).not.toContain('finished');
  });

  it('that is nonsense does not end it, and is in the log with its mistake', async () => {
    const mc = saying((request, call) =>
      request.output?.type === 'json' ? 'もちろん！' : `M${call}`,
    );
    const manager = await openManager(
      twoAndMC({ moderator: { model: mc }, stop: { verdict: true }, rounds: 2 }),
    );
    const run = manager.start();
    expect(await run.result()).toMatchObject({ reason: 'rounds: 2' });
    const [verdict] = (await turnsOf(manager, run.conversationId)).filter(
      ({ kind }) => kind === 'verdict',
    );
    expect(verdict).toMatchObject({ status: 'skipped', text: 'もちろん！' });
    expect(verdict?.error?.code).toBe('output_parse');
  });
});
