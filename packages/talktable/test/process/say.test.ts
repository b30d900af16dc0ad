import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LLMError, textOf, type ChatRequest } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { startFakeLLM } from '@vizprompt/providers/testing';
import type { ParticipantConfig, TalkConfig } from '@vizprompt/talktable';
import { describe, expect, it } from 'vitest';
import {
  counting,
  courseOf,
  failureOf,
  openManager,
  saying,
  temporaryFolder,
  turnsOf,
  twoAndMC,
} from '../support/support.ts';

const ID = 'talk';
const child = fileURLToPath(new URL('../children/lead-talk.mjs', import.meta.url));

const heard = (request: ChatRequest | undefined): string =>
  (request?.messages ?? []).map((message) => textOf(message)).join('\n');

/** Returns a config whose log is a file, for managers that share nothing else. */
async function fileConfig(
  participants: () => readonly ParticipantConfig[],
  more: Partial<TalkConfig> = {},
): Promise<() => TalkConfig> {
  const logPath = join(await temporaryFolder(), 'conversation.db');
  return () =>
    twoAndMC({ logPath, moderator: undefined, participants: participants(), rounds: 2, ...more });
}

const taroAndB = (): readonly ParticipantConfig[] => [
  { name: '太郎', person: true },
  { name: 'B', model: counting('B') },
];

/** Leads the talk until it waits for 太郎. */
async function pauseAtTaro(config: () => TalkConfig): Promise<void> {
  const manager = await openManager(config());
  manager.on('turn:awaited', () => void manager.pause());
  const result = await manager.start({ conversationId: ID }).result();
  expect(result.status).toBe('paused');
  await manager.close();
}

