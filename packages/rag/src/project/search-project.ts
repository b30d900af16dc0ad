import { type Kinds, oneOf, optional, TEXT } from '@vizprompt/providers/config/internal';
import {
  type LongOptions,
  SEARCH_FILTER,
  SEARCH_OPTIONS,
  type SearchOptions,
  type SearchResults,
} from '../contract/search-backend.ts';
import { checkArgument, checkOptions } from '../check-options.ts';
import { RagError } from '../errors.ts';
import { FILE_AREAS, type FileArea } from '../files/file-area.ts';
import { parseQuery } from '../query/parse-query.ts';
import { hintFor } from '../search/answer-query.ts';

/** Options of `NovelService.search`. */
export interface NovelSearchOptions extends Omit<SearchOptions, 'filter'> {
  /** Only files of this area. Default: all. */
  readonly area?: FileArea | undefined;
  /**
   * Whole paths, folders (`contents/第一部/`) or globs, any of them; with `area`, the area may be left
   * out. Default: all.
   */
  readonly files?: readonly string[] | undefined;
  /** Tags that all of the hits have. Default: any. */
  readonly tags?: readonly string[] | undefined;
}

/** The index of a project, as far as searching needs it. */
export interface SearchableProject {
  search(query: string, options?: SearchOptions): Promise<SearchResults>;
}

/** Lends the index of a project, which is opened when it is first needed. */
export interface ProjectIndexers {
  use<T>(
    project: string,
    task: (indexer: SearchableProject) => Promise<T>,
    options?: LongOptions,
  ): Promise<T>;
}

/** How many hits a search gives without `k`, and at most. */
export interface SearchLimits {
  readonly defaultK: number;
  readonly maxK: number;
}

/**
 * Searches one project by way of its index.
 *
 * @param indexers - Lends the index of the project.
 * @throws RagError with the code `invalid-input` if `limit` is more than `maxK`.
 */
export async function searchProject(
  indexers: ProjectIndexers,
  { defaultK, maxK }: SearchLimits,
  projectId: string,
  query: string,
  asked: NovelSearchOptions,
): Promise<SearchResults> {
  const { area, files, tags, ...options } = asked;
  const { limit = defaultK, k = limit } = options;
  if (k > maxK) {
    const message = `limit: expected at most ${maxK}, got ${k}: ask for further hits with offset`;
    throw new RagError('invalid-input', message, { context: { k, maxK } });
  }
  const paths = area === undefined ? files : inArea(area, files);
  const filter = {
    projects: [projectId],
    ...(paths === undefined ? {} : { files: paths }),
    ...(tags === undefined ? {} : { tags }),
  };
  const search = (project: SearchableProject): Promise<SearchResults> => {
    return project.search(query, { ...options, limit: k, k, filter });
  };
  const results = await indexers.use(projectId, search, options);
  // The area is not a filter that the caller could leave out.
  if (results.hint === undefined || area === undefined || files !== undefined) return results;
  const parsed = parseQuery(query);
  if (results.hint !== hintFor(parsed, filter).hint) return results;
  return { ...results, ...hintFor(parsed, tags === undefined ? {} : { tags }) };
}

const { filter: _filter, ...SEARCH } = SEARCH_OPTIONS;

export const NOVEL_SEARCH_OPTIONS: Kinds<NovelSearchOptions> = {
  area: optional(oneOf(...FILE_AREAS)),
  files: SEARCH_FILTER.files,
  tags: SEARCH_FILTER.tags,
  ...SEARCH,
};

/** @throws RagError with the code `invalid-input` for arguments of another type, and options that there are not. */
export function checkNovelSearch(
  projectId: unknown,
  query: unknown,
  options: NovelSearchOptions,
): void {
  checkArgument('the project id', projectId, TEXT);
  checkArgument('the query', query, TEXT);
  checkOptions('search', options, NOVEL_SEARCH_OPTIONS);
}

/** Patterns that let nothing through but files of the area. */
function inArea(area: FileArea, files: readonly string[] = ['']): readonly string[] {
  return files.map((pattern) => {
    if (pattern.startsWith(`${area}/`)) return pattern;
    const isName = /[*?]/.test(pattern) && !pattern.includes('/');
    return isName ? `${area}/**/${pattern}` : `${area}/${pattern}`;
  });
}
