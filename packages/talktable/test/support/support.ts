import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { scriptedModel, type Script, type ScriptedModel } from '@vizprompt/providers/testing';
import {
  ConversationManager,
  type ConversationManagerOptions,
  type TalkConfig,
  type TalkTurn,
} from '@vizprompt/talktable';
import { onTestFinished } from 'vitest';

/** Returns a folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-talktable-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a manager whose log is in memory, unless a storage or a path is given. */
export async function openManager(
  config: TalkConfig,
  options: ConversationManagerOptions = {},
): Promise<ConversationManager> {
  const isElsewhere = options.storage !== undefined || config.logPath !== undefined;
  const storage = isElsewhere ? undefined : await inMemoryStorage();
  const manager = await ConversationManager.open(config, {
    ...(storage ? { storage } : {}),
    ...options,
  });
  onTestFinished(async () => {
    await manager.close();
    await storage?.close();
  });
  return manager;
}

/** Returns a model that says who it is and how often it was asked: `A1`, `A2`, ... */
export function counting(name: string): ScriptedModel {
  return scriptedModel((_, call) => `${name}${call + 1}`, { modelId: name });
}

export function saying(script: Script, modelId = 'script'): ScriptedModel {
  return scriptedModel(script, { modelId });
}

/** Two participants and a moderator. */
export function twoAndMC(more: Partial<TalkConfig> = {}): TalkConfig {
  return {
    topic: '猫と犬',
    participants: [
      { name: 'A', model: counting('A'), persona: '猫派' },
      { name: 'B', model: counting('B'), persona: '犬派' },
    ],
    moderator: { model: counting('M') },
    rounds: 2,
    ...more,
  };
}

/** All turns of a talk. */
export async function turnsOf(manager: ConversationManager, id: string): Promise<TalkTurn[]> {
  const turns: TalkTurn[] = [];
  for await (const turn of manager.turns(id)) turns.push(turn);
  return turns;
}

/** `0 opening MC M1`, a line for each turn. */
export async function courseOf(manager: ConversationManager, id: string): Promise<string[]> {
  const turns = await turnsOf(manager, id);
  return turns.map(({ number, kind, speaker, text }) => `${number} ${kind} ${speaker} ${text}`);
}

/** Returns the error of a promise that rejects. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}
