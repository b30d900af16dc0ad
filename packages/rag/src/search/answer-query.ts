import type { Analyzer } from '../analyze/analyzer.ts';
import type { Synonyms } from '../contract/synonyms.ts';
import type {
  SearchOptions,
  SearchResults,
  ChooseHits,
  SearchFilter,
} from '../contract/search-backend.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { Query } from '../query/query.ts';
import { hintFor } from '../rank/hint.ts';
import { queryGroups, type GroupSet } from '../rank/query-groups.ts';
import { textConditions, type TextConditions } from '../rank/text-conditions.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { findChunks, type FindRequest, type Found, type FoundChunk } from './find-chunks.ts';
import { makeHits } from './make-hit.ts';
import { compileFilter } from '../query/compile-filter.ts';

const DEFAULT_K = 10;

/** How the words of queries are understood. */
export interface QueryLanguage {
  readonly analyzer: Analyzer;
  readonly synonyms?: Synonyms;
}

/** Answers a query from an index. */
export async function answerQuery(
  index: ChunkIndex,
  language: QueryLanguage,
  source: string,
  options: SearchOptions,
  choose?: ChooseHits,
): Promise<SearchResults> {
  const { k = DEFAULT_K, offset = 0, signal } = options;
  signal?.throwIfAborted();
  const query = parseQuery(source);
  const conditions = await textConditions(query);
  if (query.clauses.length === 0 || index.size === 0) {
    return { hits: [], total: 0, ...hintFor(query, options.filter) };
  }
  const found = await find(index, language, query, conditions, {
    allows: await documentFilter(index, query, options.filter),
    count: offset + k,
    ...(signal ? { signal } : {}),
  });
  signal?.throwIfAborted();
  const page = found.best.slice(offset, offset + k);
  const places = choose ? await chosenOf(page, choose) : page;
  const hits = await makeHits(index, found, places, conditions, options);
  return { hits, total: found.total, ...(found.total === 0 ? hintFor(query, options.filter) : {}) };
}

async function chosenOf(
  page: readonly FoundChunk[],
  choose: ChooseHits,
): Promise<readonly FoundChunk[]> {
  const ids: string[] = [];
  for (const { part, doc } of page) ids.push((await part.chunks([doc]))[0]?.id ?? '');
  const chosen = await choose(page.map(({ score }, at) => ({ id: ids[at] ?? '', score })));
  return page.filter((_, at) => chosen.has(ids[at] ?? ''));
}

/**
 * Finds by words first. Where the words of a phrase are cut in another way than the same characters
 * in a text, and where a query has no words at all, the texts themselves are read.
 */
async function find(
  index: ChunkIndex,
  { analyzer, synonyms }: QueryLanguage,
  query: Query,
  conditions: TextConditions,
  request: Pick<FindRequest, 'allows' | 'count' | 'signal'>,
): Promise<Found> {
  const sets = queryGroups(query, analyzer, synonyms);
  const isWordless = !sets.some(({ occur }) => occur !== 'not');
  const { accepts } = isWordless ? await literally(query, conditions) : conditions;
  const text = query.clauses
    .flatMap((clause) => {
      const isText = clause.kind === 'words' || clause.kind === 'phrase' || clause.kind === 'part';
      // How a reading is written says nothing of how the word is.
      const isReading = clause.kind === 'words' && clause.field === 'reading';
      return isText && !isReading && clause.occur !== 'not' ? [clause.text] : [];
    })
    .join('\n');
  const search = (groups: readonly GroupSet[]): Promise<Found> =>
    findChunks(index, { ...request, sets: groups, text, accepts });
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

/** What a filter and the `tag:` and `path:` of a query let through; nothing if all. */
async function documentFilter(
  index: ChunkIndex,
  query: Query,
  filter: SearchFilter = {},
): Promise<((document: number, tags: readonly string[]) => boolean) | undefined> {
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
      const document = index.document(number);
      isAllowed = document !== undefined && fits({ ...document, tags });
      byTags.set(tags, isAllowed);
    }
    return isAllowed;
  };
}
