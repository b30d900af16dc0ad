import {
  WorkflowEngine,
  type FunctionStep,
  type WorkflowFile,
  type WorkflowRun,
} from '@vizprompt/workflow';
import { dbos } from '@vizprompt/workflow/dbos';
import { startPostgres } from '../start-postgres.ts';
import { median, noise, round, type BenchOptions, type Figures } from '../figures.ts';
import { idleFigures, queuedFigures } from './scale.ts';
import { WorkerProcess, type WorkerReport } from './workers.ts';

const ROUNDS = 15;
/** Rounds before, in which code becomes warm. */
const WARMING = 3;
const STEPS = 200;
const RUNS = 300;
const TAKEOVERS = 3;
const LEASE_MS = 3000;
const WORKERS = [1, 2, 4];
/** What each step of a worker gives. */
const ANSWER = '猫は静かに眠り、犬は元気に走る。どちらも人の友である。';

const FLOWS: WorkflowFile = {
  workflows: {
    chain: {
      limits: { steps: STEPS + 1 },
      steps: Array.from({ length: STEPS }, (_, at) => functionStep(`step${at}`, 'answer', at)),
    },
    short: { steps: ['one', 'two', 'three'].map((id, at) => functionStep(id, 'quick', at)) },
    slow: { steps: [functionStep('slow', 'slow', 0)] },
  },
};

/**
 * What a step costs on DBOS and PostgreSQL, beside DBOS alone with the same steps in turn with ours; how many runs of
 * three steps workers do in a second; how long it takes until another worker goes on with the run of one that was
 * killed; and what a worker weighs. PostgreSQL: the one of `DATABASE_URL`, or one that is started for this. The parts are
 * steps, takeover, throughput, queued and idle.
 */
export async function benchWorkflowDbos({ log, only }: BenchOptions): Promise<Figures> {
  const given = process.env['DATABASE_URL'];
  const server = given === undefined ? await startPostgres() : undefined;
  const url = given ?? server?.url ?? '';
  const scale = {
    url,
    log,
    nameOf,
    open: (namespace: string) => openEngine(url, namespace),
    start: (engine: WorkflowEngine) => engine.start('short', ''),
  };
  const parts: readonly (readonly [string, () => Promise<Figures>])[] = [
    ['steps', () => stepFigures(url, log)],
    ['takeover', () => takeoverFigures(url, log)],
    ['throughput', () => throughputFigures(url, log)],
    ['queued', () => queuedFigures(scale)],
    ['idle', () => idleFigures(scale)],
  ];
  try {
    const figures: Record<string, number | string> = {};
    for (const [name, measure] of parts) {
      if (!only || only.includes(name)) Object.assign(figures, await measure());
    }
    return {
      ...figures,
      steps: STEPS,
      concurrent_runs: RUNS,
      rounds: ROUNDS,
    };
  } finally {
    await server?.stop();
  }
}

async function stepFigures(url: string, log: (line: string) => void): Promise<Figures> {
  const namespace = nameOf('steps');
  const engine = await openEngine(url, namespace);
  const ours = await WorkerProcess.start({ url, namespace });
  const bare = await WorkerProcess.start({ url, steps: STEPS }, 'bare');
  const rounds: { readonly own: WorkerReport; readonly theirs: WorkerReport }[] = [];
  for (let at = 0; at < WARMING + ROUNDS; at++) {
    log(`steps, round ${at + 1} of ${WARMING + ROUNDS} ...`);
    await resultOf(await engine.start('chain', ''));
    rounds.push({ own: await ours.report(), theirs: await bare.report('chain') });
  }
  rounds.splice(0, WARMING);
  const waits = await sequence(20, async () => {
    const start = performance.now();
    await resultOf(await engine.start('short', ''));
    return performance.now() - start;
  });
  await Promise.all([ours.kill(), bare.kill()]);
  await engine.close();
  return {
    dbos_ms_per_step: round(median(rounds.map(({ own }) => own.msPerStep))),
    dbos_noise: noise(rounds.map(({ own }) => own.msPerStep)),
    bare_dbos_ms_per_step: round(median(rounds.map(({ theirs }) => theirs.msPerStep))),
    bare_dbos_noise: noise(rounds.map(({ theirs }) => theirs.msPerStep)),
    dbos_step_ratio: round(
      median(rounds.map(({ own, theirs }) => own.msPerStep / theirs.msPerStep)),
    ),
    dbos_worker_cpu_ms_per_step: round(median(rounds.map(({ own }) => own.cpuMsPerStep))),
    bare_dbos_worker_cpu_ms_per_step: round(
      median(rounds.map(({ theirs }) => theirs.cpuMsPerStep)),
    ),
    short_run_ms: round(median(waits)),
  };
}

