import {
  AT_A_TIME,
  FLAG,
  type Kinds,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { fuseRanks } from '@vizprompt/providers/internal';
import type { TextMatches, TextMatchOptions } from '@vizprompt/providers/text';
import { checkArgument, checkOptions } from '../check-values.ts';
import { LONG_TAG, shownText, tagClauses } from '../indexing/indexed-event.ts';
import { typesOf } from '../model/event-data.ts';
import { toTime } from '../model/ids-and-times.ts';
import { limitKind } from '../model/input-kinds.ts';
import { workspacePath } from '../model/paths.ts';
import { storedFile } from '../redact/redactor.ts';
import { sessionKeysOf } from '../session/audience.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import { type EventRow, OF_TENANT, readEventRows, SELECT_EVENTS } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { resolveSession } from '../store/session-rows.ts';
import { listOf, type SqlCondition, SqlConditions } from '../store/sql.ts';
import { questionFactor, type RankedEvent, rankEvents, type RankOptions } from './rank-events.ts';
import { relatedWords } from './related-words.ts';
import { SEARCH_FILTER, type SearchFilter, type SearchHit } from './search-types.ts';

/** Where to search, and how much to give. */
export interface SearchOptions extends SearchFilter {
  /** How many at most. Default: 10. */
  readonly limit?: number | undefined;
  /** @deprecated The former name of `limit`. */
  readonly k?: number | undefined;
  /**
   * Also finds events that have none of the words, next to ones that have: the answer next to
   * the question; and those that name a member of a kind that the query names, such as `brownies` for `dessert`. The filters hold for them, too. Default: `false`; the events around an event count for its place in any case.
   */
  readonly around?: boolean | undefined;
  /**
   * The most events with a frequent word that are scanned, the newest first: it bounds the time. All events with the
   * rarest words of the query are scanned, as long as they are at most five times as many together. `Infinity`
   * looks at all. Default: 500.
   */
  readonly cap?: number | undefined;
  /**
   * True if events are found by meaning, too, where the memory has `embeddings`. Default: `true`, unless the
   * query has text between double quotes.
   */
  readonly vectors?: boolean | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

export const SEARCH_OPTIONS: Kinds<SearchOptions> = {
  ...SEARCH_FILTER,
  limit: limitKind(10),
  k: { ...limitKind(10), isCodeOnly: true },
  around: optional(FLAG, {
    en: 'Also events without the words that are next to ones with them',
    ja: '語を含むイベントの隣にある、語を含まないイベントも',
  }),
  cap: optional(AT_A_TIME, { isCodeOnly: true }),
  vectors: optional(FLAG, {
    en: 'Also events of the same meaning, where the memory has embeddings',
    ja: '意味の近いイベントも(埋め込みがあるとき)',
  }),
  signal: optional(SIGNAL),
};

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
  const { limit = 10, k = limit, around = false } = options;
  const depth = Math.max(DEPTH, 2 * k);
  // Hits by meaning may lift those that come later.
  const count = context.vectors ? depth : k;
  const ranked = await findEvents(context, query, options, { depth, around, count });
  const wanted = around ? ranked : ranked.filter(({ isMatch }) => isMatch);
  const near = await findByMeaning(context, query, options, depth);
  if (near.length === 0) return toHits(context, query, wanted.slice(0, k));
  const fused = fuseRanks([wanted.map(({ key }) => key), near]);
  return toHits(context, query, fused.slice(0, k));
}

/** Returns the keys of the events that mean nearly the same, the nearest first, where there are vectors. */
export async function findByMeaning(
  context: MemoryContext,
  query: string,
  options: SearchOptions,
  k: number,
): Promise<readonly number[]> {
  const { vectors } = context;
  // Text between double quotes is looked for as it is.
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
  const alternatives = how.around ? relatedWords(query) : undefined;
  const { matches, around } = await matchEvents(context, query, options, alternatives);
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
  alternatives?: TextMatchOptions['alternatives'],
): Promise<{ readonly matches: TextMatches; readonly around: SqlCondition }> {
  const { cap, signal } = options;
  const { index, around } = await scopeOf(context, options);
  const matches = await context.index.match(query, {
    ...index,
    last: LONG_TAG,
    ...(alternatives ? { alternatives } : {}),
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
    `${SELECT_EVENTS} WHERE ${OF_TENANT} AND e.key IN ${listOf(wanted)}`,
    [tenant, ...wanted.map(({ key }) => key)],
  );
  // A damaged event is not a hit; events() and check() report it.
  const { events } = await readEventRows(database, tenant, rows, 'omit');
  const byKey = new Map(rows.map(({ key }, place) => [key, events[place]]));
  return wanted.flatMap(({ key, score }) => {
    const event = byKey.get(key);
    if (!event) return [];
    return [{ event, score, snippet: index.snippet(shownText(event), query) }];
  });
}

/** The part of the index that a search looks at. */
type IndexScope = Pick<TextMatchOptions, 'tags' | 'where'>;

/** Where a search looks. */
interface SearchScope {
  readonly index: IndexScope;
  /** The condition on events, called `n`, around those of the index in their sessions. */
  readonly around: SqlCondition;
}

/**
 * Returns the condition of the filters.
 *
 * @throws MemoryError `invalid-input`, `session-not-found` or `path-outside`.
 */
async function scopeOf(context: MemoryContext, filter: SearchFilter): Promise<SearchScope> {
  const { workspace, session, path } = filter;
  const types = filter.type === undefined ? undefined : typesOf(filter.type);
  const after = filter.after === undefined ? undefined : toTime(filter.after, 'after');
  const before = filter.before === undefined ? undefined : toTime(filter.before, 'before');
  const place = session === undefined ? undefined : await resolveSession(context, session);
  const root = workspace ?? place?.workspace;
  const file =
    path === undefined ? undefined : storedFile(path, workspacePath(root), context.redact);
  const workspaces = workspace === undefined ? undefined : await workspaceGroup(context, workspace);
  const moved = workspaces ? await movedSessions(context, workspaces) : NONE_MOVED;
  const clauses = tagClauses({
    tenant: context.tenant,
    ...(place ? { session: place.key } : {}),
    ...(workspaces ? { workspaces } : {}),
    ...(moved.here.length > 0 ? { sessions: moved.here } : {}),
    ...(types === undefined ? {} : { types }),
    ...(file === undefined ? {} : { path: file }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  });
  const { user, room } = filter;
  const sessions =
    user === undefined && room === undefined
      ? undefined
      : await sessionKeysOf(context, { user, room });
  const where = conditionsFor(after, before, moved.away, sessions);
  return {
    index: { tags: clauses, ...(where ? { where } : {}) },
    around: aroundCondition({ types, file, after, before }),
  };
}

/** Sessions and workspaces are those of the events in the middle. */
function aroundCondition(filter: {
  readonly types: readonly string[] | undefined;
  readonly file: string | undefined;
  readonly after: string | undefined;
  readonly before: string | undefined;
}): SqlCondition {
  const { types, file, after, before } = filter;
  const where = new SqlConditions().add("n.type <> 'forgotten'");
  if (types) where.addIn('n.type', types);
  if (file !== undefined) where.add('n.file_path = ?', file);
  if (after !== undefined) where.add('n.timestamp > ?', after);
  if (before !== undefined) where.add('n.timestamp < ?', before);
  return where;
}

interface Moved {
  readonly here: readonly number[];
  readonly away: readonly number[];
}

const NONE_MOVED: Moved = { here: [], away: [] };

/** Sessions that were moved into the workspaces or out of them after they were started. */
async function movedSessions(
  { database, tenant }: MemoryContext,
  workspaces: readonly string[],
): Promise<Moved> {
  const rows = await database.query<{ key: number; home_path: string; workspace_path: string }>(
    `SELECT key, home_path, workspace_path FROM memory_sessions
     WHERE tenant = ? AND home_path <> workspace_path`,
    [tenant],
  );
  if (rows.length === 0) return NONE_MOVED;
  const isHere = (row: (typeof rows)[number]): boolean => workspaces.includes(row.workspace_path);
  const wasHere = (row: (typeof rows)[number]): boolean => workspaces.includes(row.home_path);
  return {
    here: rows.filter((row) => isHere(row) && !wasHere(row)).map(({ key }) => key),
    away: rows.filter((row) => wasHere(row) && !isHere(row)).map(({ key }) => key),
  };
}

function conditionsFor(
  after: string | undefined,
  before: string | undefined,
  away: readonly number[],
  sessions: readonly number[] | undefined,
): TextMatchOptions['where'] {
  const where = new SqlConditions();
  if (after !== undefined) where.add('timestamp > ?', after);
  if (before !== undefined) where.add('timestamp < ?', before);
  if (away.length > 0) where.add(`session_key NOT IN ${listOf(away)}`, ...away);
  if (sessions?.length === 0) where.add('1 = 0');
  else if (sessions) where.add(`session_key IN ${listOf(sessions)}`, ...sessions);
  return where.isEmpty ? undefined : where;
}
