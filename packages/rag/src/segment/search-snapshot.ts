import type { Analyzer } from '../analyze/analyzer.ts';
import type { SearchHit, SearchOptions, SearchResults } from '../backends/search-backend.ts';
import { compileFilter } from '../query/compile-filter.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query } from '../query/query.ts';
import { hintFor } from '../rank/hint.ts';
import { queryGroups, type GroupSet } from '../rank/query-groups.ts';
import { textConditions, type TextConditions } from '../rank/text-conditions.ts';
import { findChunks, type FindRequest, type Found } from './find-chunks.ts';
import { resolveQuery } from './score-segments.ts';
import { makeHit } from './make-hit.ts';
import type { Snapshot } from './snapshot.ts';

const DEFAULT_K = 10;

/** Answers a query from one snapshot. */
export async function searchSnapshot(
  snapshot: Snapshot,
  analyzer: Analyzer,
  source: string,
  options: SearchOptions,
): Promise<SearchResults> {
  const { k = DEFAULT_K, offset = 0, signal } = options;
  signal?.throwIfAborted();
  const query = parseQuery(source);
  if (query.clauses.length === 0 || snapshot.size === 0)
    return { hits: [], total: 0, ...hintFor(query) };
  const conditions = await textConditions(query);
  const found = await find(snapshot, analyzer, query, conditions, {
    allows: await documentFilter(snapshot, query, options),
    count: offset + k,
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  const hits = found.best
    .slice(offset, offset + k)
    .map((place): SearchHit => makeHit(snapshot, found, place, conditions, options));
  return { hits, total: found.total, ...(found.total === 0 ? hintFor(query) : {}) };
}

/**
 * Finds by words first. Where the words of a phrase are cut in another way than the same characters
 * in a text, and where a query has no words at all, the texts themselves are read.
 */
async function find(
  snapshot: Snapshot,
  analyzer: Analyzer,
  query: Query,
  conditions: TextConditions,
  request: Pick<FindRequest, 'allows' | 'count' | 'signal'>,
): Promise<Found> {
  const sets = queryGroups(query, analyzer);
  const isWordless = !sets.some(({ occur }) => occur !== 'not');
  const asked = isWordless ? await literally(query, conditions) : conditions;
  const text = query.clauses
    .flatMap((clause) => {
      const isText = clause.kind === 'words' || clause.kind === 'phrase' || clause.kind === 'part';
      return isText && clause.occur !== 'not' ? [clause.text] : [];
    })
    .join('\n');
  const search = (groups: readonly GroupSet[]): Promise<Found> =>
    findChunks(snapshot, {
      ...request,
      query: resolveQuery(snapshot, groups),
      text,
      ...(asked.accepts ? { accepts: asked.accepts } : {}),
    });
  const found = await search(sets);
  const phrases = query.clauses.some(({ kind, occur }) => kind === 'phrase' && occur !== 'not');
  if (found.total > 0 || !phrases) return found;
  return search(sets.filter(({ isPhrase }) => !isPhrase));
}

/** A query of particles and signs alone asks for these very characters. */
function literally(
  query: Query,
  conditions: TextConditions,
): TextConditions | Promise<TextConditions> {
  const clauses = query.clauses.map((clause) => {
    if (clause.kind !== 'words' || clause.occur === 'not' || clause.text.trim() === '')
      return clause;
    const { start, end, text } = clause;
    const field = clause.field === 'title' ? ('title' as const) : ('any' as const);
    return { kind: 'phrase' as const, occur: 'must' as const, start, end, text, field };
  });
  const isChanged = clauses.some((clause, place) => clause !== query.clauses[place]);
  return isChanged ? textConditions({ ...query, clauses }) : conditions;
}

async function documentFilter(
  snapshot: Snapshot,
  query: Query,
  { filter = {} }: SearchOptions,
): Promise<NonNullable<FindRequest['allows']> | undefined> {
  const isFiltered =
    Object.keys(filter).length > 0 ||
    query.clauses.some(({ kind }) => kind === 'tag' || kind === 'path');
  if (!isFiltered) return undefined;
  const fits = await compileFilter(filter, query.clauses);
  const known = new Map<number, Map<readonly string[], boolean>>();
  return (number, tags) => {
    const byTags = known.get(number) ?? new Map<readonly string[], boolean>();
    known.set(number, byTags);
    let isAllowed = byTags.get(tags);
    if (isAllowed === undefined) {
      const document = snapshot.documents[number];
      isAllowed = document !== undefined && fits({ ...document, tags });
      byTags.set(tags, isAllowed);
    }
    return isAllowed;
  };
}
