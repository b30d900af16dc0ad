// npm run bench -- NAME [--json] [--nodes N] ...: runs a benchmark, prints a table, or with --json
// one line of JSON as the last line.
import { parseArgs } from 'node:util';
import { benchCli } from './cli.ts';
import { benchCore } from './core.ts';
import { benchContext } from './context-facts.ts';
import type { Benchmark, Figures } from './figures.ts';
import { benchMemory } from './memory.ts';
import { benchProviders } from './providers.ts';
import { benchRagHybrid } from './rag-hybrid.ts';
import { benchRag } from './rag.ts';
import { benchRagWatch } from './rag-watch.ts';
import { benchTalktable } from './talktable.ts';
import { benchWorkflow } from './workflow.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  core: benchCore,
  context: benchContext,
  providers: benchProviders,
  rag: benchRag,
  'rag-watch': benchRagWatch,
  'rag-hybrid': benchRagHybrid,
  memory: benchMemory,
  talktable: benchTalktable,
  workflow: benchWorkflow,
  cli: benchCli,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    nodes: { type: 'string' },
    data: { type: 'string' },
    corpus: { type: 'string' },
    questions: { type: 'string' },
    chunks: { type: 'string' },
    'peer-chunks': { type: 'string' },
    only: { type: 'string' },
    locomo: { type: 'string' },
    events: { type: 'string' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
const unknown = names.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`no benchmark '${unknown[0]}': there are ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exit(1);
}
for (const name of names) {
  const figures = await BENCHMARKS[name]?.({
    ...(values.nodes === undefined ? {} : { nodes: Number(values.nodes) }),
    ...(values.data === undefined ? {} : { data: values.data }),
    ...(values.corpus === undefined ? {} : { corpus: values.corpus }),
    ...(values.questions === undefined ? {} : { questions: values.questions }),
    ...(values.chunks === undefined ? {} : { chunks: Number(values.chunks) }),
    ...(values['peer-chunks'] === undefined ? {} : { peerChunks: Number(values['peer-chunks']) }),
    ...(values.only === undefined ? {} : { only: values.only.split(',') }),
    ...(values.locomo === undefined ? {} : { locomo: values.locomo }),
    ...(values.events === undefined ? {} : { events: Number(values.events) }),
    log: (line) => console.error(line),
  });
  if (!figures) continue;
  if (values.json) console.log(JSON.stringify(figures));
  else printTable(name, figures);
}

function printTable(name: string, figures: Figures): void {
  const width = Math.max(...Object.keys(figures).map((key) => key.length));
  console.log(`\n${name}`);
  for (const [key, value] of Object.entries(figures)) {
    console.log(`  ${key.padEnd(width)}  ${value}`);
  }
}
