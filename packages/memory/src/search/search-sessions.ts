import { TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument, checkOptions } from '../check-values.ts';
import type { SessionInfo } from '../model/session.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { SELECT_SESSIONS, toListedSession, type SessionRow } from '../store/session-rows.ts';
import { listOf } from '../store/sql.ts';
import {
  questionFactor,
  type QuestionFactor,
  rankEvents,
  type RankedEvent,
} from './rank-events.ts';
import { relatedWords } from './related-words.ts';
import { matchEvents, SEARCH_OPTIONS, toHits, type SearchOptions } from './search-events.ts';
import type { SessionHit } from './search-types.ts';
import { countWords, sessionScore, type WordCounts } from './session-bm25.ts';

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
