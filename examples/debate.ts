// Two models debate under a moderator, in the terminal:
//   npx tsx examples/debate.ts [--topic TEXT] [--rounds N] [--model ollama:qwen3:8b] [--base-url URL]
//   npx tsx examples/debate.ts --config talk.yaml
//   npx tsx examples/debate.ts --resume ID
//
// Without --model it takes a model of the Ollama on this machine and, where there is none (or with
// --stand-in), a server that stands in for one; so it runs without any key. Ctrl+C once pauses after the
// turn and asks; twice stops at once. The log is logs/conversation.db (--log FILE); --html FILE writes a
// page.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { ModelRegistry } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { ConversationManager, type TalkConfig, type TalkRun } from '@vizprompt/talktable';

const { values } = parseArgs({
  options: {
    topic: { type: 'string' },
    rounds: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    config: { type: 'string' },
    resume: { type: 'string' },
    log: { type: 'string' },
    html: { type: 'string' },
    'stand-in': { type: 'boolean', default: false },
    'delay-ms': { type: 'string', default: '15' },
  },
});

try {
  await debate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
process.exit();

async function debate(): Promise<void> {
  const { name, registry } = await chooseModel();
  const usual: TalkConfig = {
    topic: '人は猫と犬のどちらと暮らすべきか',
    participants: [
      { name: '猫派', model: name, persona: '皮肉屋。静けさを愛する。二、三文で話す。' },
      { name: '犬派', model: name, persona: '熱血漢。散歩を愛する。二、三文で話す。' },
    ],
    moderator: { name: '司会', model: name },
    rounds: 2,
  };
  const { topic, log } = values;
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  await using manager = await ConversationManager.open(values.config ?? usual, {
    overrides: {
      ...(topic === undefined ? {} : { topic }),
      ...(rounds === undefined ? {} : { rounds }),
      ...(log === undefined ? {} : { logPath: log }),
    },
    registry,
  });
  let run = values.resume === undefined ? manager.start() : manager.resume(values.resume);
  console.log(`conversation ${run.conversationId}`);
  const keys = interruptsOf(manager);
  while ((await show(run)) === 'paused' && (await keys.wantsMore())) {
    run = manager.resume(run.conversationId);
  }
  if (values.html !== undefined) {
    await writeFile(values.html, await manager.exportConversation(run.conversationId, 'html'));
  }
}

/** Prints a talk as it goes. */
async function show(run: TalkRun): Promise<string> {
  let status = '';
  for await (const event of run) {
    if (event.type === 'turn-started')
      stdout.write(`\n${event.turn.number} ${event.turn.speaker}: `);
    else if (event.type === 'delta') stdout.write(event.text);
    else if (event.type === 'turn-retried') stdout.write('\n(again) ');
    else if (event.type === 'turn-ended') stdout.write('\n');
    else if (event.type === 'ended') {
      ({ status } = event);
      console.log(`\n${status}: ${event.reason}, ${event.turns} turns, ${event.tokens} tokens`);
    }
  }
  return status;
}

/** Ctrl+C: the first pauses and asks, the second stops. */
function interruptsOf(manager: ConversationManager): { wantsMore(): Promise<boolean> } {
  let isAsked = false;
  const stopped = new AbortController();
  process.on('SIGINT', () => {
    if (isAsked) {
      stopped.abort();
      void manager.stop();
    } else {
      isAsked = true;
      stdout.write('\n(pausing after this turn; Ctrl+C again stops at once)\n');
      void manager.pause();
    }
  });
  return {
    async wantsMore() {
      if (stopped.signal.aborted) return false;
      stdout.write('continue or stop? [c/s] ');
      const terminal = createInterface({ input: stdin });
      try {
        const [line] = (await once(terminal, 'line', { signal: stopped.signal })) as [string];
        isAsked = false;
        return line.trim().toLowerCase().startsWith('c');
      } catch {
        return false; // stopped while it was asked
      } finally {
        terminal.close();
      }
    },
  };
}

/** What the Ollama on this machine has, if there is one. */
async function fetchModels(): Promise<{ models?: { name: string }[] } | undefined> {
  if (values['stand-in']) return undefined;
  try {
    const signal = AbortSignal.timeout(500);
    const response = await fetch('http://127.0.0.1:11434/api/tags', { signal });
    return (await response.json()) as { models?: { name: string }[] };
  } catch {
    return undefined;
  }
}

/** The model that was asked for, one that runs here, or a server that stands in for one. */
async function chooseModel(): Promise<{ name: string; registry: ModelRegistry }> {
  const { model, 'base-url': baseURL } = values;
  if (model !== undefined) {
    const [provider = ''] = model.split(':');
    return {
      name: model,
      registry: createModelRegistry(baseURL ? { [provider]: { baseURL } } : {}),
    };
  }
  const local = await fetchModels();
  const [first] = local?.models ?? [];
  if (first) {
    console.log(`with ${first.name} of the Ollama on this machine`);
    return { name: `ollama:${first.name}`, registry: createModelRegistry() };
  }
  console.log('no model is here: a server that knows a few sentences stands in for one');
  const says = [
    '静かな夜に膝の上で眠る猫ほど、人を休ませるものはありません。',
    'しかし犬は毎朝、あなたを外の世界へ連れ出してくれます！',
  ];
  let count = 0;
  const fake = await startFakeLLM({
    chunkDelayMs: Number(values['delay-ms']),
    answer: () => `${says[count++ % says.length]}（${count}）`,
  });
  return {
    name: 'ollama:stand-in',
    registry: createModelRegistry({ ollama: { baseURL: fake.url } }),
  };
}
