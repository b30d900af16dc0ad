import { stat } from 'node:fs/promises';
import { MemoryStore } from '@vizprompt/memory';
import { percentile, round, type Figures } from '../figures.ts';
import { sessionEvents, SESSION_EVENTS, workspaceOf } from './make-events.ts';
import { KINDS, queryMix, type MixQuery } from './queries.ts';

const QUERIES = 200;
/** How many of them are also ranked without a cap. */
const UNCAPPED = 40;
const K = 10;

/** How long search and recall take in a memory of so many events, and how much of it they look past. */
export async function benchSpeed(
  path: string,
  events: number,
  log: (line: string) => void,
): Promise<Figures> {
  await using store = await MemoryStore.open({ path });
  const sessions = Math.ceil(events / SESSION_EVENTS);
  const filled = await fill(store, sessions, log);
  const bytes = (await stat(path)).size / (sessions * SESSION_EVENTS);
  const mix = queryMix(sessions, QUERIES);
  for (const query of mix.slice(0, KINDS.length * 2)) await ask(store, query);

  const times: { kind: string; ms: number }[] = [];
  for (const query of mix) {
    const start = performance.now();
    await ask(store, query);
    times.push({ kind: query.kind, ms: performance.now() - start });
  }
  const recalls: number[] = [];
  for (const { text, workspace, path: file } of mix) {
    const start = performance.now();
    await store.recall({
      query: text,
      workspace: workspace ?? workspaceOf(sessions - 1),
      ...(file === undefined ? {} : { path: file }),
      budgetTokens: 2000,
    });
    recalls.push(performance.now() - start);
  }
  const shares: { kind: string; share: number }[] = [];
  for (const query of mix.slice(0, UNCAPPED)) {
    const all = await ask(store, query, Number.MAX_SAFE_INTEGER);
    const found = new Set(await ask(store, query));
    const share = all.length === 0 ? 1 : all.filter((id) => found.has(id)).length / all.length;
    shares.push({ kind: query.kind, share });
    log(`  uncapped ${query.kind}: ${round(share)}`);
  }
  const all = times.map(({ ms }) => ms);
  const mean = (kind?: string): number => {
    const of = shares.filter((one) => kind === undefined || one.kind === kind);
    return round(of.reduce((sum, { share }) => sum + share, 0) / of.length);
  };
  return {
    events: sessions * SESSION_EVENTS,
    fill_events_per_s: round(filled),
    bytes_per_event: round(bytes),
    search_p50_ms: round(percentile(all, 0.5)),
    search_p95_ms: round(percentile(all, 0.95)),
    ...Object.fromEntries(
      KINDS.map((kind) => [
        `search_${kind}_p95_ms`,
        round(
          percentile(
            times.filter((one) => one.kind === kind).map(({ ms }) => ms),
            0.95,
          ),
        ),
      ]),
    ),
    search_recall_at_10: mean(),
    ...Object.fromEntries(KINDS.map((kind) => [`search_${kind}_recall_at_10`, mean(kind)])),
    recall_p50_ms: round(percentile(recalls, 0.5)),
    recall_p95_ms: round(percentile(recalls, 0.95)),
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
  const start = performance.now();
  for (let session = 0; session < sessions; session++) {
    const { id } = await store.startSession({ workspace: workspaceOf(session) });
    await store.logMany(id, sessionEvents(session, SESSION_EVENTS));
    if (session % 500 === 499) {
      const seconds = (performance.now() - start) / 1000;
      log(`  ${(session + 1) * SESSION_EVENTS} events after ${round(seconds)} s`);
    }
  }
  return (sessions * SESSION_EVENTS * 1000) / (performance.now() - start);
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
