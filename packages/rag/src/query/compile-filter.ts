import type { SearchFilter } from '../contract/search-backend.ts';
import type { ChunkFields } from '../chunk/chunk.ts';
import { compilePaths, type PathPredicate } from './glob.ts';
import type { ClauseOf, QueryClause } from './query.ts';

/** The fields that a filter looks at; a `Chunk` has them. */
type FilteredFields = Pick<ChunkFields, 'novelId' | 'filePath' | 'tags'>;

/** Checks whether a chunk may be found. */
export type ChunkPredicate = (chunk: FilteredFields) => boolean;

/**
 * Makes one predicate of a filter and of the clauses `tag:` and `path:` of a query; other clauses are
 * passed over. A chunk passes if it is in any of the projects and files of the filter, fits any of the
 * paths and none of the `-path:` of the query, and has all tags of both and none of `-tag:`. An empty
 * list of projects or files lets nothing through. Tags are compared without case and width.
 *
 * @example
 * ```ts
 * const passes = await compileFilter({ projects: ['灯台'] }, parseQuery('嵐 -tag:草稿').clauses);
 * passes({ novelId: '灯台', filePath: '01.md', tags: [] }); // true
 * ```
 */
export async function compileFilter(
  filter: SearchFilter,
  clauses: readonly QueryClause[] = [],
): Promise<ChunkPredicate> {
  const tags = clauses.filter((clause) => clause.kind === 'tag');
  const paths = clauses.filter((clause) => clause.kind === 'path');
  const parts = [
    inProjects(filter.projects),
    withTags([...(filter.tags ?? []), ...tagsOf(tags, 'must')], tagsOf(tags, 'not')),
    onPath(optionalPaths(filter.files)),
    onPath(optionalPaths(globsOf(paths, 'must'))),
    notOnPath(optionalPaths(globsOf(paths, 'not'))),
  ].filter((part) => part !== undefined);
  return (chunk) => parts.every((part) => part(chunk));
}

function inProjects(projects: readonly string[] | undefined): ChunkPredicate | undefined {
  if (projects === undefined) return undefined;
  const wanted = new Set(projects);
  return ({ novelId }) => wanted.has(novelId);
}

function withTags(must: readonly string[], not: readonly string[]): ChunkPredicate | undefined {
  if (must.length === 0 && not.length === 0) return undefined;
  const wanted = must.map(foldTag);
  const unwanted = not.map(foldTag);
  return ({ tags = [] }) => {
    const own = new Set(tags.map(foldTag));
    return wanted.every((tag) => own.has(tag)) && !unwanted.some((tag) => own.has(tag));
  };
}

function onPath(fits: PathPredicate | undefined): ChunkPredicate | undefined {
  return fits && (({ filePath }) => fits(filePath));
}

function notOnPath(fits: PathPredicate | undefined): ChunkPredicate | undefined {
  return fits && (({ filePath }) => !fits(filePath));
}

function optionalPaths(patterns: readonly string[] | undefined): PathPredicate | undefined {
  return patterns && compilePaths(patterns);
}

function tagsOf(clauses: readonly ClauseOf<'tag'>[], occur: 'must' | 'not'): readonly string[] {
  return clauses.filter((clause) => clause.occur === occur).map(({ tag }) => tag);
}

/** Nothing, not an empty list, where the query has no such clause. */
function globsOf(
  clauses: readonly ClauseOf<'path'>[],
  occur: 'must' | 'not',
): readonly string[] | undefined {
  const globs = clauses.filter((clause) => clause.occur === occur).map(({ glob }) => glob);
  return globs.length === 0 ? undefined : globs;
}

function foldTag(tag: string): string {
  return tag.normalize('NFKC').toLowerCase();
}
