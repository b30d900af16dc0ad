// Two models debate under a moderator; the talk becomes a flow of a project, and the flow a page:
//   npx tsx examples/debate/main.ts [FOLDER] [--topic TEXT] [--model ollama:qwen3:8b]
//
// Ctrl+C pauses after the turn, a second one stops at once. Run again, it continues with the talk that was
// interrupted, also after a crash; when the talk is over, it begins another one.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import type { ModelRegistry } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { ConversationManager, type TalkRun } from '@vizprompt/talktable';
import { standIn } from './stand-in.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string', default: fileURLToPath(new URL('talk.yaml', import.meta.url)) },
    topic: { type: 'string' },
    model: { type: 'string' },
    'delay-ms': { type: 'string', default: '30' },
  },
});

try {
  await debate(positionals[0] ?? './debate-data');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function debate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await using vizprompt = await VizPrompt.open(folder);
  await using manager = await ConversationManager.open(values.config, {
    registry: speakers(values.model),
    overrides: {
      logPath: join(folder, 'talk.db'),
      ...(values.topic === undefined ? {} : { topic: values.topic }),
    },
    // Each turn is a node as soon as it is said. Turns that a crash kept from the project are added when the talk
    // continues, since the log has it.
    recorders: [{ recorder: vizprompt.recorder(), required: true }],
  });
  pauseOnInterrupt(manager);
  const [newest] = await manager.conversations(1);
  const isOpen = newest !== undefined && newest.status !== 'done';
  const run = isOpen ? manager.resume(newest.id) : manager.start();
  console.log(`${isOpen ? 'continues' : 'begins'} ${run.conversationId}`);
  if ((await show(run)) === 'done') await writePage(vizprompt, manager, run.conversationId, folder);
  else console.log('Run this again to continue.');
}

/** Returns the stand-ins that the config asks for, or in place of them all the model that was given. */
function speakers(model: string | undefined): ModelRegistry {
  const real = createModelRegistry();
  return createModelRegistry({
    'stand-in': ({ model: part }) =>
      model === undefined ? standIn(part, Number(values['delay-ms'])) : real.model(model),
  });
}

/** Prints a talk as it goes, and how it ended. */
async function show(run: TalkRun): Promise<string> {
  let status = '';
  for await (const event of run) {
    if (event.type === 'turn:started')
      stdout.write(`\n${event.turn.number} ${event.turn.speaker}: `);
    else if (event.type === 'turn:delta') stdout.write(event.text);
    else if (event.type === 'turn:retried') stdout.write('\n(again) ');
    else if (event.type === 'turn:ended') stdout.write('\n');
    else if (event.type === 'talk:ended') {
      ({ status } = event);
      console.log(`\n${status}: ${event.reason}, ${event.turns} turns, ${event.tokens} tokens`);
    }
  }
  return status;
}

function pauseOnInterrupt(manager: ConversationManager): void {
  let isPausing = false;
  // One listener for both: without any, Ctrl+C would end the process.
  process.on('SIGINT', () => {
    if (isPausing) {
      void manager.stop();
      return;
    }
    isPausing = true;
    console.log('\n(pausing after this turn; Ctrl+C again stops at once)');
    void manager.pause();
  });
}

/** The flow of the talk, which is called by its id until now, as a page that needs nothing else. */
async function writePage(
  vizprompt: VizPrompt,
  manager: ConversationManager,
  id: string,
  folder: string,
): Promise<void> {
  const { topic } = await manager.conversation(id);
  const flow = await vizprompt.updateFlow(id, { name: topic });
  const file = join(folder, 'debate.html');
  await writeFile(file, await vizprompt.exportFlow(flow.id, { format: 'html' }));
  console.log(`The flow 「${topic}」 has ${flow.nodes.length} nodes: open ${file} in a browser.`);
}
