import type { JsonValue, Passage, Retriever } from '@vizprompt/providers';
import { assertKnownKeys } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import { shownText } from '../indexing/indexed-fields.ts';
import type { EventType } from '../model/event-data.ts';
import { searchEvents } from '../search/search-events.ts';
import { SEARCH_FILTERS, type SearchHit, type SearchOptions } from '../search/search-options.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** Gives events as passages. */
export function createRetriever(
  context: () => MemoryContext,
  scope: { readonly workspace?: string },
): Retriever {
  assertKnownKeys('retriever', scope, ['workspace']);
  return {
    specVersion: 1,
    async retrieve(query, { k = 10, filter = {}, signal } = {}) {
      signal?.throwIfAborted();
      const options = { ...scope, ...optionsOf(filter), k, ...(signal ? { signal } : {}) };
      const hits = await searchEvents(context(), query, options);
      return hits.map(toPassage);
    },
  };
}

function optionsOf(filter: Readonly<Record<string, JsonValue>>): SearchOptions {
  const options: Record<string, string | readonly EventType[]> = {};
  for (const [key, value] of Object.entries(filter)) {
    if (!SEARCH_FILTERS.some((name) => name === key)) {
      const known = SEARCH_FILTERS.join(', ');
      throw new MemoryError(
        'invalid-input',
        `events cannot be filtered by '${key}': there are ${known}`,
      );
    }
    const isTypes = key === 'type' && Array.isArray(value);
    if (typeof value !== 'string' && !isTypes) {
      throw new MemoryError('invalid-input', `the filter '${key}' must be a text`);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is checked by the search
    options[key] = value as string | readonly EventType[];
  }
  return options;
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
