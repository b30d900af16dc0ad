import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, noise, round, type BenchOptions, type Figures } from '../figures.ts';

const ROUNDS = 11;
/** Rounds before those that count: code that runs for the first time is compiled meanwhile. */
const WARM_UP = 2;
const EVENTS = 1000;
const KINDS = ['append', 'batch', 'search'] as const;
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

type Times = Readonly<Record<(typeof KINDS)[number], number>>;

/**
 * Measures the speed of a memory on `node:sqlite` against better-sqlite3. Each has its own process, and they take
 * turns. Above 1 `node:sqlite` is faster. Needs Node 22.16.
 */
export async function benchSqlite({ log }: BenchOptions): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-sqlite-'));
  const workers: ChildProcess[] = [];
  try {
    const [better, node] = [
      await start(folder, 'better-sqlite3', workers),
      await start(folder, 'node:sqlite', workers),
    ];
    const ratios: Record<(typeof KINDS)[number], number[]> = { append: [], batch: [], search: [] };
    for (let turn = 0; turn < WARM_UP + ROUNDS; turn++) {
      log(`round ${turn + 1} of ${WARM_UP + ROUNDS} ...`);
      const [theirs, ours] = [await ask(better.child), await ask(node.child)];
      if (turn < WARM_UP) continue;
      for (const kind of KINDS) ratios[kind].push(theirs[kind] / ours[kind]);
    }
    return {
      append_ratio: round(median(ratios.append)),
      append_batch_ratio: round(median(ratios.batch)),
      search_ratio: round(median(ratios.search)),
      append_noise: noise(ratios.append),
      search_noise: noise(ratios.search),
      better_sqlite3: `SQLite ${better.version}`,
      node_sqlite: `SQLite ${node.version}`,
    };
  } finally {
    for (const worker of workers) worker.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(
  folder: string,
  driver: string,
  workers: ChildProcess[],
): Promise<{ readonly child: ChildProcess; readonly version: string }> {
  const own = join(folder, driver.replace(':', '-'));
  await mkdir(own);
  const rounds = String(WARM_UP + ROUNDS);
  const child = fork(WORKER, [own, rounds, String(EVENTS)], {
    env: { ...process.env, VIZPROMPT_SQLITE: driver },
  });
  workers.push(child);
  const { version } = await answerOf<{ readonly version: string }>(child);
  return { child, version };
}

function ask(child: ChildProcess): Promise<Times> {
  child.send('round');
  return answerOf(child);
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a worker ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const [answer] = await Promise.race([once(child, 'message', { signal }), ended]);
  answered.abort();
  return answer;
}
