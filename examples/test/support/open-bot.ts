import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import type { Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { type Script, scriptedModel, type ScriptedModel } from '@vizprompt/providers/testing';
import { conversationActivity } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { onTestFinished } from 'vitest';
import { Bot } from '../../bot/bot.ts';
import { openNotes } from '../../bot/knowledge.ts';
import { WORDS } from '../../bot/words.ts';

/** A bot with a model of a test, as `bot/main.ts` assembles it. */
export interface OpenBot {
  readonly bot: Bot;
  readonly vizprompt: VizPrompt;
  readonly memory: MemoryStore;
  readonly storage: Storage;
  readonly model: ScriptedModel;
  /** The errors that could not be posted. */
  readonly errors: unknown[];
  readonly folder: string;
  close(): Promise<void>;
}

/** Options of {@link openBot}. */
export interface BotOptions {
  readonly folder?: string;
  readonly language?: 'en' | 'ja';
  readonly shared?: readonly string[];
  /** The pause of the model before each piece of an answer. */
  readonly chunkDelayMs?: number;
}

/** Opens a bot until the test has finished. */
export async function openBot(script: Script, options: BotOptions = {}): Promise<OpenBot> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'vizprompt-bot-')));
  if (options.folder === undefined) {
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
  }
  const words = WORDS[options.language ?? 'en'];
  const { chunkDelayMs = 0 } = options;
  const model = scriptedModel(script, { chunkDelayMs });
  const models = createModelRegistry(
    { scripted: () => model },
    { aliases: { bot: 'scripted:bot' } },
  );
  const storage = await openStorage(folder);
  const vizprompt = await VizPrompt.open({ storage, model });
  const memory = await MemoryStore.open({ storage });
  const notes = await openNotes(fileOf('notes'));
  const recorders = [vizprompt.recorder()];
  const retrievers = { known: notes };
  const files = fileOf('panel.yaml');
  const engine = await WorkflowEngine.open({ files, models, storage, retrievers, recorders });
  const config = fileOf('talk.yaml');
  const registry = models;
  const talk = conversationActivity({ config, storage, registry, knowledge: notes, recorders });
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const parts = { storage, vizprompt, memory, notes, engine, talk, words, onError };
  const { shared = [] } = options;
  const close = async (): Promise<void> => {
    await engine.close();
    await memory.close();
    await vizprompt.close();
    await storage.close();
  };
  onTestFinished(close);
  return {
    bot: new Bot({ ...parts, shared }),
    vizprompt,
    memory,
    storage,
    model,
    errors,
    folder,
    close,
  };
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`../../bot/${name}`, import.meta.url));
}
