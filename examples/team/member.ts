// One of a team that shares a project, a memory and a queue of work in PostgreSQL. Start it twice:
//   DATABASE_URL=postgres://... npx tsx examples/team/member.ts alice
//   DATABASE_URL=postgres://... npx tsx examples/team/member.ts bob
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { messageOf, type JsonValue } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { segmenterAnalyzer, SqlBackend } from '@vizprompt/rag';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { WorkflowEngine } from '@vizprompt/workflow';
import { dbos, runWorker } from '@vizprompt/workflow/dbos';
import { followNodes, POLL_MS } from './follow.ts';
import { standIn } from './stand-in.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    lease: { type: 'string', default: '6' },
    'delay-ms': { type: 'string', default: '150' },
  },
});
const me = positionals[0] ?? `member-${process.pid}`;
const url = process.env['DATABASE_URL'];
if (url === undefined) {
  console.error('DATABASE_URL is not set: see examples/team/README.md');
  process.exit(2);
}

const models = createModelRegistry(
  { 'stand-in': () => standIn(Number(values['delay-ms'])) },
  { aliases: { team: values.model ?? 'stand-in:team' } },
);
// The project is files in a table, the memory rows, and both are in one namespace.
await using storage = await postgresStorage({ connectionString: url, namespace: 'team' });
await using vizprompt = await VizPrompt.open({ storage, model: models.model('team') });
await using memory = await MemoryStore.open({ storage });
// Notes are documents of this program: they have names and no files.
await using notes = await SqlBackend.open({
  database: storage.cache,
  analyzer: segmenterAnalyzer(),
});
const session = await memory.startSession({ id: 'team', workspace: '/team', ifExists: 'keep' });

// Every member works on the tasks of all, one at a time, and keeps it in the common project.
const queue = { url, namespace: 'team_work' };
await using worker = await runWorker({
  ...queue,
  models,
  leaseMs: Number(values.lease) * 1000,
  concurrency: { runs: 1 },
  recorders: [vizprompt.recorder()],
});
worker.on('run:started', ({ runId, isResumed }) =>
  say(`${isResumed ? 'takes over' : 'works on'} ${runId}`),
);
worker.on('step:ended', ({ runId, path, isReplayed }) =>
  say(isReplayed ? `${path} of ${runId} was done already` : `${path} of ${runId} is done`),
);
worker.on('run:ended', ({ runId, status }) => say(`${runId} is ${status}`));

await using engine = await WorkflowEngine.open({
  files: new URL('flows.yaml', import.meta.url),
  runtime: dbos(queue),
});

const leaving = new AbortController();
const watching = [watchNodes(), watchEvents()].map((watch) =>
  watch.catch((error: unknown) => say(`no longer sees the others: ${messageOf(error)}`)),
);
say(
  `is ready (pid ${process.pid}). A line is a question, /do TASK work, /note TEXT a note, /find WORDS a search.`,
);
const asked = new Set<Promise<void>>();
for await (const line of createInterface({ input: process.stdin })) {
  const work = obey(line.trim()).catch((error: unknown) => say(`failed: ${messageOf(error)}`));
  asked.add(work);
  void work.then(() => asked.delete(work));
}
await Promise.all(asked);
leaving.abort();
await Promise.all(watching);

async function obey(line: string): Promise<void> {
  const [, command = '', rest = ''] = /^\/(\w+)\s*(.*)$/s.exec(line) ?? [];
  if (command === 'do') await handOver(rest);
  else if (command === 'find') await find(rest);
  else if (command === 'note') await note(rest.split('; '));
  else if (line !== '') await ask(line);
}

/** A question to the model, in the conversation that all share. */
async function ask(prompt: string): Promise<void> {
  const meta = { speaker: me };
  const { id } = await memory.log(session.id, 'user_message', { content: prompt }, { meta });
  const node = await vizprompt.chat({ prompt }).node();
  const facts = { parent: id, meta: { ...meta, node: node.id } };
  await memory.log(session.id, 'assistant_message', { content: node.response }, facts);
}

/** A free member does it; this process only waits for the result. */
async function handOver(task: string): Promise<void> {
  const run = await engine.start('task', { task, from: me });
  say(`asks for ${run.id}`);
  const { output } = await run.result;
  say(`gets from ${run.id}: ${textOf(output)}`);
}

async function find(words: string): Promise<void> {
  for (const { event, snippet } of await memory.search(words, { session: session.id, limit: 3 })) {
    say(`finds what ${textOf(event.meta?.['speaker'])} said: ${snippet.text}`);
  }
  const { hits, total } = await notes.search(words, { limit: 3 });
  for (const { novelId, content } of hits) say(`finds a note of ${novelId}: ${content}`);
  say(`finds ${total} notes`);
}

/** Each is found by all as soon as it is written. */
async function note(texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await notes.updateFile({ novelId: me, filePath: text, text });
    say(`has noted ${text}`);
  }
}

async function watchNodes(): Promise<void> {
  for await (const { prompt, response } of followNodes(vizprompt, leaving.signal)) {
    say(`sees the node 「${prompt}」 ${response}`);
  }
}

async function watchEvents(): Promise<void> {
  const options = { pollMs: POLL_MS, signal: leaving.signal };
  for await (const { sequence, type, meta } of memory.follow(session.id, options)) {
    say(`sees the event ${sequence} ${type} of ${textOf(meta?.['speaker'])}`);
  }
}

function textOf(value: JsonValue = ''): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function say(text: string): void {
  console.log(`[${me}] ${text}`);
}
