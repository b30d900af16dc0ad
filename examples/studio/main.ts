// A page that shows a project and a memory, over their servers alone:
//   npx tsx examples/studio/main.ts [--project DIR] [--memory FILE] [--model ollama:llama3.2] [--port 7780]
//
// Without --project and --memory it makes a folder with something to look at, and throws it away at the end.
// Without --model a stand-in for a model answers, so that no key is needed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { offlineModel } from './offline-model.ts';
import { seedConversation } from './seed/conversation.ts';
import { seedSessions } from './seed/sessions.ts';
import { serveStudio } from './server.ts';

const { values } = parseArgs({
  options: {
    project: { type: 'string' },
    memory: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    port: { type: 'string', default: '7780' },
  },
});

const scratch = await mkdtemp(join(tmpdir(), 'vizprompt-studio-'));
const baseURL = values['base-url'];
const model =
  values.model === undefined
    ? offlineModel()
    : createModelRegistry().model(values.model, baseURL ? { baseURL } : {});
const vizprompt = await VizPrompt.open(values.project ?? join(scratch, 'project'), { model });
const memory = await MemoryStore.open({ path: values.memory ?? join(scratch, 'ptta.db') });
if (values.project === undefined) await seedConversation(vizprompt);
if (values.memory === undefined) await seedSessions(memory);

const studio = await serveStudio({ vizprompt, memory, port: Number(values.port) });
console.log(`open ${studio.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());

async function end(): Promise<void> {
  await studio.close();
  await vizprompt.close();
  await memory.close();
  await rm(scratch, { recursive: true, force: true });
}
