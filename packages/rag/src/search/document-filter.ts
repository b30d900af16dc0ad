import type { SearchFilter } from '../contract/search-backend.ts';
import { compileFilter } from '../query/compile-filter.ts';
import type { Query } from '../query/query.ts';
import type { ChunkIndex } from './chunk-index.ts';

/** What a filter and the `tag:` and `path:` of a query let through; nothing if all. */
export async function documentFilter(
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