describe('say in a talk that no process leads here', () => {
  it('is in the log at once, and heard at the next turn after resume', async () => {
    const b = counting('B');
    const config = await fileConfig(() => [
      { name: 'A', model: counting('A') },
      { name: 'B', model: b },
    ]);
    const first = await openManager(config());
    first.on('turn:ended', ({ turn }) => turn.number === 0 && void first.pause());
    await first.start({ conversationId: ID }).result();
    await first.close();

    const second = await openManager(config());
    const ended: string[] = [];
    second.on('turn:ended', ({ turn }) => ended.push(turn.text));
    await second.say('短く。', { conversationId: ID, as: '宗匠', visibleTo: ['B'] });
    expect(ended).toEqual(['短く。']);
    await second.close();

    const third = await openManager(config());
    expect(await courseOf(third, ID)).toEqual(['0 turn A A1', '1 said 宗匠 短く。']);
    expect(await third.resume(ID).result()).toMatchObject({ status: 'done', turns: 4 });
    expect(heard(b.calls[0])).toContain('宗匠: 短く。');
    expect((await turnsOf(third, ID)).map(({ number }) => number)).toEqual([0, 1, 2, 3, 4]);
  });

  it('is heard by a turn that is asked for again', async () => {
    const a = saying([new LLMError('content_filter', 'no'), 'ok', 'ok']);
    const config = await fileConfig(() => [
      { name: 'A', model: a },
      { name: 'B', model: counting('B') },
    ]);
    const first = await openManager(config());
    await failureOf(first.start({ conversationId: ID }).result());
    await first.close();
    const second = await openManager(config());
    await second.say('穏やかに。', { conversationId: ID });
    await second.resume(ID).result();
    expect(heard(a.calls[1])).toContain('会場: 穏やかに。');
    expect((await courseOf(second, ID)).slice(0, 3)).toEqual([
      '0 turn A ok',
      '1 said 会場 穏やかに。',
      '2 turn B B1',
    ]);
  });

  it('is refused where there is no such talk, where it is over, and in the name of a model', async () => {
    const config = await fileConfig(() => twoAndMC().participants);
    const manager = await openManager(config());
    const say = (id: string, as?: string): Promise<unknown> =>
      failureOf(manager.say('x', { conversationId: id, ...(as === undefined ? {} : { as }) }));
    expect(await say('none')).toMatchObject({ code: 'conversation-not-found' });
    manager.on('turn:ended', ({ turn }) => turn.number === 0 && void manager.pause());
    await manager.start({ conversationId: ID }).result();
    expect(await say(ID, 'A')).toMatchObject({ code: 'invalid-input' });
    await manager.resume(ID).result();
    expect(await say(ID)).toMatchObject({ code: 'finished' });
    expect((await turnsOf(manager, ID)).length).toBe(4);
  });

  it('takes texts and lists only, and a wrong one is not the fault of the log', async () => {
    const config = await fileConfig(() => twoAndMC().participants);
    const manager = await openManager(config());
    manager.on('turn:ended', ({ turn }) => turn.number === 0 && void manager.pause());
    await manager.start({ conversationId: ID }).result();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as plain JavaScript may call it
    const say = manager.say.bind(manager) as (text: unknown, options: unknown) => Promise<void>;
    for (const [text, options, message] of [
      [3, {}, 'what is said: expected a string, got number'],
      [undefined, {}, 'what is said: expected a string, got undefined'],
      [
        'x',
        { visibleTo: 'A' },
        'the option \'visibleTo\' of say: expected an array of names, got "A"',
      ],
      ['x', { as: 5 }, "the option 'as' of say: expected a string, got 5"],
      ['x', { conversationId: 5 }, 'conversationId: expected a string, got number'],
    ] as const) {
      const error = await failureOf(say(text, { conversationId: ID, ...options }));
      expect(error).toMatchObject({ code: 'invalid-input', message });
    }
    expect(() => manager.resume('')).toThrow('conversationId is empty');
    expect((await turnsOf(manager, ID)).length).toBe(1);
  });

  it('while another manager leads it is heard there, and nothing is lost or doubled', async () => {
    let speak = (): void => {};
    const config = await fileConfig(() => [
      {
        name: 'A',
        model: saying(async (request, call) => {
          speak();
          await new Promise((resolve) => setTimeout(resolve, 10));
          return `A${call}${/(声\d+)(?![^]*声)/.exec(heard(request))?.[1] ?? ''}`;
        }),
      },
      { name: 'B', model: counting('B') },
    ]);
    const leader = await openManager(config());
    const other = await openManager(config());
    const said: Promise<void>[] = [];
    speak = () => {
      said.push(other.say(`声${said.length}`, { conversationId: ID }));
      said.push(leader.say(`声${said.length}`));
    };
    const ended: number[] = [];
    leader.on('turn:ended', ({ turn }) => ended.push(turn.number));
    const result = await leader.start({ conversationId: ID, rounds: 8 }).result();
    await Promise.all(said);
    expect(result).toMatchObject({ status: 'done', turns: 16 });
    const turns = await turnsOf(leader, ID);
    expect(turns.map(({ number }) => number)).toEqual(turns.map((_, at) => at));
    const voices = turns.filter(({ kind }) => kind === 'said').map(({ text }) => text);
    expect(voices.toSorted()).toEqual(said.map((_, at) => `声${at}`).toSorted());
    expect(turns.filter(({ kind }) => kind === 'turn')).toHaveLength(16);
    expect(ended.toSorted((a, b) => a - b)).toEqual(turns.map((_, at) => at));
    // A hears the newest voice of those before its turn.
    expect(turns.filter(({ speaker }) => speaker === 'A').at(-1)?.text).toMatch(/^A7声1[23]$/);
  });

  it('comes after a turn that its leader writes at the same moment', async () => {
    await using storage = await inMemoryStorage();
    const participants = ['A', 'B'].map((name) => ({ name, model: counting(name) }));
    const config = twoAndMC({ moderator: undefined, participants, rounds: 3 });
    const leader = await openManager(config, { storage });
    leader.on('turn:ended', ({ turn }) => turn.number === 1 && void leader.pause());
    await leader.start({ conversationId: ID }).result();

    // Between reading the log and writing to it, the leader continues.
    const { database } = storage;
    let isFirst = true;
    const transaction: typeof database.transaction = async (work, options) => {
      if (isFirst) {
        isFirst = false;
        leader.on('turn:ended', ({ turn }) => turn.number === 3 && void leader.pause());
        await leader.resume(ID).result();
      }
      return database.transaction(work, options);
    };
    const overtaken = { ...storage, database: { ...database, transaction } };
    const other = await openManager(config, { storage: overtaken });
    await other.say('横から', { conversationId: ID });
    const turns = await turnsOf(leader, ID);
    expect(turns.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'turn', 'turn', 'said']);
    expect(turns.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4]);
  });

  it('during the last turn of another leader comes before the end', async () => {
    let other: Awaited<ReturnType<typeof openManager>> | undefined;
    const last = saying(async () => {
      await other?.say('最後に', { conversationId: ID });
      return 'B';
    });
    const config = await fileConfig(
      () => [
        { name: 'A', model: counting('A') },
        { name: 'B', model: last },
      ],
      { rounds: 1 },
    );
    other = await openManager(config());
    const leader = await openManager(config());
    expect(await leader.start({ conversationId: ID }).result()).toMatchObject({ status: 'done' });
    expect(await courseOf(leader, ID)).toEqual(['0 turn A A1', '1 turn B B', '2 said 会場 最後に']);
    expect(await leader.conversation(ID)).toMatchObject({ status: 'done' });
  });
});

