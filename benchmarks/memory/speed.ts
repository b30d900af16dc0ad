import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MemoryStore } from '@vizprompt/memory';
import { median, noise, percentile, round, type Figures } from '../figures.ts';
import { type MemoryPlace, openMemory } from './memory-place.ts';
import { sessionEvents, SESSION_EVENTS, workspaceOf } from './make-events.ts';
import { KINDS, queryMix, type MixQuery } from './queries.ts';

const WORKER = fileURLToPath(new URL('./speed-worker.mjs', import.meta.url));

const QUERIES = 200;
/** Others that a process answers before, while V8 compiles: they have a figure of their own. */
const FIRST_QUERIES = 500;
const FIRST_SEED = 20_260_102;
/** How many processes ask them: one alone tells more of what else the machine does than of the search. */
const ROUNDS = 5;
/** How many of them are also ranked without a cap. */
const UNCAPPED = 40;
const K = 10;

/** What one process measured: milliseconds for each query. */
interface Times {
  readonly first: readonly number[];
  readonly search: readonly number[];
  readonly recall: readonly number[];
  /** Statements of each search, where they are counted. */
  readonly statements: readonly number[];
}

/** How long search and recall take in a memory of so many events, and how much of it they look past. */
export async function benchSpeed(
  place: MemoryPlace,
  events: number,
  log: (line: string) => void,
): Promise<Figures> {
  const { store, close } = await openMemory(place);
  try {
    return await measureSpeed(store, place, events, log);
  } finally {
    await close();
  }
}

async function measureSpeed(
  store: MemoryStore,
  place: MemoryPlace,
  events: number,
  log: (line: string) => void,
): Promise<Figures> {
  const sessions = Math.ceil(events / SESSION_EVENTS);
  const filled = await fill(store, sessions, log);
  const bytes = (await place.bytes()) / (sessions * SESSION_EVENTS);
  const mix = queryMix(sessions, QUERIES);
  const asked = await timesOf(place, mix, sessions, log);
  const p95s = asked.map(({ search }) => percentile(search, 0.95));
  const statements = asked.flatMap((one) => one.statements);
  return {
    events: sessions * SESSION_EVENTS,
    fill_events_per_s: round(filled),
    bytes_per_event: round(bytes),
    ...(place.url === undefined ? {} : countsOf(statements)),
    search_p50_ms: middle(asked.map(({ search }) => percentile(search, 0.5))),
    search_p95_ms: middle(p95s),
    search_p95_best_ms: round(Math.min(...p95s)),
    search_p95_worst_ms: round(Math.max(...p95s)),
    search_noise: noise(p95s),
    search_first_p95_ms: middle(asked.map(({ first }) => percentile(first, 0.95))),
    ...Object.fromEntries(
      KINDS.map((kind) => [
        `search_${kind}_p95_ms`,
        middle(
          asked.map(({ search }) => {
            return percentile(
              search.filter((_, at) => mix[at]?.kind === kind),
              0.95,
            );
          }),
        ),
      ]),
    ),
    ...(await sharesOf(store, mix.slice(0, UNCAPPED), log)),
    recall_p50_ms: middle(asked.map(({ recall }) => percentile(recall, 0.5))),
    recall_p95_ms: middle(asked.map(({ recall }) => percentile(recall, 0.95))),
  };
}

function middle(values: readonly number[]): number {
  return round(median(values));
}

function countsOf(statements: readonly number[]): Figures {
  const sum = statements.reduce((total, count) => total + count, 0);
  return {
    search_statements: round(sum / statements.length),
    search_most_statements: Math.max(...statements),
  };
}

/** Asks each query once, in processes of their own. */
async function timesOf(
  { path, url, folder }: MemoryPlace,
  mix: readonly MixQuery[],
  sessions: number,
  log: (line: string) => void,
): Promise<readonly Times[]> {
  const queries = join(folder, 'queries.json');
  const first = queryMix(sessions, FIRST_QUERIES, FIRST_SEED);
  const place = { path, url };
  const task = { place, first, mix, k: K, workspace: workspaceOf(sessions - 1) };
  await writeFile(queries, JSON.stringify(task));
  return Array.from({ length: ROUNDS }, (_, at) => {
    log(`  searching, ${at + 1} of ${ROUNDS}`);
    const output = execFileSync(process.execPath, [WORKER, queries], { encoding: 'utf8' });
    return JSON.parse(output) as Times;
  });
}

/** Which share of the uncapped ranking's hits are found. */
async function sharesOf(
  store: MemoryStore,
  mix: readonly MixQuery[],
  log: (line: string) => void,
): Promise<Figures> {
  const shares: { kind: string; share: number }[] = [];
  for (const query of mix) {
    const all = await ask(store, query, Number.MAX_SAFE_INTEGER);
    const found = new Set(await ask(store, query));
    const share = all.length === 0 ? 1 : all.filter((id) => found.has(id)).length / all.length;
    shares.push({ kind: query.kind, share });
    log(`  uncapped ${query.kind}: ${round(share)}`);
  }
  const mean = (kind?: string): number => {
    const of = shares.filter((one) => kind === undefined || one.kind === kind);
    return round(of.reduce((sum, { share }) => sum + share, 0) / of.length);
  };
  return {
    search_recall_at_10: mean(),
    ...Object.fromEntries(KINDS.map((kind) => [`search_${kind}_recall_at_10`, mean(kind)])),
  };
}

/** Fills a memory, and tells how many events a second it took in. */
async function fill(
  store: MemoryStore,
  sessions: number,
  log: (line: string) => void,
): Promise<number> {
  const { events: known } = await store.stats();
  if (known >= sessions * SESSION_EVENTS) return Number.NaN;
  let milliseconds = 0;
  for (let session = 0; session < sessions; session++) {
    // Making them takes a tenth of the time that a memory does, which is no part of it.
    const made = sessionEvents(session, SESSION_EVENTS);
    const start = performance.now();
    const { id } = await store.startSession({ workspace: workspaceOf(session) });
    await store.logMany(id, made);
    milliseconds += performance.now() - start;
    if (session % 500 === 499) {
      log(`  ${(session + 1) * SESSION_EVENTS} events after ${round(milliseconds / 1000)} s`);
    }
  }
  return (sessions * SESSION_EVENTS * 1000) / milliseconds;
}

async function ask(
  store: MemoryStore,
  { text, workspace, path }: MixQuery,
  cap?: number,
): Promise<readonly string[]> {
  const hits = await store.search(text, {
    k: K,
    ...(workspace === undefined ? {} : { workspace }),
    ...(path === undefined ? {} : { path }),
    ...(cap === undefined ? {} : { cap }),
  });
  return hits.map(({ event }) => event.id);
}
