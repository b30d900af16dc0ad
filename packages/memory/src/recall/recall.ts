import { createTokenEstimator, type Passage, type Retriever } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { shownText } from '../indexing/indexed-event.ts';
import { sessionOfConversation } from '../log/turn-recorder.ts';
import { EVENT_TYPES } from '../model/event-data.ts';
import { WORKSPACE } from '../model/input-kinds.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { searchEvents } from '../search/search-events.ts';
import { SEARCH_FILTER, type SearchFilter, type SearchHit } from '../search/search-types.ts';
import { AUDIENCE } from '../session/audience.ts';
import { type EventRow, OF_TENANT, readEventRows, SELECT_EVENTS } from '../store/event-rows.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { listOf } from '../store/sql.ts';
import { recallCandidates } from './recall-candidates.ts';
import {
  RECALL_REQUEST,
  type Recalled,
  type RecalledEvent,
  type RecallRequest,
} from './recall-options.ts';
import { recalledText } from './recalled-text.ts';

/** This many characters of one event at most; of longer ones a piece. */
const MAX_CHARACTERS = 1200;
/** The beginning of a line in an event that reads like the head of another one. */
const FORGED = new RegExp(
  `^(?=[ \\t]*\\[(?:[\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12}\\] \\d{4}-\\d\\d-\\d\\dT|[^\\]\\r\\n]{1,200}\\] \\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,18}Z (?:${EVENT_TYPES.join('|')})\\s*$))`,
  'gim',
);
/** How many events are read in one go. */
const PAGE = 20;
/** A budget with less room than this is full. */
const LEAST_TOKENS = 24;

/** Returns the most useful events for a task, within a budget. */
export async function recall(context: MemoryContext, request: RecallRequest): Promise<Recalled> {
  checkOptions('recall', request, RECALL_REQUEST);
  const { query = '', budgetTokens, exceptSession, signal } = request;
  const candidates = await recallCandidates(context, request);
  const estimator = createTokenEstimator();
  const events: RecalledEvent[] = [];
  const omitted: Recalled['omitted'][number][] = [];
  const seen = new Set<string>();
  let tokens = 0;
  for (let at = 0; at < candidates.length; at += PAGE) {
    signal?.throwIfAborted();
    const page = candidates.slice(at, at + PAGE);
    const known = await readEvents(
      context,
      page.flatMap(({ key, intention = key }) => [key, intention]),
    );
    for (const { key, score, reasons, intention: reason } of page) {
      const event = known.get(key);
      if (!event || event.type === 'forgotten' || event.session_id === exceptSession) continue;
      const intended = reason === undefined ? undefined : known.get(reason);
      const intention = intended?.type === 'code_intention' ? intended : undefined;
      const whole = recalledText(event, intention);
      if (whole === '') continue;
      if (seen.has(whole)) {
        omitted.push({ id: event.id, reason: 'duplicate' });
        continue;
      }
      seen.add(whole);
      const isCut = whole.length > MAX_CHARACTERS;
      const shown = isCut
        ? context.index.snippet(whole, query, { maxLength: MAX_CHARACTERS }).text
        : whole;
      const quoted = shown.replace(FORGED, '> ');
      const text = `[${event.id}] ${event.timestamp} ${event.type}\n${quoted}`;
      const size = estimator.count(`${text}\n\n`).tokens;
      if (tokens + size > budgetTokens) {
        omitted.push({ id: event.id, reason: 'budget' });
        continue;
      }
      tokens += size;
      const why = intention ? { intention } : {};
      events.push({ event, ...why, score, reasons, text, tokens: size, isCut });
    }
    if (budgetTokens - tokens < LEAST_TOKENS) {
      omitted.push(...(await restOf(context, candidates.slice(at + PAGE))));
      break;
    }
  }
  return { text: events.map(({ text }) => text).join('\n\n'), tokens, events, omitted };
}

async function readEvents(
  { database, tenant }: MemoryContext,
  keys: readonly number[],
): Promise<Map<number, MemoryEvent>> {
  const rows = await database.query<EventRow>(
    `${SELECT_EVENTS} WHERE ${OF_TENANT} AND e.key IN ${listOf(keys)}`,
    [tenant, ...keys],
  );
  const { events } = await readEventRows(database, tenant, rows, 'omit');
  return new Map(rows.flatMap(({ key }, place) => (events[place] ? [[key, events[place]]] : [])));
}

/** Lists the ids of events that do not fit into the budget any more. */
async function restOf(
  { database, tenant }: MemoryContext,
  candidates: readonly { readonly key: number }[],
): Promise<readonly Recalled['omitted'][number][]> {
  if (candidates.length === 0) return [];
  const keys = candidates.map(({ key }) => key);
  const rows = await database.query<{ key: number; id: string }>(
    `SELECT e.key, e.id FROM memory_events AS e
     WHERE ${OF_TENANT} AND e.key IN ${listOf(keys)}`,
    [tenant, ...keys],
  );
  const ids = new Map(rows.map(({ key, id }) => [key, id]));
  return keys.flatMap((key) => {
    const id = ids.get(key);
    return id === undefined ? [] : [{ id, reason: 'budget' as const }];
  });
}

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
