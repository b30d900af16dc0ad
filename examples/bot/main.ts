// A small bot built from all packages, in the terminal:
//   npx tsx examples/bot/main.ts [--data FOLDER] [--notes FOLDER] [--model ollama:qwen3:8b]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { conversationActivity } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';
import { Bot } from './bot.ts';
import { openNotes } from './knowledge.ts';
import { standIn } from './stand-in.ts';
import { terminal } from './terminal.ts';
import { WORDS } from './words.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: './bot-data' },
    notes: { type: 'string', default: fileOf('notes') },
    model: { type: 'string' },
    language: { type: 'string', default: 'ja' },
  },
});
// All roles, here and in the two YAML files, use the model `bot`.
const models = createModelRegistry(
  { 'stand-in': () => standIn },
  { aliases: { bot: values.model ?? 'stand-in:bot' } },
);

// One storage for all: files for the project, a database for the rest.
await using storage = await openStorage(values.data);
await using vizprompt = await VizPrompt.open({ storage, model: models.model('bot') });
await using memory = await MemoryStore.open({ storage });
const notes = await openNotes(values.notes);
const recorders = [vizprompt.recorder()];
await using engine = await WorkflowEngine.open({
  files: fileOf('panel.yaml'),
  models,
  storage,
  // All rooms can read a panel, so it must not search the messages of one room.
  retrievers: { known: notes },
  recorders,
});
const talk = conversationActivity({
  config: fileOf('talk.yaml'),
  storage,
  registry: models,
  knowledge: notes,
  recorders,
});
const words = WORDS[values.language === 'en' ? 'en' : 'ja'];
const bot = new Bot({
  storage,
  vizprompt,
  memory,
  notes,
  engine,
  talk,
  words,
  onError: (error) => console.error(error),
});

console.log(words.greeting);
// Pass discord(client), slack(app) or line(…) instead of the terminal.
await bot.serve(terminal);
