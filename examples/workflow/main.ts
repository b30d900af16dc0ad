// Agents that work together, as two JSON files say:
//   npx tsx examples/workflow/main.ts [boosting | bagging] [--input TEXT] [--prompt-set haiku]
//   npx tsx examples/workflow/main.ts bagging --model openai:gpt-5-mini [--base-url URL]
//   npx tsx examples/workflow/main.ts boosting --project ./novel --data ./runs
//
// The files ask for ollama:llama3; --model takes another in its place. Where there is no Ollama on this
// machine (or with --stand-in) a server stands in for one; so it runs without any key. --project keeps the run
// as a flow of a VizPrompt project, --data keeps its journal, and --resume ID goes on with a run that was
// interrupted (Ctrl+C stops one).
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import type { JsonValue, ModelRegistry } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { WorkflowEngine } from '@vizprompt/workflow';
import { startStandIn } from './stand-in.ts';

const ASKED_FOR = 'ollama:llama3';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    input: { type: 'string', default: '文字を覚えた猫' },
    'prompt-set': { type: 'string', default: 'default' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    project: { type: 'string' },
    data: { type: 'string' },
    resume: { type: 'string' },
    'stand-in': { type: 'boolean', default: false },
  },
});

try {
  await main(positionals[0] ?? 'boosting');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
process.exit();

async function main(workflow: string): Promise<void> {
  const { project, data, resume, input } = values;
  await using vizprompt = project === undefined ? undefined : await VizPrompt.open(project);
  await using storage = data === undefined ? undefined : await openStorage(data);
  await using engine = await WorkflowEngine.open({
    files: fileOf('config/workflow_config.json'),
    promptSets: {
      default: fileOf('prompts/default_prompts.json'),
      haiku: fileOf('prompts/haiku_prompts.json'),
    },
    models: await chooseModels(),
    ...(vizprompt ? { recorders: [vizprompt.recorder()] } : {}),
    ...(storage ? { storage } : {}),
  });
  const run =
    resume === undefined
      ? await engine.start(workflow, input, { promptSet: values['prompt-set'] })
      : await engine.resume(resume);
  process.once('SIGINT', () => run.cancel());
  console.log(`run ${run.id}`);
  for await (const event of run) {
    if (event.type === 'step:started') console.log(`… ${event.path} ${event.agent ?? ''}`);
    else if (event.type === 'step:ended') console.log(`✓ ${event.path}\n${textOf(event.output)}`);
    else if (event.type === 'step:retried') console.log(`↻ ${event.path}: ${event.error.message}`);
    else if (event.type === 'step:failed') console.log(`✗ ${event.path}: ${event.error.message}`);
  }
  const { output } = await run.result;
  console.log(`\n${textOf(output)}`);
}

function textOf(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function fileOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** The model that was asked for, one that runs here, or a server that stands in for one. */
async function chooseModels(): Promise<ModelRegistry> {
  const { model, 'base-url': baseURL } = values;
  if (model !== undefined) {
    const [provider = ''] = model.split(':');
    return createModelRegistry(baseURL ? { [provider]: { baseURL } } : {}, {
      aliases: { [ASKED_FOR]: model },
    });
  }
  const names = values['stand-in'] ? [] : await localModels();
  const name = names.find((one) => one.startsWith('llama3')) ?? names[0];
  if (name !== undefined) {
    console.log(`with ${name} of the Ollama on this machine`);
    return createModelRegistry({}, { aliases: { [ASKED_FOR]: `ollama:${name}` } });
  }
  console.log('no model is here: a server that knows a few sentences stands in for one');
  const server = await startStandIn();
  return createModelRegistry({ ollama: { baseURL: server.url } });
}

/** What the Ollama on this machine has, if there is one. */
async function localModels(): Promise<string[]> {
  try {
    const signal = AbortSignal.timeout(500);
    const response = await fetch('http://127.0.0.1:11434/api/tags', { signal });
    const { models = [] } = (await response.json()) as { models?: { name: string }[] };
    return models.map(({ name }) => name);
  } catch {
    return [];
  }
}
