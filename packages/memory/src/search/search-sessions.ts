import type { SqlExecutor } from '@vizprompt/providers';
import { TEXT } from '@vizprompt/providers/config/internal';
import { inParts } from '@vizprompt/providers/internal';
import type { TextMatches } from '@vizprompt/providers/text';
import { checkArgument, checkOptions } from '../check-values.ts';
import type { SessionInfo } from '../model/session.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { SELECT_SESSIONS, type SessionRow, toListedSession } from '../store/session-rows.ts';
import { listOf } from '../store/sql.ts';
import {
  questionFactor,
  type QuestionFactor,
  type RankedEvent,
  rankEvents,
  weightsOf,
} from './rank-events.ts';
import { relatedWords } from './related-words.ts';
import { matchEvents, SEARCH_OPTIONS, type SearchOptions, toHits } from './search-events.ts';
import type { SessionHit } from './search-types.ts';

/** From this many of the best events sessions are gathered. */
const DEPTH = 400;
/** How many events of a session count, each half as much as the one before. */
const EVENTS = 3;
/** The weight of a session as a whole relative to its best events. */
const WHOLE = 0.35;

/** Finds the sessions whose events fit a query best. */
export async function searchSessions(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
): Promise<SessionHit[]> {
  checkArgument('the query', query, TEXT);
  checkOptions('searchSessions', options, SEARCH_OPTIONS);
  const { limit = 10, k = limit } = options;
  const { matches, around } = await matchEvents(context, query, options, relatedWords(query));
  if (matches.rows.size === 0) return [];
  const { database, index } = context;
  const factor = questionFactor(query, index.analyzer);
  const ranked = await rankEvents(database, matches, {
    depth: DEPTH,
    around,
    count: DEPTH,
    factor,
  });
  const bySession = new Map<number, RankedEvent[]>();
  for (const event of ranked) {
    const { session } = event;
    if (session === undefined) continue;
    const known = bySession.get(session);
    if (!known) bySession.set(session, [event]);
    else if (known.length < EVENTS) known.push(event);
  }
  const sessions = await sessionsByKey(context, [...bySession.keys()]);
  const words = await countWords(database, matches);
  const best = scored(bySession, sessions, words, factor)
    .toSorted((a, b) => b.score - a.score || b.key - a.key)
    .slice(0, k);
  const hits: SessionHit[] = [];
  for (const { key, events, score } of best) {
    const session = sessions.get(key);
    const shown = events.filter(({ isMatch }) => isMatch);
    if (session) hits.push({ session, score, events: await toHits(context, query, shown) });
  }
  return hits;
}

interface ScoredSession {
  readonly key: number;
  readonly events: readonly RankedEvent[];
  readonly score: number;
}

/** Returns the score of a session: its best events, and for a part what is said in all of it. */
function scored(
  bySession: ReadonlyMap<number, readonly RankedEvent[]>,
  sessions: ReadonlyMap<number, SessionInfo>,
  words: WordCounts,
  factor: QuestionFactor,
): readonly ScoredSession[] {
  const found = [...bySession].flatMap(([key, events]) => {
    const session = sessions.get(key);
    return session ? [{ key, events, session, byEvents: scoreOf(events) }] : [];
  });
  const events = found.reduce((sum, { session }) => sum + session.event_count, 0);
  const mean = Math.max(1, events / Math.max(1, found.length));
  const both = found.map((one) => {
    const whole = sessionScore(words, one.key, one.session.event_count / mean);
    return { ...one, byWhole: whole * factor.of({ timestamp: one.session.started_at }) };
  });
  const bestEvents = Math.max(...both.map(({ byEvents }) => byEvents));
  const bestWhole = Math.max(...both.map(({ byWhole }) => byWhole));
  return both.map(({ key, events: own, byEvents, byWhole }) => {
    const whole = bestWhole > 0 ? (byWhole / bestWhole) * bestEvents : 0;
    return { key, events: own, score: (1 - WHOLE) * byEvents + WHOLE * whole };
  });
}

function scoreOf(events: readonly RankedEvent[]): number {
  return events.reduce((sum, { score }, place) => sum + score / 2 ** place, 0);
}

async function sessionsByKey(
  { database, tenant }: MemoryContext,
  keys: readonly number[],
): Promise<Map<number, SessionInfo>> {
  if (keys.length === 0) return new Map();
  const rows = await database.query<SessionRow>(
    `${SELECT_SESSIONS} WHERE COALESCE(tenant, '') = ? AND key IN ${listOf(keys)}`,
    [tenant, ...keys],
  );
  return new Map(rows.map((row) => [row.key, toListedSession(row)]));
}

/** The saturation of repeated words, and the influence of a session's length: BM25. */
const K1 = 1.2;
const B = 0.75;
/** How many events one query asks for. */
const KEYS_AT_ONCE = 500;

/** How often the words of a query are said in sessions. */
interface WordCounts {
  /** By session: the number of its events that have a word, by the place of the word. */
  readonly bySession: ReadonlyMap<number, readonly number[]>;
  /** The weight of a word, by the number of sessions that have it. */
  readonly weights: readonly number[];
}

/** Counts the events of each session that have each word of a query. */
async function countWords(
  database: SqlExecutor,
  { groups, rows }: TextMatches,
): Promise<WordCounts> {
  const bySession = new Map<number, number[]>();
  const keys = [...rows.keys()];
  for (const part of inParts(keys, KEYS_AT_ONCE)) {
    const places = await database.query<{ key: number; session: number }>(
      `SELECT key, session_key AS session FROM memory_events
       WHERE key IN ${listOf(part)}`,
      part,
    );
    for (const { key, session } of places) {
      const counts = bySession.get(session) ?? groups.map(() => 0);
      const bits = rows.get(key) ?? 0;
      bySession.set(
        session,
        counts.map((count, bit) => (bits & (1 << bit) ? count + 1 : count)),
      );
    }
  }
  const all = [...bySession.values()];
  const frequencies = groups.map((_, bit) => {
    const having = all.filter((counts) => (counts[bit] ?? 0) > 0).length;
    return Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
  });
  return { bySession, weights: weightsOf(groups, frequencies) };
}

/**
 * How well a whole session fits, by BM25 with events instead of words.
 *
 * @param length - The events of the session, as a share of those of a session on average.
 */
function sessionScore({ bySession, weights }: WordCounts, session: number, length: number): number {
  const counts = bySession.get(session) ?? [];
  return counts.reduce((sum, count, bit) => {
    const often = (count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    return sum + (weights[bit] ?? 0) * often;
  }, 0);
}
