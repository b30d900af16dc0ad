import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { median, noise, round, type BenchOptions, type Figures } from '../figures.ts';
import { installedPeers } from '../installed-peers.ts';
import { bareCommits } from './bare-commits.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ROUNDS = 5;
const STEPS = 200;
const RUNS = 1000;
const STEPS_OF_FILE = 1000;

const PACKAGES = {
  ours: '@vizprompt/workflow',
  langgraph: '@langchain/langgraph',
  mastra: '@mastra/core',
} as const;
type System = keyof typeof PACKAGES;

/**
 * What a step costs beside its work, in memory and with a journal that is on the disk before the next step
 * begins; what it takes to import the package and to load a file; and LangGraph.js and Mastra, which do the same
 * steps in turn with ours, each in a process of its own. A ratio is our value by theirs, of the same round.
 */
export async function benchWorkflow({ log }: BenchOptions): Promise<Figures> {
  const versions = installedPeers(FOLDER, log);
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-workflow-'));
  try {
    const peers: readonly System[] = versions ? ['langgraph', 'mastra'] : [];
    const rounds: Round[] = [];
    for (let at = 0; at < ROUNDS; at++) {
      log(`round ${at + 1} of ${ROUNDS} ...`);
      rounds.push(await runRound(join(folder, `${at}`), peers));
    }
    return {
      ...ownFigures(rounds),
      ...(await loadFigures(folder, log)),
      ...importFigures(peers, log),
      ...(versions
        ? peers.reduce((all, peer) => ({ ...all, ...peerFigures(peer, rounds, versions) }), {})
        : { peers: `left out, since they are not installed: npm ci --prefix benchmarks/workflow` }),
      steps: STEPS,
      concurrent_runs: RUNS,
      rounds: ROUNDS,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly msPerStep: readonly number[];
  /** Of the processor: what is left when others use the machine, too. */
  readonly cpuMsPerStep: number;
  /** Megabytes. */
  readonly rss: number;
  readonly idle: number;
  readonly runsPerSecond: number;
}

interface Round {
  readonly memory: Partial<Record<System, Measured>>;
  readonly sqlite: Partial<Record<System, Measured>>;
  /** Milliseconds of a bare commit of a row as the journal has it. */
  readonly bare: number;
}

async function runRound(folder: string, peers: readonly System[]): Promise<Round> {
  const systems: readonly System[] = ['ours', ...peers];
  const memory: Partial<Record<System, Measured>> = {};
  for (const system of systems) memory[system] = measure(system, RUNS);
  const sqlite: Partial<Record<System, Measured>> = {};
  const written = systems.filter((system) => system !== 'mastra');
  let bare = Number.NaN;
  for (const system of written) {
    const place = await mkdtemp(`${folder}-${system}-`);
    // A thousand runs of LangGraph at once would take a minute, and say the same.
    sqlite[system] = measure(system, system === 'ours' ? RUNS : RUNS / 10, place);
    if (system === 'ours') bare = bareCommits(place, STEPS);
  }
  return { memory, sqlite, bare };
}

function measure(system: System, runs: number, folder?: string): Measured {
  const worker = join(FOLDER, 'steps-worker.mjs');
  return run(worker, [
    system,
    String(STEPS),
    String(runs),
    ...(folder ? [folder] : []),
  ]) as Measured;
}

function ownFigures(rounds: readonly Round[]): Figures {
  const memory = rounds.map(({ memory: { ours } }) => stepOf(ours));
  const sqlite = rounds.map(({ sqlite: { ours } }) => stepOf(ours));
  const ratios = rounds.map(({ bare }, at) => (sqlite[at] ?? Number.NaN) / bare);
  const inMemory = rounds.map((one) => one.memory.ours?.runsPerSecond ?? Number.NaN);
  const onDisk = rounds.map((one) => one.sqlite.ours?.runsPerSecond ?? Number.NaN);
  return {
    memory_ms_per_step: round(median(memory)),
    memory_noise: noise(memory),
    memory_cpu_ms_per_step: round(median(rounds.map((one) => cpuOf(one.memory.ours)))),
    sqlite_ms_per_step: round(median(sqlite)),
    bare_commit_ms: round(median(rounds.map(({ bare }) => bare))),
    sqlite_step_ratio: round(median(ratios)),
    sqlite_noise: noise(ratios),
    runs_per_s: round(median(inMemory)),
    runs_noise: noise(inMemory),
    sqlite_runs_per_s: round(median(onDisk)),
    rss_mb: round(median(rounds.map(({ memory: { ours } }) => ours?.rss ?? Number.NaN))),
    rss_idle_mb: round(median(rounds.map(({ memory: { ours } }) => ours?.idle ?? Number.NaN))),
  };
}

function peerFigures(
  peer: System,
  rounds: readonly Round[],
  versions: Readonly<Record<string, string>>,
): Figures {
  const pairs = (
    of: (round: Round) => Partial<Record<System, Measured>>,
    value: (measured: Measured | undefined) => number,
  ): readonly (readonly [number, number])[] =>
    rounds.map((one) => [value(of(one).ours), value(of(one)[peer])] as const);
  const memory = pairs((one) => one.memory, stepOf);
  const sqlite = pairs((one) => one.sqlite, stepOf);
  const runs = pairs(
    (one) => one.memory,
    (measured) => measured?.runsPerSecond ?? Number.NaN,
  );
  const memories = rounds.map(({ memory: { [peer]: measured } }) => measured?.rss ?? Number.NaN);
  const ratio = (all: readonly (readonly [number, number])[]): number =>
    round(median(all.map(([ours, theirs]) => ours / theirs)));
  return {
    [`${peer}_is`]: `${PACKAGES[peer]} ${versions[PACKAGES[peer]]}`,
    [`memory_ms_per_step_${peer}`]: round(median(memory.map(([, theirs]) => theirs))),
    [`memory_ratio_${peer}`]: ratio(memory),
    [`memory_cpu_ratio_${peer}`]: ratio(pairs((one) => one.memory, cpuOf)),
    ...(peer === 'mastra'
      ? {}
      : {
          [`sqlite_ms_per_step_${peer}`]: round(median(sqlite.map(([, theirs]) => theirs))),
          [`sqlite_ratio_${peer}`]: ratio(sqlite),
        }),
    [`runs_per_s_${peer}`]: round(median(runs.map(([, theirs]) => theirs))),
    [`runs_per_s_ratio_${peer}`]: ratio(runs),
    [`rss_mb_${peer}`]: round(median(memories)),
  };
}

/** Milliseconds a step, in the middle of the runs of a process. */
function stepOf(measured: Measured | undefined): number {
  return measured ? median(measured.msPerStep) : Number.NaN;
}

function cpuOf(measured: Measured | undefined): number {
  return measured?.cpuMsPerStep ?? Number.NaN;
}

/** A file of 1,000 steps, as JSON and as YAML, each in a process of its own. */
async function loadFigures(folder: string, log: (line: string) => void): Promise<Figures> {
  log(`loading files of ${STEPS_OF_FILE} steps ...`);
  const steps = Array.from({ length: STEPS_OF_FILE }, (_, at) => ({
    id: `step${at}`,
    type: 'agent_interaction',
    agent_id: 'writer',
    prompt_id: 'draft',
    input_variables: { topic: at === 0 ? 'user_input' : `text${at - 1}` },
    output_variable: `text${at}`,
  }));
  const content = {
    agent_roles: { writer: { system_prompt: 'You write.', model: 'ollama:llama3' } },
    prompts: { draft: 'Write about {{ topic }}.' },
    workflows: { long: { steps } },
  };
  const files = { json: JSON.stringify(content, null, 2), yaml: stringify(content) };
  const figures: Record<string, number> = {};
  for (const [kind, text] of Object.entries(files)) {
    const file = join(folder, `flows.${kind}`);
    await writeFile(file, text);
    const times = run(join(FOLDER, 'load-worker.mjs'), [file]) as number[];
    const name = kind === 'json' ? 'load' : 'load_yaml';
    figures[`${name}_ms`] = round(median(times));
    figures[`${name}_first_ms`] = round(times[0] ?? Number.NaN);
  }
  return figures;
}

function importFigures(peers: readonly System[], log: (line: string) => void): Figures {
  log('importing ...');
  const names: readonly [System, string][] = [
    ['ours', PACKAGES.ours],
    ...peers.map((peer): [System, string] => [
      peer,
      peer === 'mastra' ? '@mastra/core/workflows' : PACKAGES[peer],
    ]),
  ];
  const times = new Map<string, number[]>();
  for (let at = 0; at < ROUNDS; at++) {
    for (const [system, name] of names) {
      const { ms } = run(join(FOLDER, 'import-worker.mjs'), [name]) as { ms: number };
      times.set(system, [...(times.get(system) ?? []), ms]);
    }
    const start = performance.now();
    execFileSync(process.execPath, ['-e', '']);
    times.set('node', [...(times.get('node') ?? []), performance.now() - start]);
  }
  const ours = times.get('ours') ?? [];
  const figures: Record<string, number> = {
    // Within the process: what Node itself takes to start is not in it.
    import_ms: round(median(ours)),
    import_noise: noise(ours),
    node_start_ms: round(median(times.get('node') ?? [])),
  };
  for (const peer of peers) {
    const theirs = times.get(peer) ?? [];
    figures[`import_ms_${peer}`] = round(median(theirs));
    figures[`import_ratio_${peer}`] = round(
      median(ours.map((ms, at) => ms / (theirs[at] ?? Number.NaN))),
    );
  }
  return figures;
}

function run(worker: string, args: readonly string[]): unknown {
  return JSON.parse(execFileSync(process.execPath, [worker, ...args], { encoding: 'utf8' }));
}
