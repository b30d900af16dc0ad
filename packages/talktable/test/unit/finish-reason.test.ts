import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { createModelRegistry } from '@vizprompt/providers/registry';
import type { ScriptedAnswer } from '@vizprompt/providers/testing';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import {
  counting,
  failureOf,
  openManager,
  saying,
  temporaryFolder,
  turnsOf,
  twoAndMC,
} from '../support/support.ts';

const nothing = (finishReason: 'content-filter' | 'length' | 'error' | 'stop'): ScriptedAnswer => ({
  parts: [{ type: 'reasoning', text: 'hm' }],
  finishReason,
  usage: { inputTokens: 10, outputTokens: 5 },
});

describe('an answer that is empty', () => {
  it.each([
    [
      'content-filter',
      'content_filter',
      "turn 0 (A, scripted:script) failed: 'A' was held back by the content filter (content-filter)",
    ],
    [
      'length',
      'bad_response',
      "turn 0 (A, scripted:script) failed: 'A' reached the limit of 20 tokens before it said anything: raise maxOutputTokens",
    ],
  ] as const)(
    'by %s ends the talk with its cause, and is not paid for twice',
    async (reason, code, message) => {
      const a = saying([nothing(reason), 'やっと']);
      const manager = await openManager(
        twoAndMC({
          moderator: undefined,
          rounds: 1,
          participants: [
            { name: 'A', model: a, maxOutputTokens: 20 },
            { name: 'B', model: counting('B') },
          ],
        }),
      );
      const run = manager.start();
      const error = await failureOf(run.result());
      expect(error).toMatchObject({ code: 'turn-failed', message, cause: { code } });
      expect(a.calls).toHaveLength(1);
      const [row] = await turnsOf(manager, run.conversationId);
      expect(row).toMatchObject({ status: 'failed', finishReason: reason, outputTokens: 5 });
      expect(row?.error).toMatchObject({ code });
      expect(await manager.resume(run.conversationId).result()).toMatchObject({ status: 'done' });
      const [again] = await turnsOf(manager, run.conversationId);
      expect(again).toMatchObject({ status: 'done', finishReason: 'stop', attempt: 2 });
    },
  );

  it('by an error of the provider, or by nothing at all, is asked for again, and skipped at last', async () => {
    const a = saying([nothing('error'), nothing('stop'), nothing('error'), 'ok']);
    const manager = await openManager(
      twoAndMC({
        moderator: undefined,
        participants: [
          { name: 'A', model: a },
          { name: 'B', model: counting('B') },
        ],
      }),
    );
    const retried: unknown[] = [];
    manager.on('turn:retried', ({ error }) => retried.push(String(error)));
    const run = manager.start();
    expect(await run.result()).toMatchObject({ status: 'done' });
    expect(retried).toEqual([
      "LLMError: 'A' answered with nothing (error)",
      "LLMError: 'A' answered with nothing",
    ]);
    const [row] = await turnsOf(manager, run.conversationId);
    expect(row).toMatchObject({ status: 'skipped', finishReason: 'error', attempt: 3 });
    expect(row?.error?.message).toBe("'A' answered with nothing (error)");
  });
});

it('an answer that is cut off is kept, and its row and the exports say so', async () => {
  await using llm = await startFakeLLM();
  llm.answer({ parts: [{ type: 'text', text: '途中で' }], finishReason: 'length' }, 'はい');
  const logPath = join(await temporaryFolder(), 'talk.db');
  const manager = await openManager(
    {
      topic: '猫',
      participants: ['A', 'B'].map((name) => ({ name, model: 'openai:m' })),
      rounds: 1,
      logPath,
    },
    { registry: createModelRegistry({ openai: { baseURL: `${llm.url}/v1`, apiKey: 'k' } }) },
  );
  const run = manager.start();
  await run.result();
  const turns = await turnsOf(manager, run.conversationId);
  expect(turns.map(({ status, finishReason }) => `${status} ${finishReason}`)).toEqual([
    'done length',
    'done stop',
  ]);
  for (const format of ['markdown', 'html'] as const) {
    expect(await manager.exportConversation(run.conversationId, format)).toContain('cut off (');
  }
  const database = new Sqlite(logPath, { readonly: true });
  const rows = database.prepare('SELECT finish_reason FROM conversation_log').all();
  database.close();
  expect(rows).toEqual([{ finish_reason: 'length' }, { finish_reason: 'stop' }]);
});
