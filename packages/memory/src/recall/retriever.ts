import { type Passage, type Retriever } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { shownText } from '../indexing/indexed-event.ts';
import { WORKSPACE } from '../model/input-kinds.ts';
import { searchEvents } from '../search/search-events.ts';
import { SEARCH_FILTER, type SearchFilter, type SearchHit } from '../search/search-types.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** Gives events as passages. */
export function createRetriever(
  context: () => MemoryContext,
  scope: { readonly workspace?: string | undefined },
): Retriever {
  checkOptions('retriever', scope, { workspace: WORKSPACE });
  return {
    specVersion: 1,
    async retrieve(query, { k = 10, filter = {}, signal } = {}) {
      signal?.throwIfAborted();
      checkFilter(filter);
      const hits = await searchEvents(context(), query, { ...scope, ...filter, k, signal });
      return hits.map(toPassage);
    },
  };
}

function checkFilter(filter: object): asserts filter is SearchFilter {
  checkOptions('the filter of retrieve', filter, SEARCH_FILTER);
}

function toPassage({ event, score }: SearchHit): Passage {
  const { id, type, timestamp, session_id: session, sequence } = event;
  const path = event.type !== 'forgotten' && 'file_path' in event.data ? event.data.file_path : '';
  return {
    id,
    text: shownText(event),
    score,
    source: { kind: 'event', uri: id },
    title: path === '' ? type : `${type} ${path}`,
    time: timestamp,
    meta: { type, session_id: session, sequence },
  };
}