describe('a person who answers in another process', () => {
  it('while the talk is paused has the turn', async () => {
    const config = await fileConfig(taroAndB, { rounds: 1 });
    await pauseAtTaro(config);
    const second = await openManager(config(), {
      visibleTo: ({ text }) => (text === 'はい' ? ['B'] : undefined),
    });
    await second.say('はい', { conversationId: ID, as: '太郎' });
    await second.close();
    const third = await openManager(config());
    const [row] = await turnsOf(third, ID);
    expect(row).toMatchObject({ kind: 'turn', speaker: '太郎', status: 'done', text: 'はい' });
    expect(row).toMatchObject({ prompt: expect.stringContaining('太郎'), visibleTo: ['B'] });
    expect(row?.error).toBeUndefined();
    expect(await third.resume(ID).result()).toMatchObject({ status: 'done', turns: 2 });
    expect(await courseOf(third, ID)).toEqual(['0 turn 太郎 はい', '1 turn B B1']);
  });

  it('may pass, speaks as a voice when it is not its turn, and answers once', async () => {
    const config = await fileConfig(taroAndB, { rounds: 1 });
    await pauseAtTaro(config);
    const second = await openManager(config());
    await second.say('', { conversationId: ID, as: '太郎' });
    await second.say('やはり一言', { conversationId: ID, as: '太郎' });
    await second.resume(ID).result();
    const turns = await turnsOf(second, ID);
    expect(turns.map(({ kind, status, text }) => `${kind} ${status} ${text}`)).toEqual([
      'turn skipped ',
      'said done やはり一言',
      'turn done B1',
    ]);
  });

  it('while this one waits is heard here', async () => {
    const config = await fileConfig(taroAndB, { rounds: 1 });
    const leader = await openManager(config());
    const other = await openManager(config());
    leader.on('turn:awaited', () => {
      void other.say('別の窓から', { conversationId: ID, as: '太郎' });
    });
    const run = leader.start({ conversationId: ID });
    const events: string[] = [];
    for await (const event of run) events.push(event.type);
    expect(events.filter((type) => type === 'turn:ended')).toHaveLength(2);
    expect(await courseOf(leader, ID)).toEqual(['0 turn 太郎 別の窓から', '1 turn B B1']);
  });
});

it('processes that know only the id speak and answer, and the talk continues', async () => {
  await using llm = await startFakeLLM({ answer: '話' });
  const logPath = join(await temporaryFolder(), 'conversation.db');
  const act = async (job: object): Promise<unknown> => {
    const given = { logPath, url: llm.url, conversationId: ID, person: '太郎', ...job };
    const { stdout } = await promisify(execFile)(process.execPath, [child, JSON.stringify(given)]);
    return JSON.parse(stdout);
  };
  expect(await act({ pauseFor: '太郎' })).toMatchObject({ status: 'paused' });
  expect(await act({ say: { text: '質問です' } })).toEqual({ said: true });
  expect(await act({ say: { text: '私の答え', as: '太郎' } })).toEqual({ said: true });
  expect(await act({ resume: true })).toMatchObject({ status: 'done', turns: 3 });
  expect(JSON.stringify(llm.requests.at(-1)?.body)).toContain('質問です');
  const manager = await openManager(twoAndMC({ logPath }));
  expect(await courseOf(manager, ID)).toEqual([
    '0 opening MC 話',
    '1 turn A 話',
    '2 turn B 話',
    '3 turn 太郎 私の答え',
    '4 said Audience 質問です',
    '5 summary MC 話',
    '6 closing MC 話',
  ]);
});
