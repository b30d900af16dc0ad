import Sqlite from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConversationManager } from '@vizprompt/talktable';
import {
  counting,
  failureOf,
  openManager,
  saying,
  temporaryFolder,
  turnsOf,
  twoAndMC,
} from '../support/support.ts';

/** Writes the tables of the original tool, as its design has them. */
function writeOriginal(path: string): void {
  const database = new Sqlite(path);
  database.exec(`
    CREATE TABLE conversation_log (
      id INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id TEXT, turn_number INTEGER,
      speaker_name TEXT, model_used TEXT, prompt TEXT, response TEXT, is_moderator BOOLEAN,
      timestamp DATETIME DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE conversation_meta (
      conversation_id TEXT PRIMARY KEY, topic TEXT, participant_a_name TEXT, participant_a_model TEXT,
      participant_b_name TEXT, participant_b_model TEXT, moderator_name TEXT, moderator_model TEXT,
      start_time DATETIME DEFAULT CURRENT_TIMESTAMP);
    INSERT INTO conversation_meta VALUES
      ('old', '猫', 'A', 'gpt-4', 'B', 'gemini-pro', 'MC', 'gpt-4', '2025-07-01 12:00:00');
  `);
  insertOriginal(database, [
    [0, 'MC', 'ようこそ', 1],
    [1, 'A', '猫です', 0],
    [1, 'A', '猫です（二度目）', 0],
    [2, 'B', '犬です', 0],
    [3, 'MC', '要約', 1],
  ]);
  database.close();
}

function insertOriginal(
  database: Sqlite.Database,
  rows: readonly (readonly [number, string, string, number])[],
): void {
  const insert = database.prepare(
    `INSERT INTO conversation_log (conversation_id, turn_number, speaker_name, model_used, prompt,
      response, is_moderator) VALUES ('old', ?, ?, 'gpt-4', 'p', ?, ?)`,
  );
  for (const row of rows) insert.run(...row);
}

describe('a database of the original tool', () => {
  it('is read, added to and continued, and the original can still write to it', async () => {
    const path = join(await temporaryFolder(), 'conversation.db');
    writeOriginal(path);
    const manager = await openManager(twoAndMC({ logPath: path }));
    const [old] = await manager.conversations();
    expect(old).toMatchObject({
      id: 'old',
      topic: '猫',
      status: 'done',
      startedAt: '2025-07-01T12:00:00Z',
      participants: [
        {
          name: 'A',
          model: 'gpt-4',
        },
        {
          name: 'B',
          model: 'gemini-pro',
        },
      ],
      moderator: {
        name: 'MC',
        model: 'gpt-4',
      },
    });
    const turns = await turnsOf(manager, 'old');
    expect(turns.map(({ kind, text, status }) => `${kind} ${text} ${status}`)).toEqual([
      'opening ようこそ done',
      'turn 猫です done',
      'turn 猫です（二度目） done',
      'turn 犬です done',
      'summary 要約 done',
    ]);
    expect(turns[0]?.startedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await manager.exportConversation('old', 'html')).toContain('猫です（二度目）');
    await manager.start().result();
    expect(await manager.conversations()).toHaveLength(2);

    const database = new Sqlite(path);
    insertOriginal(database, [[1, 'A', 'また', 0]]);
    const columns = database.pragma('table_info(conversation_log)') as { name: string }[];
    expect(columns.map(({ name }) => name)).toEqual([
      'id',
      'conversation_id',
      'turn_number',
      'speaker_name',
      'model_used',
      'prompt',
      'response',
      'is_moderator',
      'timestamp',
      'kind',
      'status',
      'attempt',
      'error',
      'input_tokens',
      'output_tokens',
      'latency_ms',
      'cost_usd',
      'visible_to',
      'exact',
      'finish_reason',
    ]);
    database.close();
    expect(await turnsOf(manager, 'old')).toHaveLength(6);
  });

  it('that is not a log is refused', async () => {
    const path = join(await temporaryFolder(), 'conversation.db');
    const { writeFileSync } = await import('node:fs');
    writeFileSync(path, 'this is no database, and long enough to be looked at'.repeat(100));
    const error = await failureOf(openManager(twoAndMC({ logPath: path })));
    expect(error).toMatchObject({ code: 'log-unwritable' });
  });
});

