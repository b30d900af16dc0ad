import type { SessionInfo } from '../model/session.ts';
import { assertLimit } from '../session/list-sessions.ts';
import { SELECT_SESSIONS, toSession, type SessionRow } from '../session/session-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import type { RankedEvent } from './rank-events.ts';
import { findEvents, toHits } from './search-events.ts';
import type { SearchOptions, SessionHit } from './search-options.ts';

/** From so many of the best events sessions are gathered. */
const DEPTH = 400;
/** How many events of a session count, each half as much as the one before. */
const EVENTS = 3;

/** Finds the sessions whose events fit a query best. */
export async function searchSessions(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
): Promise<SessionHit[]> {
  const { k = 10 } = options;
  assertLimit(k);
  const bySession = new Map<number, RankedEvent[]>();
  for (const event of await findEvents(context, query, options, {
    depth: DEPTH,
    around: true,
  })) {
    const known = bySession.get(event.session);
    if (!known) bySession.set(event.session, [event]);
    else if (known.length < EVENTS) known.push(event);
  }
  const best = [...bySession]
    .map(([key, events]) => ({ key, events, score: scoreOf(events) }))
    .toSorted((a, b) => b.score - a.score || b.key - a.key)
    .slice(0, k);
  const sessions = await sessionsByKey(
    context,
    best.map(({ key }) => key),
  );
  const hits: SessionHit[] = [];
  for (const { key, events, score } of best) {
    const session = sessions.get(key);
    const shown = events.filter(({ isMatch }) => isMatch);
    if (session) hits.push({ session, score, events: await toHits(context, query, shown) });
  }
  return hits;
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
    `${SELECT_SESSIONS} WHERE COALESCE(tenant, '') = ? AND key IN (${keys.map(() => '?').join(', ')})`,
    [tenant, ...keys],
  );
  return new Map(rows.map((row) => [row.key, toSession(row)]));
}
