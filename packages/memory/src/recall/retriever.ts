import { type Passage, type Retriever } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { shownText } from '../indexing/indexed-event.ts';
import { WORKSPACE } from '../model/input-kinds.ts';
import { sessionOfConversation } from '../log/turn-recorder.ts';
import { AUDIENCE } from '../session/audience.ts';
import { searchEvents } from '../search/search-events.ts';
import { SEARCH_FILTER, type SearchFilter, type SearchHit } from '../search/search-types.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** Hits that are looked through for those of other conversations than the one that asks. */
const MOST = 10_000;

/** Which sessions a retriever searches. */
export type RetrieverScope = Pick<SearchFilter, 'workspace' | 'user' | 'room'>;

/** Gives events as passages. */
export function createRetriever(context: () => MemoryContext, scope: RetrieverScope): Retriever {
  checkOptions('retriever', scope, { workspace: WORKSPACE, ...AUDIENCE });
  return {
    specVersion: 1,
    async retrieve(query, { limit = 10, k = limit, filter = {}, conversation, signal } = {}) {
      signal?.throwIfAborted();
      checkFilter(filter);
      const own = conversation === undefined ? undefined : sessionOfConversation(conversation);
      for (let asked = k; ; asked *= 4) {
        const options = { ...scope, ...filter, limit: Math.min(asked, MOST), signal };
        const hits = await searchEvents(context(), query, options);
        const others = hits.filter(({ event }) => event.session_id !== own);
        const isAll = hits.length < options.limit || options.limit === MOST;
        if (isAll || others.length >= k) return others.slice(0, k).map(toPassage);
      }
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