async function takeoverFigures(url: string, log: (line: string) => void): Promise<Figures> {
  const seconds = await sequence(TAKEOVERS, async (at) => {
    log(`takeover ${at + 1} of ${TAKEOVERS} ...`);
    const namespace = nameOf(`takeover${at}`);
    const engine = await openEngine(url, namespace);
    const facts = { url, namespace, leaseMs: LEASE_MS };
    const workers = [await WorkerProcess.start(facts), await WorkerProcess.start(facts)];
    const run = await engine.start('slow', '');
    const victim = await Promise.race(workers.map((worker) => worker.began()));
    const rest = workers.filter((worker) => worker !== victim);
    const taken = Promise.race(rest.map((worker) => worker.began()));
    const start = performance.now();
    await victim.kill();
    await taken;
    const took = (performance.now() - start) / 1000;
    run.cancel();
    await run.result.catch(() => undefined);
    await Promise.all(rest.map((worker) => worker.kill()));
    await engine.close();
    return took;
  });
  return {
    takeover_s: round(median(seconds)),
    takeover_max_s: round(Math.max(...seconds)),
    lease_s: LEASE_MS / 1000,
  };
}

async function throughputFigures(url: string, log: (line: string) => void): Promise<Figures> {
  const figures: Record<string, number> = {};
  let rss: readonly number[] = [];
  for (const count of WORKERS) {
    log(`${RUNS} runs by ${count} ${count === 1 ? 'worker' : 'workers'} ...`);
    const namespace = nameOf(`runs${count}`);
    const engine = await openEngine(url, namespace);
    const workers: WorkerProcess[] = [];
    for (let at = 0; at < count; at++) workers.push(await WorkerProcess.start({ url, namespace }));
    await resultOf(await engine.start('short', ''));
    const start = performance.now();
    await Promise.all(
      Array.from({ length: RUNS }, async () => resultOf(await engine.start('short', ''))),
    );
    figures[`runs_per_s_${count}`] = round((RUNS / (performance.now() - start)) * 1000);
    const reports = await Promise.all(workers.map((worker) => worker.report()));
    rss = reports.map(({ rssMb }) => rssMb);
    await Promise.all(workers.map((worker) => worker.kill()));
    await engine.close();
  }
  return { ...figures, rss_mb_per_worker: round(median(rss)) };
}

function openEngine(url: string, namespace: string): Promise<WorkflowEngine> {
  return WorkflowEngine.open({
    files: FLOWS,
    runtime: dbos({ url, namespace }),
  });
}

async function resultOf(run: WorkflowRun): Promise<void> {
  const { output } = await run.result;
  if (output !== ANSWER) throw new Error(`the run gave ${JSON.stringify(output)}`);
}

function functionStep(id: string, name: string, at: number): FunctionStep {
  return {
    id,
    type: 'function',
    function: name,
    input_variables: { text: at === 0 ? 'user_input' : 'text' },
    output_variable: 'text',
  };
}

/** Of its own in each run, where the database is somebody's. */
function nameOf(part: string): string {
  return `bench_${process.pid}_${part}`;
}

async function sequence<T>(times: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < times; at++) results.push(await work(at));
  return results;
}
