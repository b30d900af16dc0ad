import type { TextMatches } from '@vizprompt/providers/text';
import { TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument, checkOptions } from '../check-values.ts';
import { LONG_TAG } from '../indexing/event-tags.ts';
import { shownText } from '../indexing/indexed-event.ts';
import { OF_TENANT, readEventRows, SELECT_EVENTS, type EventRow } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { fuseKeys } from './fuse-keys.ts';
import { questionFactor } from './question-factor.ts';
import { rankEvents, type RankedEvent, type RankOptions } from './rank-events.ts';
import { SEARCH_OPTIONS, type SearchHit, type SearchOptions } from './search-options.ts';
import { scopeOf, type SqlCondition } from './search-scope.ts';

/** How many events are looked at with what is around them, unless more are asked for. */
const DEPTH = 64;

/** Finds events by words, the best first. */
export async function searchEvents(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
): Promise<SearchHit[]> {
  checkArgument('the query', query, TEXT);
  checkOptions('search', options, SEARCH_OPTIONS);
  const { k = 10, around = false } = options;
  const depth = Math.max(DEPTH, 2 * k);
  // What is found by meaning may lift those that come later.
  const count = context.vectors ? depth : k;
  const ranked = await findEvents(context, query, options, { depth, around, count });
  const wanted = around ? ranked : ranked.filter(({ isMatch }) => isMatch);
  const near = await findByMeaning(context, query, options, depth);
  if (near.length === 0) return toHits(context, query, wanted.slice(0, k));
  const fused = fuseKeys([wanted.map(({ key }) => key), near]);
  return toHits(context, query, fused.slice(0, k));
}

/** The keys of the events that mean nearly the same, the nearest first, where there are vectors. */
export async function findByMeaning(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
  k: number,
): Promise<readonly number[]> {
  const { vectors } = context;
  // What stands between double quotes is looked for as it stands.
  const isWanted = options.vectors ?? !query.includes('"');
  if (!vectors || !isWanted) return [];
  const { index } = await scopeOf(context, options);
  return vectors.matches(query, index, k, options.signal);
}

/** Finds the keys of events by words, the best first. */
export async function findEvents(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
  how: Pick<RankOptions, 'depth' | 'count'> & { readonly around: boolean },
): Promise<readonly RankedEvent[]> {
  const { matches, around } = await matchEvents(context, query, options);
  if (matches.rows.size === 0) return [];
  return rankEvents(context.database, matches, {
    ...how,
    around: how.around ? around : undefined,
    factor: questionFactor(query, context.index.analyzer),
  });
}

/** Finds which events have which words, and which events around them fit. */
export async function matchEvents(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
): Promise<{ readonly matches: TextMatches; readonly around: SqlCondition }> {
  const { cap, signal } = options;
  const { index, around } = await scopeOf(context, options);
  const matches = await context.index.match(query, {
    ...index,
    last: LONG_TAG,
    ...(cap === undefined ? {} : { cap }),
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  return { matches, around };
}

/** Ranked events, with what to show of them. */
export async function toHits(
  { database, tenant, index }: MemoryContext,
  query: string,
  wanted: readonly Pick<RankedEvent, 'key' | 'score'>[],
): Promise<SearchHit[]> {
  if (wanted.length === 0) return [];
  const rows = await database.query<EventRow>(
    `${SELECT_EVENTS} WHERE ${OF_TENANT} AND e.key IN (${wanted.map(() => '?').join(', ')})`,
    [tenant, ...wanted.map(({ key }) => key)],
  );
  // A damaged event is no hit; events() and check() report it.
  const { events } = await readEventRows(database, tenant, rows, 'omit');
  const byKey = new Map(rows.map(({ key }, place) => [key, events[place]]));
  return wanted.flatMap(({ key, score }) => {
    const event = byKey.get(key);
    if (!event) return [];
    return [{ event, score, snippet: index.snippet(shownText(event), query) }];
  });
}
