import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VizPrompt } from '@vizprompt/core';
import { benchContext } from '../context/bench-context.ts';
import { benchCheck } from './check.ts';
import { conversation } from './conversation.ts';
import { benchImport } from './import.ts';
import {
  assertParts,
  median,
  percentile,
  round,
  type BenchOptions,
  type Figures,
} from '../figures.ts';
import { benchPeers } from './peers.ts';

const TURNS = 256;
const CHAIN = 4000;
const CONTEXT_CHAIN = 10_000;
const CONTEXT_MERGES = 200;
const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url));

/**
 * A project of many nodes, in flows of 256 turns: what it takes to open it, to make its index anew,
 * to add to it, and to load a long flow, each in a process of its own. Then what a context saves and
 * keeps, a large import, and other libraries on the same conversation.
 */
export async function benchCore({ nodes = 65_536, only, log }: BenchOptions): Promise<Figures> {
  const parts: Readonly<Record<string, () => Promise<Figures>>> = {
    project: () => benchProject(nodes, log),
    context: async () => ({ ...(await benchLongContext(log)), ...(await benchContext({ log })) }),
    import: () => benchImport(log),
    peers: () => benchPeers(Math.min(CHAIN, Math.floor(nodes / 4)), log),
  };
  assertParts(only, Object.keys(parts));
  const figures: Record<string, number | string> = { nodes };
  for (const [name, measure] of Object.entries(parts)) {
    if (!only || only.includes(name)) Object.assign(figures, await measure());
  }
  return figures;
}

async function benchProject(nodes: number, log: BenchOptions['log']): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-'));
  try {
    log(`making a project of ${nodes} nodes ...`);
    const imported = await fill(folder, nodes, log);
    log('opening it ...');
    const opened = Array.from({ length: 5 }, () => run('open', folder));
    log('loading a flow of 4,000 nodes ...');
    const loaded = Array.from({ length: 5 }, () => run('load-flow', folder));
    log('creating nodes ...');
    const created = run('create', folder);
    const inLongFlow = run('create-in-long-flow', folder);
    log('searching ...');
    const searched = run('search', folder);
    log('making the index anew ...');
    const reindexed = run('reindex', folder);

    const raw = median(list(created['raw']));
    const create = median(list(created['create']));
    return {
      ...benchCheck(folder, log),
      create_p50_ms: round(create),
      create_p95_ms: round(percentile(list(created['create']), 0.95)),
      create_in_flow_of_4000_p50_ms: round(median(list(inLongFlow['create']))),
      raw_durable_write_p50_ms: round(raw),
      raw_durable_write_p95_ms: round(percentile(list(created['raw']), 0.95)),
      create_ratio_to_raw_write: round(create / raw),
      open_ms: round(median(opened.map(({ ms }) => Number(ms)))),
      open_max_ms: round(Math.max(...opened.map(({ ms }) => Number(ms)))),
      rss_mb: round(median(opened.map(({ rss }) => Number(rss)))),
      rss_idle_mb: round(median(opened.map(({ idle }) => Number(idle)))),
      reindex_s: round(Number(reindexed['ms']) / 1000),
      reindex_peak_rss_mb: round(Number(reindexed['peak'])),
      flow_load_ms: round(median(loaded.map(({ ms }) => Number(ms)))),
      flow_load_ratio_to_yaml: round(
        median(loaded.map(({ ms, yaml }) => Number(ms) / Number(yaml))),
      ),
      search_p50_ms: round(median(list(searched['search']))),
      search_p95_ms: round(percentile(list(searched['search']), 0.95)),
      import_nodes_per_s: round(imported),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a context costs in a long conversation. */
async function benchLongContext(log: BenchOptions['log']): Promise<Figures> {
  log(`building contexts of ${CONTEXT_CHAIN} ancestors ...`);
  const contexts = await measureContext(log);
  return {
    context_ms: round(median(list(contexts['context']))),
    context_max_ms: round(Math.max(...list(contexts['context']))),
    context_first_ms: round(Number(contexts['first'])),
    context_nodes_in_full: Number(contexts['inFull']),
  };
}

/** A long conversation with summaries, and merges all over it, in a project of its own. */
async function measureContext(log: (line: string) => void): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-context-'));
  try {
    {
      await using vizprompt = await VizPrompt.open(folder);
      await vizprompt.importConversations([conversation('long', CONTEXT_CHAIN)]);
      const { nodes } = await vizprompt.getFlow('long');
      const step = CONTEXT_CHAIN / CONTEXT_MERGES;
      for (let at = step - 1; at < CONTEXT_CHAIN; at += step) {
        const [from, to] = [nodes[at - 5]?.id ?? '', nodes[at]?.id ?? ''];
        await vizprompt.connectNodes(from, to, { flow: 'long' });
      }
      log('  summaries ...');
      await vizprompt.build({ model: null });
    }
    return run('context', folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Measured = Readonly<Record<string, unknown>>;

function run(task: string, folder: string): Measured {
  const output = execFileSync(process.execPath, ['--expose-gc', WORKER, task, folder], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return JSON.parse(output) as Measured;
}

function list(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.map(Number) : [];
}

/** Nodes a second. */
async function fill(folder: string, nodes: number, log: (line: string) => void): Promise<number> {
  await using vizprompt = await VizPrompt.open(folder);
  const start = performance.now();
  let done = 0;
  for (let flow = 0; done < nodes - CHAIN; flow++) {
    const turns = Math.min(TURNS, nodes - CHAIN - done);
    await vizprompt.importConversations([conversation(`flow ${flow}`, turns)]);
    done += turns;
    if (flow % 32 === 0) log(`  ${done}`);
  }
  await vizprompt.importConversations([conversation('chain', CHAIN)]);
  return nodes / ((performance.now() - start) / 1000);
}
