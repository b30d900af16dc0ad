import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { median, percentile, round, type Figures } from '../figures.ts';
import type { Place } from './ask-system.ts';
import { folderSize } from './folder-size.ts';
import { indexOurs, runOurs, type IndexCost, type Ours } from './ours.ts';
import { runWorker } from './run-worker.ts';

/** One sentence and one query of words in so many queries: some systems take a second for one. */
const EVERY = 10;

/** What is compared, on what. */
export interface Comparison {
  readonly peers: readonly string[];
  readonly chunks: number;
  /** The same for systems in memory. */
  readonly peerChunks: number;
  /** Our index of all chunks. */
  readonly ours: Ours;
  /** What it took to make that. */
  readonly cost: IndexCost;
  /** What Node itself weighs, in megabytes. */
  readonly bare: number;
}

/** The names of figures, and those of their ratios. */
const RATIOS: Readonly<Record<string, string>> = {
  index_s: 'index_time',
  index_peak_mb: 'index_peak',
  index_mb: 'index_size',
  search_p50_ms: 'search_p50',
  search_p95_ms: 'search_p95',
  rss_mb: 'rss',
};

/** What a system takes, by the name of the figure. */
type Costs = Readonly<Record<string, number | undefined>>;

/**
 * Other systems on the same chunks and queries, and ours at their side. A ratio is ours by theirs:
 * below 1, ours takes less.
 */
export async function benchPeers(comparison: Comparison, place: Place): Promise<Figures> {
  const { peers, chunks, peerChunks, ours, cost, bare } = comparison;
  const onDisk = peers.filter(isOnDisk);
  const inMemory = peers.filter((name) => !isOnDisk(name));
  const whole = await costsOfOurs(ours, cost, bare);
  const figures: Record<string, number> = { peer_chunks: peerChunks };
  for (const name of onDisk) {
    place.log(`  ${name}, ${chunks} chunks ...`);
    compare(figures, name, whole, await costsOf(name, chunks, bare, place));
  }
  if (inMemory.length === 0) return figures;
  place.log(`  ours, ${peerChunks} chunks ...`);
  const small: Ours = { index: join(place.folder, 'index-small'), place };
  const part =
    peerChunks === chunks
      ? whole
      : await costsOfOurs(small, await indexOurs(small, peerChunks), bare);
  for (const name of inMemory) {
    place.log(`  ${name}, ${peerChunks} chunks ...`);
    compare(figures, name, part, await costsOf(name, peerChunks, bare, place));
  }
  return figures;
}

/** Only SQLite is opened again; the others are searched by the process that filled them. */
function isOnDisk(name: string): boolean {
  return name.startsWith('fts5_');
}

function compare(figures: Record<string, number>, name: string, ours: Costs, theirs: Costs): void {
  for (const [key, value] of Object.entries(theirs)) {
    if (value === undefined) continue;
    figures[`${key}_${name}`] = round(value);
    const own = ours[key];
    const ratio = RATIOS[key];
    if (own !== undefined && ratio) figures[`${ratio}_over_${name}`] = round(own / value);
  }
}

async function costsOfOurs(ours: Ours, cost: IndexCost, bare: number): Promise<Costs> {
  const { times } = await runOurs<{ times: readonly number[] }>(ours, 'search', EVERY);
  const { rss } = await runOurs<{ rss: number }>(ours, 'rss');
  return {
    index_s: cost.seconds,
    index_peak_mb: cost.peak,
    index_mb: cost.size,
    ...costsOfSearch(times, rss, bare),
  };
}

interface Measured {
  readonly ms?: number;
  readonly times?: readonly number[];
  readonly rss?: number;
}

async function costsOf(name: string, chunks: number, bare: number, place: Place): Promise<Costs> {
  const index = join(place.folder, name);
  await mkdir(index);
  const run = (task: 'index' | 'search' | 'both') =>
    runWorker<Measured>('peer-worker.mjs', [
      task,
      name,
      place.folder,
      index,
      place.dictionaries,
      chunks,
      EVERY,
    ]);
  const made = await run(isOnDisk(name) ? 'index' : 'both');
  const asked = isOnDisk(name) ? await run('search') : made;
  const { times = [], rss = Number.NaN } = asked.result;
  const size = await folderSize(index);
  return {
    index_s: (made.result.ms ?? Number.NaN) / 1000,
    index_peak_mb: isOnDisk(name) ? made.peak : undefined,
    index_mb: size > 0 ? size / 1e6 : undefined,
    ...costsOfSearch(times, rss, bare),
  };
}

function costsOfSearch(times: readonly number[], rss: number, bare: number): Costs {
  return {
    search_p50_ms: median(times),
    search_p95_ms: percentile(times, 0.95),
    rss_mb: rss - bare,
  };
}
