import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@vizprompt/providers';
import { postgresStorage } from '@vizprompt/providers/postgres';
import {
  type Analyzer,
  compactAnalyzer,
  SegmentBackend,
  SqlBackend,
  type SearchBackend,
  type SourceDocument,
} from '@vizprompt/rag';
import { median, percentile, round, type BenchOptions, type Figures } from '../figures.ts';
import { findInputs } from '../rag/inputs.ts';
import { NoiseMeter } from '../rag/noise-meter.ts';
import { startPostgres } from '../start-postgres.ts';
import { copySpace } from './copy-space.ts';
import { timeApart, timedAnalyzer, writtenPerSecond } from './filling.ts';
import { chooseQueries, readCorpus, type Queries } from './read-corpus.ts';
import { measureWriting } from './writing.ts';

const CHUNKS = 50_000;
/** Characters of a chunk, about. */
const CHARACTERS = 360;
const QUERIES = 100;
const NEVER = 100_000;

/**
 * An index on PostgreSQL beside the same one in files, in one process and one run: searches, phrases and regular expressions,
 * the index ten and twenty times as large, what a millisecond more for each statement costs, and writing. The large ones are
 * copies of the rows of the first.
 */
export async function benchRagShared(options: BenchOptions): Promise<Figures> {
  const { chunks = CHUNKS, log } = options;
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-shared-'));
  const server = await startPostgres();
  const noise = new NoiseMeter();
  try {
    const { corpus, texts } = await findInputs(options, folder, chunks * CHARACTERS);
    const storage = await postgresStorage({ connectionString: server.url, namespace: 'bench' });
    const { database } = storage;
    const timed = timedAnalyzer(await compactAnalyzer({ cacheFolder: join(folder, 'dictionary') }));
    const { analyzer } = timed;
    noise.sample();
    log(`indexing ${chunks} chunks, in files and on PostgreSQL ...`);
    const segments = await SegmentBackend.open({
      folder: join(folder, 'index'),
      analyzer,
      mayFork: false,
    });
    const shared = await SqlBackend.open({ database, analyzer });
    const documents: SourceDocument[] = [];
    let count = 0;
    for (const document of readCorpus(corpus)) {
      count += (await segments.updateFile(document)).added;
      documents.push(document);
      if (count >= chunks) break;
    }
    const written = documents.map(({ text }) => text);
    const perSecond = await writtenPerSecond(database, timed, documents);
    const filling = await timeApart(timed, () => shared.index(documents));
    await segments.compact();
    await shared.compact();
    const queries = chooseQueries(written, QUERIES);
    log('searching ...');
    const figures: Record<string, number | string> = {
      texts,
      chunks: count,
      chunks_per_s: round(perSecond),
      documents_chunks_per_s: round(count / (filling / 1000)),
      posting_bytes: round((await sizeOf(database, 'block')) / count),
      total_bytes: round((await sizeOf(database, ...TABLES)) / count),
      ...(await compareSearches(segments, shared, queries)),
      ...(await countStatements(database, analyzer, queries.searches)),
    };
    const small = Number(figures['p95_ms_50k']);
    await shared.close();
    await segments.close();
    log(JSON.stringify(figures));
    log('changing ...');
    figures['unmerged_ratio'] = round(await unmergedRatio(database, analyzer, written, queries));
    for (const [times, name] of [
      [10, '500k'],
      [2, '1m'],
    ] as const) {
      log(`copying, to ${name} ...`);
      await copySpace(database, times);
      const start = performance.now();
      const large = await SqlBackend.open({ database, analyzer });
      await large.search(queries.searches[0] ?? '');
      const first = performance.now() - start;
      const times95 = await searchTimes(large, queries.searches);
      figures[`p50_ms_${name}`] = round(median(times95));
      figures[`p95_ms_${name}`] = round(percentile(times95, 0.95));
      if (name === '500k') {
        figures['first_ms_500k'] = round(first);
        figures['growth_p95'] = round(percentile(times95, 0.95) / small);
        log('writing ...');
        Object.assign(figures, await measureWriting(database, analyzer, written));
      }
      log(JSON.stringify(figures));
      await large.close();
    }
    noise.sample();
    await storage.close();
    return { ...figures, noise_pct: round(noise.percent()) };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const TABLES = ['document', 'sketch', 'text', 'vocabulary', 'block', 'signature'] as const;

async function sizeOf(database: Database, ...tables: readonly string[]): Promise<number> {
  const sizes = tables.map((table) => `pg_total_relation_size('chunks_${table}')`);
  const [row] = await database.query<{ bytes: number }>(`SELECT ${sizes.join(' + ')} AS bytes`);
  return row?.bytes ?? Number.NaN;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** How often all queries are asked: once alone tells more of what else the machine does than of the search. */
const PASSES = 3;

/** Returns the median of the times of each query, in passes, after some of them. */
async function searchTimes(backend: SearchBackend, queries: readonly string[]): Promise<number[]> {
  for (const query of queries.slice(0, 30)) await backend.search(query);
  const times = queries.map((): number[] => []);
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [at, query] of queries.entries()) {
      times[at]?.push(await timeOf(() => backend.search(query)));
    }
  }
  return times.map((list) => median(list));
}

async function compareSearches(
  segments: SearchBackend,
  shared: SearchBackend,
  { searches, phrases, regexes }: Queries,
): Promise<Figures> {
  for (const query of searches.slice(0, 30)) {
    await segments.search(query);
    await shared.search(query);
  }
  const times = { segments: [] as number[], shared: [] as number[] };
  let same = 0;
  for (const query of searches) {
    const own = { segments: [] as number[], shared: [] as number[] };
    for (let pass = 0; pass < PASSES; pass++) {
      own.segments.push(await timeOf(() => segments.search(query)));
      own.shared.push(await timeOf(() => shared.search(query)));
    }
    times.segments.push(median(own.segments));
    times.shared.push(median(own.shared));
    const [a, b] = [await segments.search(query), await shared.search(query)];
    if (JSON.stringify(a) === JSON.stringify(b)) same++;
  }
  const p95 = (list: readonly number[]): number => percentile(list, 0.95);
  return {
    same_answers: same / searches.length,
    p50_ms_files: round(median(times.segments)),
    p95_ms_files: round(p95(times.segments)),
    p50_ms_50k: round(median(times.shared)),
    p95_ms_50k: round(p95(times.shared)),
    p95_ratio_50k: round(p95(times.shared) / p95(times.segments)),
    phrase_p95_ms: round(p95(await searchTimes(shared, phrases))),
    regex_p95_ms: round(p95(await searchTimes(shared, regexes))),
  };
}

/** Statements of a search at most, and what a millisecond more for each of them adds. */
async function countStatements(
  database: Database,
  analyzer: Analyzer,
  queries: readonly string[],
): Promise<Figures> {
  let [statements, delay] = [0, 0];
  const query: Database['query'] = async (sql, params) => {
    statements++;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    return database.query(sql, params);
  };
  const backend = await SqlBackend.open({ database: { ...database, query }, analyzer });
  const counts: number[] = [];
  for (const text of queries) {
    statements = 0;
    await backend.search(text);
    counts.push(statements);
  }
  const near = median(await searchTimes(backend, queries));
  delay = 1;
  const far = median(await searchTimes(backend, queries));
  await backend.close();
  return { statements: Math.max(...counts), added_latency_ms: round(far - near) };
}

/** What searches take after a thousand changes of which none was merged, by what they take when all are. */
async function unmergedRatio(
  database: Database,
  analyzer: Analyzer,
  texts: readonly string[],
  { searches }: Queries,
): Promise<number> {
  await database.execute(`UPDATE chunks_space SET unmerged = -${NEVER}`);
  const backend = await SqlBackend.open({ database, analyzer });
  for (let number = 0; number < 1000; number++) {
    const text = (texts[number % texts.length] ?? '').slice(1000, 2500);
    await backend.updateFile({ novelId: 'changes', filePath: `${number}.txt`, text });
  }
  const unmerged = percentile(await searchTimes(backend, searches), 0.95);
  await backend.compact();
  const merged = percentile(await searchTimes(backend, searches), 0.95);
  const changed = (await backend.documents()).filter(({ novelId }) => novelId === 'changes');
  await backend.updateFiles([], changed);
  await backend.compact();
  await backend.close();
  return unmerged / merged;
}
