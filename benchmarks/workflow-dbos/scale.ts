import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowEngine } from '@vizprompt/workflow';
import { median, round, type Figures } from '../figures.ts';
import { cpuMsOf, PostgresLoad } from './postgres-load.ts';
import { WorkerProcess } from './workers.ts';

/** Runs for each worker that lie in the queue before the workers continue. */
const QUEUED = 300;
/** Runs that each worker leads before, alone, in which its code becomes warm. */
const WARMING = 300;
const WORKERS = [1, 4];
/** One worker and four in turns: a machine that others use, too, is a third slower from one second to the next. */
const ROUNDS = 3;
/** Longer than workers are stopped. */
const LEASE_MS = 120_000;
/** DBOS looks for schedules each second in its first minute. */
const SETTLED_MS = 62_000;
const IDLE_MS = 20_000;

/** What {@link queuedFigures} needs of the benchmark. */
interface ScaleNeeds {
  readonly url: string;
  readonly log: (line: string) => void;
  readonly nameOf: (part: string) => string;
  open(namespace: string): Promise<WorkflowEngine>;
  /** Starts a run of three steps. */
  start(engine: WorkflowEngine): Promise<{ readonly result: Promise<unknown> }>;
}

/**
 * What a run of three steps costs, in processor time and transactions: submitting it, and leading it with one worker and
 * with four, the median of the rounds. The runs are queued while the workers are stopped, so that both are seen apart.
 */
export async function queuedFigures(needs: ScaleNeeds): Promise<Figures> {
  const load = await PostgresLoad.open(needs.url);
  try {
    const rounds: Record<string, number>[] = [];
    for (let at = 0; at < ROUNDS; at++) {
      const figures: Record<string, number> = {};
      for (const count of WORKERS) {
        Object.assign(figures, await drained(count, `${count}r${at}`, load, needs));
      }
      const { cpu_ms_per_run_1: one = Number.NaN, cpu_ms_per_run_4: four = Number.NaN } = figures;
      rounds.push({ ...figures, cpu_ratio_4: four / one });
    }
    const names = Object.keys(rounds[0] ?? {});
    return Object.fromEntries(
      names.map((name) => [
        name,
        round(median(rounds.map((figures) => figures[name] ?? Number.NaN))),
      ]),
    );
  } finally {
    await load.close();
  }
}

async function drained(
  count: number,
  part: string,
  load: PostgresLoad,
  needs: ScaleNeeds,
): Promise<Record<string, number>> {
  const { url, log, nameOf } = needs;
  const many = QUEUED * count;
  log(`${many} queued runs by ${count} ${count === 1 ? 'worker' : 'workers'} ...`);
  const namespace = nameOf(`queued${part}`);
  const engine = await needs.open(namespace);
  const workers: WorkerProcess[] = [];
  try {
    for (let at = 0; at < count; at++) {
      const worker = await WorkerProcess.start({ url, namespace, leaseMs: LEASE_MS });
      workers.push(worker);
      await resultsOf(await startMany(WARMING));
      await load.settled(namespace);
      worker.signal('SIGSTOP');
    }
    const before = { commits: await load.commits(), cpu: load.cpuMs(), own: process.cpuUsage() };
    const runs = await startMany(many);
    const own = process.cpuUsage(before.own);
    const submitted = { cpu: load.cpuMs(), commits: await load.commits() };
    const queued = { cpu: load.cpuMs(), workers: cpuOfAll() };
    for (const worker of workers) worker.signal('SIGCONT');
    await resultsOf(runs);
    await load.settled(namespace);
    const led = { cpu: load.cpuMs(), workers: cpuOfAll() };
    await end();
    const ended = await load.commits();
    const perRun = (value: number): number => round(value / many);
    return {
      [`cpu_ms_per_run_${count}`]: perRun(led.cpu - queued.cpu + led.workers - queued.workers),
      [`worker_cpu_ms_per_run_${count}`]: perRun(led.workers - queued.workers),
      [`commits_per_run_${count}`]: perRun(ended - submitted.commits),
      ...(count === 1 && {
        submit_cpu_ms_per_run: perRun(submitted.cpu - before.cpu + (own.user + own.system) / 1000),
        submit_commits_per_run: perRun(submitted.commits - before.commits),
      }),
    };
  } finally {
    // Workers that are stopped would not end with this process.
    await end();
  }

  function startMany(length: number): Promise<{ readonly result: Promise<unknown> }[]> {
    return Promise.all(Array.from({ length }, () => needs.start(engine)));
  }
  async function end(): Promise<void> {
    await Promise.all(workers.map((worker) => worker.kill()));
    await engine.close();
  }
  function cpuOfAll(): number {
    return workers.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  }
}

/** What a worker does that has nothing to do. */
export async function idleFigures({ url, log, nameOf }: ScaleNeeds): Promise<Figures> {
  log('a worker without work ...');
  const load = await PostgresLoad.open(url);
  const worker = await WorkerProcess.start({ url, namespace: nameOf('idle') });
  try {
    await sleep(SETTLED_MS);
    const commits = await load.commits();
    const at = performance.now();
    const cpu = load.cpuMs() + cpuMsOf(worker.pid);
    await sleep(IDLE_MS);
    const used = load.cpuMs() + cpuMsOf(worker.pid) - cpu;
    const seconds = (performance.now() - at) / 1000;
    const all = (await load.commits()) - commits;
    const allSeconds = (performance.now() - at) / 1000;
    return {
      idle_commits_per_s: round(all / allSeconds),
      idle_cpu_ms_per_s: round(used / seconds),
    };
  } finally {
    await worker.kill();
    await load.close();
  }
}

async function resultsOf(runs: readonly { readonly result: Promise<unknown> }[]): Promise<void> {
  await Promise.all(runs.map(({ result }) => result));
}
