import type { Turn } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM, type FakeLLM } from '@vizprompt/providers/testing';
import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TalkConfig } from '@vizprompt/talktable';
import { failureOf, openManager, temporaryFolder, turnsOf } from '../support/support.ts';

let llm: FakeLLM;
beforeAll(async () => {
  llm = await startFakeLLM();
});
afterAll(() => llm.close());

const registry = () =>
  createModelRegistry({
    openai: { baseURL: `${llm.url}/v1`, apiKey: 'k' },
    gemini: { baseURL: llm.url, apiKey: 'k' },
    ollama: { baseURL: llm.url },
  });

const config: TalkConfig = {
  topic: '猫と犬と魚',
  participants: [
    { name: '猫派', model: 'openai:gpt', persona: '皮肉屋' },
    { name: '犬派', model: 'gemini:pro' },
    { name: '魚派', model: 'ollama:qwen3:8b' },
  ],
  moderator: { name: '司会', model: 'ollama:mc' },
  rounds: 2,
  retries: 2,
};

describe('a talk of three speakers and a moderator over the three protocols', () => {
  it('comes to its end although a server fails at times; log, records and exports are whole', async () => {
    // A retry waits for a random part of a second, and as long as the server says.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => random.mockRestore());
    const folder = await temporaryFolder();
    const path = join(folder, 'logs/conversation.db');
    const records: Turn[] = [];
    const manager = await openManager(
      { ...config, logPath: path },
      {
        registry: registry(),
        recorders: [{ specVersion: 1, record: async (turn) => void records.push(turn) }],
      },
    );
    const waits: number[] = [];
    manager.on('turn:retried', ({ waitMs }) => waits.push(waitMs));
    llm.answer(
      'ようこそ。',
      '猫派: 猫は静か。',
      '犬派：犬は誠実…',
      '犬派：犬は忠実。',
      '魚は涼しい。🐟',
      '要約1',
    );
    llm.answer('猫は清潔。', '犬は散歩。', '魚は省スペース。', '要約2', 'ありがとうございました。');
    llm.fail(
      [],
      { type: 'rate-limit', form: 'ms', waitMs: 120 },
      [],
      { type: 'reset', afterChunks: 2 },
      [],
      [],
      { type: 'status', status: 503 },
    );
    const run = manager.start();
    const deltas = new Map<number, string>();
    const heard: [string, string | undefined][] = [];
    let result;
    for await (const event of run) {
      if (event.type === 'turn:retried') deltas.set(event.number, '');
      if (event.type === 'turn:delta') {
        deltas.set(event.number, (deltas.get(event.number) ?? '') + event.text);
      }
      if (event.type === 'turn:ended') heard.push([event.turn.text, deltas.get(event.turn.number)]);
      if (event.type === 'talk:ended') result = event;
    }
    expect(result).toMatchObject({ status: 'done', reason: 'rounds: 2', turns: 6 });
    expect(heard).toHaveLength(10);
    for (const [text, pieces] of heard) expect(pieces).toBe(text);
    expect(waits).toHaveLength(3);
    expect(waits[0]).toBeGreaterThanOrEqual(120);

    const rows = new Sqlite(path, { readonly: true });
    const log = rows
      .prepare(
        `SELECT turn_number, speaker_name, model_used, is_moderator, status, attempt,
          input_tokens > 0 AS has_input, output_tokens > 0 AS has_output, latency_ms >= 0 AS has_time,
          error FROM conversation_log WHERE conversation_id = ? ORDER BY id`,
      )
      .raw()
      .all(run.conversationId);
    const row = (
      number: number,
      name: string,
      model: string,
      mc: number,
      attempt = 1,
    ): unknown[] => [number, name, model, mc, 'done', attempt, 1, 1, 1, null];
    expect(log).toEqual([
      row(0, '司会', 'ollama:mc', 1),
      row(1, '猫派', 'openai-compatible:gpt', 0, 2),
      row(2, '犬派', 'gemini:pro', 0, 2),
      row(3, '魚派', 'ollama:qwen3:8b', 0),
      row(4, '司会', 'ollama:mc', 1, 2),
      row(5, '猫派', 'openai-compatible:gpt', 0),
      row(6, '犬派', 'gemini:pro', 0),
      row(7, '魚派', 'ollama:qwen3:8b', 0),
      row(8, '司会', 'ollama:mc', 1),
      row(9, '司会', 'ollama:mc', 1),
    ]);
    const [meta] = rows.prepare('SELECT * FROM conversation_meta').all() as Record<
      string,
      unknown
    >[];
    expect(meta).toMatchObject({
      topic: '猫と犬と魚',
      participant_a_name: '猫派',
      participant_a_model: 'openai-compatible:gpt',
      participant_b_name: '犬派',
      participant_b_model: 'gemini:pro',
      moderator_name: '司会',
      moderator_model: 'ollama:mc',
      status: 'done',
      stop_reason: 'rounds: 2',
    });
    rows.close();

    const turns = await turnsOf(manager, run.conversationId);
    expect(turns[1]?.text).toBe('猫は静か。');
    expect(turns[2]?.text).toBe('犬は忠実。');
    expect(turns.at(-1)?.text).toBe('ありがとうございました。');
    expect(turns[1]?.prompt).toContain('[system]\nあなたは「猫派」です。');
    expect(turns[1]?.prompt).toContain('司会: ようこそ。');
    const done = records.filter(({ status }) => status === 'done');
    expect(records.filter(({ status }) => status === 'pending')).toHaveLength(10);
    expect(done.map(({ id, follows, kind }) => `${id}<${follows.join()} ${kind}`)).toEqual([
      '0< turn',
      '1<0 turn',
      '2<1 turn',
      '3<2 turn',
      '4<3 summary',
      '5<4 turn',
      '6<5 turn',
      '7<6 turn',
      '8<7 summary',
      '9<8 turn',
    ]);
    expect(done[1]?.input).toEqual([
      { type: 'text', text: expect.stringContaining('司会: ようこそ。') },
    ]);
    expect(await manager.exportConversation(run.conversationId, 'markdown')).toContain(
      '## 1. 猫派\n\n> 猫は静か。\n\n## 2. 犬派',
    );
    const json = JSON.parse(await manager.exportConversation(run.conversationId, 'json')) as object;
    expect(json).toMatchObject({ format: 'vizprompt-talk', turns: { length: 10 } });
    const analysis = await manager.analyze(run.conversationId);
    expect(analysis.turns).toBe(10);
    expect(
      analysis.speakers.map(({ name, turns: count, repeatedCalls }) => [
        name,
        count,
        repeatedCalls,
      ]),
    ).toEqual([
      ['司会', 4, 1],
      ['猫派', 2, 1],
      ['犬派', 2, 1],
      ['魚派', 2, 0],
    ]);
  });

  it.each([
    [{ type: 'status', status: 401 } as const, 'auth'],
    [{ type: 'status', status: 404 } as const, 'not_found'],
    [{ type: 'quota' } as const, 'quota'],
  ])('ends with %j in the log, and continues from there', async (fault, code) => {
    const manager = await openManager(
      { ...config, participants: config.participants.slice(0, 2), rounds: 1 },
      { registry: registry() },
    );
    llm.fail([], [], fault);
    const run = manager.start();
    const error = await failureOf(run.result());
    expect(String(error)).toContain('turn 2 (犬派, gemini:pro) failed: ');
    const failed = (await turnsOf(manager, run.conversationId)).at(-1);
    expect(failed).toMatchObject({ number: 2, status: 'failed', error: { code } });
    expect(await manager.conversation(run.conversationId)).toMatchObject({ status: 'failed' });
    expect(await manager.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
    const turns = await turnsOf(manager, run.conversationId);
    expect(turns.map(({ number, attempt, status }) => [number, attempt, status])).toEqual([
      [0, 1, 'done'],
      [1, 1, 'done'],
      [2, 2, 'done'],
      [3, 1, 'done'],
      [4, 1, 'done'],
    ]);
    expect(turns[2]?.error).toBeUndefined();
  });

  it('a prompt that the server finds too long is made shorter', async () => {
    await using small = await startFakeLLM({
      contextLength: 300,
      answer: '長い返事です。'.repeat(6),
    });
    const manager = await openManager(
      {
        topic: '長話',
        participants: ['A', 'B'].map((name) => ({ name, model: 'openai:small' })),
        maxTurns: 8,
      },
      { registry: createModelRegistry({ openai: { baseURL: `${small.url}/v1`, apiKey: 'k' } }) },
    );
    const codes: unknown[] = [];
    manager.on('turn:retried', ({ error }) => codes.push((error as { code?: string }).code));
    const run = manager.start();
    expect(await run.result()).toMatchObject({ status: 'done', turns: 8 });
    expect(new Set(codes)).toEqual(new Set(['context_length']));
  });
});

it('a server of the config is asked with the key of the environment', async () => {
  vi.stubEnv('HOUSE_KEY', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  await using house = await startFakeLLM({ apiKey: 'secret' });
  const manager = await openManager({
    topic: 't',
    participants: ['A', 'B'].map((name) => ({ name, model: 'house:m' })),
    maxTurns: 2,
    providers: { house: { baseURL: `${house.url}/v1`, apiKeyEnv: 'HOUSE_KEY' } },
  });
  const run = manager.start();
  expect(await run.result()).toMatchObject({ status: 'done', turns: 2 });
  expect((await turnsOf(manager, run.conversationId))[0]?.model).toBe('house:m');
});

it('an abort stops the call, and its row keeps what had come', async () => {
  await using slow = await startFakeLLM({
    chunkDelayMs: 30,
    answer: 'ゆっくり話します。'.repeat(20),
  });
  const manager = await openManager(
    { ...config, moderator: undefined },
    {
      registry: createModelRegistry({
        openai: { baseURL: `${slow.url}/v1`, apiKey: 'k' },
        gemini: { baseURL: slow.url, apiKey: 'k' },
        ollama: { baseURL: slow.url },
      }),
    },
  );
  const controller = new AbortController();
  manager.on('turn:delta', () => controller.abort());
  const run = manager.start({ signal: controller.signal });
  expect(await run.result()).toMatchObject({ status: 'stopped', turns: 0 });
  const [turn] = await turnsOf(manager, run.conversationId);
  expect(turn).toMatchObject({ status: 'aborted', error: { code: 'aborted' } });
  expect(turn?.text).toMatch(/^ゆっくり/);
  await expect.poll(() => slow.requests[0]?.isClosedEarly).toBe(true);
});
