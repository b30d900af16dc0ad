// A team of agents answers questions about a novel with tools of MCP servers, a person approves what is remembered, and a
// page watches it:
//   npx tsx examples/research-team/main.ts --ask "ミナトは芯の代わりに何を使いましたか。" [--model openai:gpt-5-mini]
//   npx tsx examples/research-team/main.ts
//
// Without --ask it waits for the schedule of research.yaml (7 o'clock in Tokyo) and for requests, until Ctrl+C. Without
// --model a few rules replace the model, so that it runs without a key. Kill it, and the next start resumes its runs.
import { cp, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStorage } from '@vizprompt/providers/node';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { WorkflowEngine, type WorkflowFile, type WorkflowRun } from '@vizprompt/workflow';
import { createWorkflowHandler, toNodeListener } from '@vizprompt/workflow/http';
import { offlineModel } from './offline-model.ts';

const DATA = resolve('research-team-data');

const { values } = parseArgs({
  options: {
    ask: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    port: { type: 'string', default: '0' },
  },
});

// The sample novel, and the memory of the team.
await mkdir(join(DATA, 'novels'), { recursive: true });
await cp(pathOf('../novel'), join(DATA, 'novels/novel'), { recursive: true });
const servers: WorkflowFile = {
  use: {
    mcpServers: {
      novels: {
        command: process.execPath,
        args: [bin('dialogoi'), 'mcp', '--project-root', join(DATA, 'novels')],
      },
      memory: {
        command: process.execPath,
        args: [bin('ptta'), 'mcp', '--data', join(DATA, 'memory'), '--workspace', DATA],
      },
    },
  },
};

const name = values.model ?? 'offline';
const model =
  values.model === undefined
    ? offlineModel()
    : createModelRegistry().model(values.model, { baseURL: values['base-url'] });

await using storage = await openStorage(join(DATA, 'runs'));
await using engine = await WorkflowEngine.open({
  files: [pathOf('research.yaml'), servers],
  models: { [name]: model },
  defaultModel: name,
  storage, // each answer and each result of a tool is here before the next step begins
  trust: true, // the servers are ours
});

const server = createServer(toNodeListener(createWorkflowHandler(engine)));
server.listen(Number(values.port), '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

const chat = createInterface({ input: process.stdin });
const lines = chat[Symbol.asyncIterator]();

await using schedules = await engine.startSchedules({ onRun: (run) => void follow(run) });
if (values.ask === undefined) {
  const stopped = once(process, 'SIGINT');
  console.log(`due next: ${schedules.next()['morning']}; Ctrl+C ends it`);
  await stopped;
} else {
  await follow(await engine.start('research', { question: values.ask }));
}
chat.close();
server.closeAllConnections();
server.close();

/** Shows a run, and asks in the terminal what a person has to approve: the page can answer as well. */
async function follow(run: WorkflowRun): Promise<void> {
  console.log(`watch it: http://127.0.0.1:${port}/runs/${encodeURIComponent(run.id)}/page`);
  for await (const event of run) {
    if (event.type === 'step:handed-over') console.log(`${event.from} → ${event.to}`);
    else if (event.type === 'tool:started') console.log(`  ${event.tool}`);
    else if (event.type === 'step:waiting') {
      console.log(`${event.question}\n(y/n)`);
      const { value = 'n' } = await lines.next();
      const isApproved = /^y/i.test(String(value));
      await engine.answer(run.id, isApproved, { path: event.path }).catch(() => undefined);
    }
  }
  const { output } = await run.result;
  console.log(`\n${typeof output === 'string' ? output : JSON.stringify(output)}`);
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** The tools of this repository; elsewhere `npx ptta` and `npx dialogoi`. */
function bin(tool: string): string {
  return pathOf(`../../packages/cli/dist/bin/${tool}.cjs`);
}
