import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, noise, percentile, round, type BenchOptions, type Figures } from '../figures.ts';
import { timed } from '../timed.ts';

const ROUNDS = 31;
const BIN = new URL('../../packages/cli/dist/bin/ptta.cjs', import.meta.url).pathname;

/** The processes that are started, by the names of their figures. */
interface Starts {
  readonly empty: readonly string[];
  readonly sqlite: readonly string[];
  readonly log: readonly string[];
  readonly help: readonly string[];
}

/**
 * How long `ptta log:user` takes from the start of its process to its end, since agents call it on every
 * message. Beside it, turn by turn, an empty process of Node, and one that loads better-sqlite3 and opens a
 * database in memory.
 */
export async function benchCli({ log }: BenchOptions): Promise<Figures> {
  const home = await mkdtemp(join(tmpdir(), 'vizprompt-bench-cli-'));
  try {
    const sqlite = createRequire(import.meta.url).resolve('better-sqlite3');
    const opens = join(home, 'sqlite.cjs');
    await writeFile(opens, `new (require(${JSON.stringify(sqlite)}))(':memory:');`);
    const empty = join(home, 'empty.cjs');
    await writeFile(empty, '');
    await timed(home, [BIN, 'session:start']);
    const starts: Starts = {
      empty: [empty],
      sqlite: [opens],
      log: [BIN, 'log:user', '認証機能を追加してください'],
      help: [BIN, '--help'],
    };
    const times: Record<keyof Starts, number[]> = {
      empty: [],
      sqlite: [],
      log: [],
      help: [],
    };
    for (let at = -2; at < ROUNDS; at++) {
      if (at % 10 === 0) log(`start ${at + 1} of ${ROUNDS} ...`);
      for (const name of ['empty', 'sqlite', 'log', 'help'] as const) {
        const ms = await timed(home, starts[name]);
        // The first ones fill the caches of the system.
        if (at >= 0) times[name].push(ms);
      }
    }
    const ratios = times.log.map((ms, at) => ms / (times.sqlite[at] ?? Number.NaN));
    return {
      log_user_p50_ms: round(median(times.log)),
      log_user_p95_ms: round(percentile(times.log, 0.95)),
      empty_node_p50_ms: round(median(times.empty)),
      sqlite_node_p50_ms: round(median(times.sqlite)),
      log_user_ratio_to_sqlite_node: round(median(times.log) / median(times.sqlite)),
      log_user_ratio_paired_p50: round(median(ratios)),
      help_p50_ms: round(median(times.help)),
      noise: noise(times.log),
      rounds: ROUNDS,
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
