import type { SearchFilter } from '../contract/search-backend.ts';
import type { Query } from '../query/query.ts';

/** The note on every answer of an index of which parts were damaged. */
export const DAMAGED = {
  degraded: true,
  hint: 'The index was damaged, and documents may be missing: index again.',
} as const;

/** Returns advice for a search that found nothing. */
export function hintFor(query: Query, filter: SearchFilter = {}): { readonly hint?: string } {
  const { clauses } = query;
  const kinds = new Set(clauses.map(({ kind }) => kind));
  if (clauses.length === 0) return { hint: 'The query is empty: ask in words.' };
  if (kinds.has('tag') || kinds.has('path')) {
    return { hint: 'Nothing matches with these tags and paths: search without them.' };
  }
  // The project of the search is not a filter that could be left out.
  if (filter.files ?? filter.tags) {
    return {
      hint: 'Nothing that the filter leaves matches: search without it, or in other words.',
    };
  }
  if (clauses.some(({ occur }) => occur === 'not')) {
    return {
      hint: 'Nothing matches without the words that have a minus: remove the minus, or try other words.',
    };
  }
  if (kinds.has('phrase') || kinds.has('regex')) {
    return { hint: 'Nothing holds this very text: ask for the words, without quotes or slashes.' };
  }
  if (clauses.some(({ occur }) => occur === 'must')) {
    return { hint: 'Nothing has all words with a plus: leave the plus away.' };
  }
  if (clauses.some((clause) => clause.kind === 'words' && clause.field === 'title')) {
    return { hint: 'No title or heading has these words: search without title:.' };
  }
  const asked = filter.projects ? 'No chunk of these projects' : 'No chunk';
  return { hint: `${asked} has any of these words: try other words, or *part* of a word.` };
}
