import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatModel, ChatResult } from '@vizprompt/providers';
import { collectChat } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { ConversationManager, type TalkTurn } from '@vizprompt/talktable';
import { median, noise, percentile, round, type BenchOptions, type Figures } from '../figures.ts';

const TURNS = 500;
const ROUNDS = 3;
const TEXT = '猫は静かに眠り、犬は元気に走る。どちらも人の友である。'.repeat(4);

/**
 * What a turn costs beside its model: a talk of 500 turns whose model answers at once, each turn with two
 * commits at full durability (its row before the call, and after it). Beside it the same two commits of
 * the same rows, without this library, in the same run.
 */
export async function benchTalktable({ log }: BenchOptions): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-talktable-'));
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    const all: number[] = [];
    for (let at = 0; at < ROUNDS; at++) {
      log(`talk ${at + 1} of ${ROUNDS} ...`);
      const talk = await leadTalk(join(folder, `talk-${at}.db`));
      ours.push(talk.ms);
      all.push(...talk.each);
      bare.push(await writeBare(join(folder, `bare-${at}.db`), talk.turns));
    }
    const [mine, theirs] = [median(ours), median(bare)];
    return {
      overhead_ms_per_turn: round(mine),
      turn_p50_ms: round(median(all)),
      turn_p95_ms: round(percentile(all, 0.95)),
      bare_commits_ms_per_turn: round(theirs),
      overhead_ratio_to_bare_commits: round(median(ours.map((ms, at) => ms / (bare[at] ?? NaN)))),
      noise: noise(ours),
      turns: TURNS,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface MeasuredTalk {
  /** Milliseconds a turn. */
  readonly ms: number;
  readonly each: readonly number[];
  readonly turns: readonly TalkTurn[];
}

async function leadTalk(logPath: string): Promise<MeasuredTalk> {
  await using manager = await ConversationManager.open({
    topic: '猫と犬',
    participants: ['A', 'B'].map((name) => ({ name, model: instant(name) })),
    maxTurns: TURNS,
    logPath,
  });
  const each: number[] = [];
  const startedAt = performance.now();
  let last = startedAt;
  manager.on('turn:ended', () => {
    each.push(performance.now() - last);
    last = performance.now();
  });
  const { conversationId } = await manager.start().result();
  const ms = (performance.now() - startedAt) / TURNS;
  const turns: TalkTurn[] = [];
  for await (const turn of manager.turns(conversationId)) turns.push(turn);
  return { ms, each, turns };
}

/** The same rows by two bare commits each. */
async function writeBare(path: string, turns: readonly TalkTurn[]): Promise<number> {
  const database = sqliteDatabase({ path });
  await database.execute(
    `CREATE TABLE log (id INTEGER PRIMARY KEY, number INTEGER, speaker TEXT, prompt TEXT,
      response TEXT, status TEXT)`,
  );
  const startedAt = performance.now();
  for (const { id, number, speaker, prompt, text } of turns) {
    await database.execute('INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)', [
      id,
      number,
      speaker,
      prompt,
      '',
      'pending',
    ]);
    await database.execute('UPDATE log SET prompt = ?, response = ?, status = ? WHERE id = ?', [
      prompt,
      text,
      'done',
      id,
    ]);
  }
  const ms = (performance.now() - startedAt) / turns.length;
  await database.close();
  return ms;
}

/** A model that answers at once, in one piece. */
function instant(name: string): ChatModel {
  let call = 0;
  const model: ChatModel = {
    specVersion: 1,
    provider: 'instant',
    modelId: name,
    capabilities: { contextWindow: 8192 },
    async *stream() {
      const text = `${name} ${call++} ${TEXT}`;
      yield { type: 'start', model: name, warnings: [] };
      yield { type: 'text-delta', index: 0, text };
      yield { type: 'part', index: 0, part: { type: 'text', text } };
      const usage = { inputTokens: 3000, outputTokens: 100 };
      yield { type: 'finish', reason: 'stop', usage };
    },
    generate: (request): Promise<ChatResult> => collectChat(model.stream(request)),
  };
  return model;
}
