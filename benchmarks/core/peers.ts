import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conversation } from './conversation.ts';
import { median, noise, round, type Figures } from '../figures.ts';
import { installedPeers, versionOf, type Versions } from '../installed-peers.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

const LANGGRAPH = '@langchain/langgraph';
const MEMORY = '@langchain/langgraph-checkpoint';
const SQLITE = '@langchain/langgraph-checkpoint-sqlite';
const ASSISTANT_UI = '@assistant-ui/core';

/** What each peer is, and where it keeps what it is given. */
const PEERS = {
  assistant_ui: (version) =>
    `${ASSISTANT_UI} ${version[ASSISTANT_UI]}, MessageRepository, in memory; ` +
    'save and load: its export() as a JSON file, fsynced',
  langgraph_memory: (version) =>
    `${LANGGRAPH} ${version[LANGGRAPH]}, MemorySaver (${MEMORY} ${version[MEMORY]}), in memory`,
  langgraph_sqlite: (version) =>
    `${LANGGRAPH} ${version[LANGGRAPH]}, SqliteSaver (${SQLITE} ${version[SQLITE]}), ` +
    'each commit fsynced',
  langgraph_delta: () =>
    'as langgraph_sqlite, with MessagesDeltaValue: a beta that keeps only what was added',
} as const satisfies Readonly<Record<string, (version: Versions) => string>>;

type Peer = keyof typeof PEERS;

interface Pair {
  /** Milliseconds. */
  readonly ours: number;
  /** Milliseconds. */
  readonly theirs: number;
}

type Measured = Readonly<Record<string, readonly Pair[]>>;

/**
 * What is done with the tree of a long conversation, beside assistant-ui and LangGraph: the same text,
 * in pairs one after the other. A ratio is our time by theirs, the median of the pairs.
 */
export async function benchPeers(turns: number, log: (line: string) => void): Promise<Figures> {
  const installed = installedPeers(FOLDER, log);
  if (!installed) {
    return { peers: 'left out, since they are not installed: npm ci --prefix benchmarks/core' };
  }
  const version: Versions = { ...installed, [MEMORY]: versionOf(FOLDER, MEMORY) ?? '' };
  const figures: Record<string, number | string> = {
    peer_turns: turns,
    ours_is: '@vizprompt/core: files, each change fsynced',
  };
  const runs: (readonly [Peer, Measured])[] = [];
  for (const peer of Object.keys(PEERS) as Peer[]) {
    log(`the same beside ${peer} ...`);
    figures[`${peer}_is`] = PEERS[peer](version);
    runs.push([peer, await run(peer, turns)]);
  }
  const operations = new Set(runs.flatMap(([, measured]) => Object.keys(measured)));
  for (const operation of operations) {
    const pairsOf = runs.flatMap(([peer, { [operation]: pairs }]) =>
      pairs ? [[peer, pairs] as const] : [],
    );
    const ours = pairsOf.flatMap(([, pairs]) => pairs.map((pair) => pair.ours));
    figures[`${operation}_ms_ours`] = round(median(ours));
    for (const [peer, pairs] of pairsOf) {
      const ratios = pairs.map((pair) => pair.ours / pair.theirs);
      figures[`${operation}_ms_${peer}`] = round(median(pairs.map(({ theirs }) => theirs)));
      figures[`${operation}_ratio_${peer}`] = round(median(ratios));
      figures[`${operation}_noise_${peer}`] = noise(ratios);
    }
  }
  return figures;
}

async function run(peer: Peer, turns: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-peers-'));
  try {
    const file = join(folder, 'conversation.json');
    await writeFile(file, JSON.stringify(conversation('chain', turns)));
    const worker = join(FOLDER, 'peers-worker.mjs');
    const output = execFileSync(process.execPath, ['--expose-gc', worker, peer, folder, file], {
      encoding: 'utf8',
    });
    return JSON.parse(output) as Measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
