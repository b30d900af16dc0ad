import type { Query } from '../query/query.ts';

/** What may help where nothing was found. */
export function hintFor(query: Query): { readonly hint?: string } {
  const kinds = new Set(query.clauses.map(({ kind }) => kind));
  const isDemanding = query.clauses.some(({ occur }) => occur === 'must');
  if (query.clauses.length === 0) return { hint: 'The query is empty: ask in words.' };
  if (kinds.has('tag') || kinds.has('path')) {
    return { hint: 'Nothing matches with these tags and paths: search without them.' };
  }
  if (kinds.has('phrase') || kinds.has('regex')) {
    return { hint: 'Nothing holds this very text: ask for the words, without quotes or slashes.' };
  }
  if (isDemanding) return { hint: 'Nothing has all words with a plus: leave the plus away.' };
  return { hint: 'No chunk has any of these words: try other words, or *part* of a word.' };
}
