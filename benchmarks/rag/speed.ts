import { join } from 'node:path';
import { median, percentile, round, type Figures } from '../figures.ts';
import type { Place } from './ask-system.ts';
import { indexOurs, repeated, runOurs, type IndexCost, type Ours } from './ours.ts';
import { benchPeers } from './peers.ts';
import { runNode, runWorker } from './run-worker.ts';

const PROCESSES = 5;

/** How large the indexes are. */
export interface Sizes {
  readonly chunks: number;
  /** Of peers that do not bear more. */
  readonly peerChunks: number;
}

/** An index of works: to make it, to open it, to search it, to change it, and what it weighs. */
export async function benchSpeed(
  corpus: string,
  { chunks, peerChunks }: Sizes,
  peers: readonly string[],
  place: Place,
): Promise<Figures> {
  const { folder, dictionaries, log } = place;
  log(`cutting ${chunks} chunks ...`);
  const prepared = await runWorker<{ works: number; chunks: number; characters: number }>(
    'prepare-worker.mjs',
    [corpus, folder, dictionaries, chunks],
  );
  const ours: Ours = { index: join(folder, 'index'), place };
  log('indexing them ...');
  const cost = await indexOurs(ours, chunks);
  log('opening it in new processes ...');
  const cold = await benchColdStart(ours);
  log('searching ...');
  const search = await benchSearch(ours);
  log('weighing ...');
  const bare = await bareMemory();
  const weights = await repeated(PROCESSES, () =>
    runOurs<{ rss: number; busy: number }>(ours, 'rss'),
  );
  log('the same with others ...');
  const beside = await benchPeers({ peers, chunks, peerChunks, ours, cost, bare }, place);
  log('changing a file ...');
  // Last, since it changes the index.
  const update = await benchUpdate(ours);
  return {
    ...prepared.result,
    ...figuresOf(cost),
    ...cold,
    ...search,
    ...update,
    rss_mb: round(median(weights.map(({ rss }) => rss)) - bare),
    rss_max_mb: round(Math.max(...weights.map(({ rss }) => rss)) - bare),
    rss_busy_mb: round(median(weights.map(({ busy }) => busy)) - bare),
    rss_node_mb: round(bare),
    ...beside,
  };
}

function figuresOf({ seconds, closingSeconds, peak, size }: IndexCost): Figures {
  return {
    index_s: round(seconds),
    index_close_s: round(closingSeconds),
    ...(peak === undefined ? {} : { index_peak_mb: round(peak) }),
    index_mb: round(size),
  };
}

async function benchColdStart(ours: Ours): Promise<Figures> {
  const starts = await repeated(PROCESSES, (query) =>
    runOurs<{ node: number; ms: number; opening: number }>(ours, 'cold', query),
  );
  return {
    cold_start_ms: round(median(starts.map(({ ms }) => ms))),
    cold_start_max_ms: round(Math.max(...starts.map(({ ms }) => ms))),
    cold_start_open_ms: round(median(starts.map(({ opening }) => opening))),
    cold_start_with_node_ms: round(median(starts.map(({ node, ms }) => node + ms))),
  };
}

/** What searching took in one process, in milliseconds. */
interface Searches {
  /** The queries before those that are measured. */
  readonly first: readonly number[];
  readonly times: readonly number[];
  readonly zero: number;
  /** The processor time of a query. */
  readonly cpu: number;
}

async function benchSearch(ours: Ours): Promise<Figures> {
  const runs = await repeated(PROCESSES, () => runOurs<Searches>(ours, 'search', 1));
  const middle = (figure: (run: Searches) => number): number => round(median(runs.map(figure)));
  const ofKind = (kind: 0 | 1, { times }: Searches): number =>
    percentile(
      times.filter((_, at) => at % 2 === kind),
      0.95,
    );
  const p95s = runs.map(({ times }) => percentile(times, 0.95));
  return {
    search_p50_ms: middle(({ times }) => median(times)),
    search_p95_ms: round(median(p95s)),
    search_p95_best_ms: round(Math.min(...p95s)),
    search_p95_worst_ms: round(Math.max(...p95s)),
    search_p99_ms: middle(({ times }) => percentile(times, 0.99)),
    search_sentences_p95_ms: middle((run) => ofKind(0, run)),
    search_words_p95_ms: middle((run) => ofKind(1, run)),
    search_first_p95_ms: middle(({ first }) => percentile(first, 0.95)),
    search_cpu_ms: middle(({ cpu }) => cpu),
    search_zero_results: Math.max(...runs.map(({ zero }) => zero)),
  };
}

async function benchUpdate(ours: Ours): Promise<Figures> {
  const { times, chunks } = await runOurs<{ times: readonly number[]; chunks: readonly number[] }>(
    ours,
    'update',
  );
  return {
    update_p50_ms: round(median(times)),
    update_p95_ms: round(percentile(times, 0.95)),
    update_max_ms: round(Math.max(...times)),
    update_chunks: median(chunks),
  };
}

/** What Node itself weighs, in megabytes. */
async function bareMemory(): Promise<number> {
  const module = new URL('resting-memory.mjs', import.meta.url).href;
  const code = `console.log(await (await import('${module}')).restingMemory())`;
  const values = ['--expose-gc', '--input-type=module', '-e', code];
  const runs = await repeated(PROCESSES, () => runNode<number>(values));
  return median(runs.map(({ result }) => result));
}