describe('the log', () => {
  it('gives back every text as it was said', async () => {
    const texts = ['日本語と😀', 'שלום ‏עולם', 'a\0b', 'half \ud83d of it', '<script>', ''];
    const manager = await openManager(
      twoAndMC({
        moderator: undefined,
        participants: [
          { name: 'A', model: saying((_, call) => texts[call] ?? 'end') },
          { name: '<B & "b">', model: counting('B') },
        ],
        rounds: 5,
      }),
    );
    const run = manager.start();
    await run.result();
    const turns = await turnsOf(manager, run.conversationId);
    const said = turns.filter(({ speaker }) => speaker === 'A').map(({ text }) => text);
    expect(said).toEqual(texts.slice(0, 5));
    const html = await manager.exportConversation(run.conversationId, 'html');
    expect(html.isWellFormed()).toBe(true);
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;B &amp; &quot;b&quot;&gt;');
    const json = JSON.parse(await manager.exportConversation(run.conversationId, 'json')) as {
      turns: { text: string }[];
    };
    expect(json.turns[6]?.text).toBe('half \ud83d of it');
  });

  it('cannot be written: one clear error before any model is asked', async () => {
    const folder = await temporaryFolder();
    mkdirSync(join(folder, 'conversation.db'));
    const model = counting('A');
    const config = twoAndMC({
      participants: ['A', 'B'].map((name) => ({ name, model })),
      logPath: join(folder, 'conversation.db'),
    });
    const error = await failureOf(ConversationManager.open(config));
    expect(error).toMatchObject({ code: 'log-unwritable' });
    expect(String(error)).toContain(join(folder, 'conversation.db'));
    expect(model.calls).toHaveLength(0);
  });

  it('knows its talks, and says which is not there', async () => {
    const manager = await openManager(twoAndMC());
    await expect(manager.conversation('x')).rejects.toThrow("there is no conversation 'x'");
    await expect(manager.resume('x').result()).rejects.toMatchObject({
      code: 'conversation-not-found',
    });
    const run = manager.start({ conversationId: 'mine' });
    await run.result();
    await expect(manager.start({ conversationId: 'mine' }).result()).rejects.toMatchObject({
      code: 'exists',
      message: expect.stringContaining("there is a conversation 'mine' already"),
    });
    await expect(manager.resume('mine').result()).rejects.toMatchObject({ code: 'finished' });
    await manager.close();
    await expect(manager.conversation('mine')).rejects.toMatchObject({ code: 'closed' });
  });

  it('is continued by one process only', async () => {
    const path = join(await temporaryFolder(), 'c.db');
    let gate: Promise<unknown> = Promise.resolve();
    const config = (): ReturnType<typeof twoAndMC> => ({
      ...twoAndMC({ logPath: path, rounds: 3 }),
      moderator: undefined,
      participants: ['A', 'B'].map((name) => ({
        name,
        model: saying(async (_, call) => {
          await gate;
          return `${name}${call}`;
        }),
      })),
    });
    const [one, two] = [await openManager(config()), await openManager(config())];
    const run = one.start();
    one.on('turn:ended', ({ turn }) => turn.number === 1 && void one.pause());
    await run.result();
    const runs = [one.resume(run.conversationId), two.resume(run.conversationId)];
    const results = runs.map((each) => each.result());
    // The one that leads continues when the other has been refused.
    gate = Promise.race(results).catch(() => undefined);
    const ends = await Promise.allSettled(results);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = ends.find((end) => end.status === 'rejected');
    expect(lost?.reason).toMatchObject({ code: 'conflict' });
    expect(String(lost?.reason)).toContain('is in progress: another process leads it');
    const turns = await turnsOf(one, run.conversationId);
    expect(turns.map(({ number, status }) => `${number} ${status}`)).toEqual(
      [0, 1, 2, 3, 4, 5].map((number) => `${number} done`),
    );
  });
});
