import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, noise, round, type BenchOptions, type Figures } from '../figures.ts';
import { installedPeers, type Versions } from '../installed-peers.ts';
import { startPostgres } from '../start-postgres.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SAVERS = {
  sqlite: ['SqliteSaver', '@langchain/langgraph-checkpoint-sqlite'],
  postgres: ['PostgresSaver', '@langchain/langgraph-checkpoint-postgres'],
} as const;

interface Side {
  /** Milliseconds by the clock. */
  readonly ms: number;
  /** Milliseconds of the processor, of this process alone. */
  readonly cpu: number;
}

interface Pair {
  readonly ours: Side;
  readonly theirs: Side;
}

type Measured = Readonly<Record<'run' | 'list', readonly Pair[]>>;

/**
 * A graph of 120 steps on `langGraphSaver` and on the checkpointer of LangGraph for the same database, and a list of its
 * checkpoints: in pairs one after the other. A ratio is our time by theirs, the median of the pairs. PostgreSQL: the one of
 * `DATABASE_URL`, or one that is started for this.
 */
export async function benchLanggraph({ log }: BenchOptions): Promise<Figures> {
  const versions = installedPeers(FOLDER, log);
  if (!versions) {
    return {
      peers: 'left out, since they are not installed: npm ci --prefix benchmarks/langgraph',
    };
  }
  return { ...(await onSqlite(versions, log)), ...(await onPostgres(versions, log)) };
}

async function onSqlite(versions: Versions, log: BenchOptions['log']): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-langgraph-'));
  try {
    return figuresOf('sqlite', folder, versions, log);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function onPostgres(versions: Versions, log: BenchOptions['log']): Promise<Figures> {
  const given = process.env['DATABASE_URL'];
  const started = given === undefined ? await startPostgres() : undefined;
  try {
    return figuresOf('postgres', given ?? started?.url ?? '', versions, log);
  } finally {
    await started?.stop();
  }
}

function figuresOf(
  database: keyof typeof SAVERS,
  place: string,
  versions: Versions,
  log: BenchOptions['log'],
): Figures {
  const [saver, name] = SAVERS[database];
  log(`runs and lists with ${saver} in turn ...`);
  const worker = join(FOLDER, 'savers-worker.mjs');
  const args = ['--expose-gc', worker, database, place];
  const measured = JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8' }),
  ) as Measured;
  const figures: Record<string, number | string> = {
    [`${database}_is`]: `${name} ${versions[name]}`,
  };
  for (const operation of ['run', 'list'] as const) {
    const pairs = measured[operation];
    for (const kind of ['cpu', 'ms'] as const) {
      const ratios = pairs.map(({ ours, theirs }) => ours[kind] / theirs[kind]);
      const prefix = kind === 'cpu' ? `${operation}_cpu` : operation;
      figures[`${prefix}_ratio_${database}`] = round(median(ratios));
      figures[`${prefix}_noise_${database}`] = noise(ratios);
      figures[`${prefix}_ms_${database}`] = round(median(pairs.map(({ ours }) => ours[kind])));
    }
  }
  return figures;
}
