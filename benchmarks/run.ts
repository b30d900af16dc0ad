// npm run bench -- [NAME ...] [--json] [--write] [--data DIR] ...: runs benchmarks, all without a name, and
// prints tables, or with --json a line of JSON for each. --write puts the figures into docs/performance.md.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BENCHMARKS, type Listed } from './list.ts';
import type { BenchOptions, Figures } from './figures.ts';
import { currentLoad, describeRun } from './page/describe-run.ts';
import { verdictOf } from './page/table.ts';
import { checkPage, writePage } from './page/write-page.ts';

const { values, positionals, tokens } = parseArgs({
  allowPositionals: true,
  tokens: true,
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    nodes: { type: 'string' },
    data: { type: 'string' },
    corpus: { type: 'string' },
    questions: { type: 'string' },
    chunks: { type: 'string' },
    'peer-chunks': { type: 'string' },
    only: { type: 'string' },
    locomo: { type: 'string' },
    events: { type: 'string' },
    postgres: { type: 'boolean' },
  },
});
const words = tokens.flatMap((token) =>
  token.kind === 'option'
    ? [token.rawName, ...(token.value === undefined ? [] : [token.value])]
    : [],
);
const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
const [first = ''] = names;
const unknown = names.find((name) => !(name in BENCHMARKS));
const listed = BENCHMARKS[first];
if (unknown !== undefined || !listed) {
  console.error(`no benchmark '${unknown}': there are ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exitCode = 1;
} else if (names.length > 1) {
  runEach(names);
} else {
  await runOne(first, listed);
}

/** Each in a process of its own: what one leaves behind, or how it ends, is nothing to the next. */
function runEach(all: readonly string[]): void {
  const failed = all.filter((name) => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), name, ...words];
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0;
  });
  if (failed.length === 0) return;
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function runOne(name: string, { tables, load }: Listed): Promise<void> {
  if (values.write) checkPage(tables);
  const loadBefore = currentLoad();
  const measure = await load();
  const figures = await measure(benchOptions());
  if (values.json) console.log(JSON.stringify({ benchmark: name, ...figures }));
  else printTable(name, figures, tables);
  if (!values.write) return;
  const server = values.postgres === true ? ['--postgres'] : [];
  const run = describeRun(['npm run bench --', name, ...server, ...sizes()].join(' '), loadBefore);
  console.error(`written: ${writePage(tables, figures, run).join(', ')}`);
}

function benchOptions(): BenchOptions {
  const number = (value: string | undefined): number | undefined =>
    value === undefined ? undefined : Number(value);
  const given = {
    ...values,
    nodes: number(values.nodes),
    chunks: number(values.chunks),
    peerChunks: number(values['peer-chunks']),
    events: number(values.events),
    only: values.only?.split(','),
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(set), log: (line) => console.error(line) };
}

/** The options that a reader needs to get the same figures. Names of folders say nothing to others. */
function sizes(): readonly string[] {
  return (['nodes', 'chunks', 'peer-chunks', 'events', 'only'] as const).flatMap((option) => {
    const value = values[option];
    return value === undefined ? [] : [`--${option} ${value}`];
  });
}

function printTable(name: string, figures: Figures, tables: Listed['tables']): void {
  const entries = Object.entries(figures);
  const width = Math.max(...entries.map(([key]) => key.length));
  console.log(`\n${name}`);
  for (const [key, value] of entries) {
    console.log(
      `  ${key.padEnd(width)}  ${String(value).padEnd(10)} ${verdictOf(tables, key, value)}`.trimEnd(),
    );
  }
}
