import type { McpServer } from '@modelcontextprotocol/server';
import { optional, wholeFrom, snakeInput } from '@vizprompt/providers/config/internal';
import { QUERY, limitKind } from '../model/input-kinds.ts';
import { RECALL_REQUEST, type RecalledEvent } from '../recall/recall-options.ts';
import { SEARCH_OPTIONS } from '../search/search-events.ts';
import type { SearchHit } from '../search/search-types.ts';
import { FOLDER, recalledEvents, EVERYWHERE, searchResults, SESSION_ID } from './schemas.ts';
import {
  fitting,
  READ_ONLY,
  ROOM,
  runTool,
  toolResult,
  type ToolHost,
  oneLine,
  storedResult,
} from './tool-host.ts';

// A server does not know which session asks.
const { exceptSession: _session, ...TASK } = RECALL_REQUEST;

const RECALL_INPUT = snakeInput({
  ...TASK,
  query: optional(QUERY, { en: RECALL_REQUEST.query.en }),
  workspace: FOLDER,
  budgetTokens: optional(wholeFrom(50, 50_000), {
    en: RECALL_REQUEST.budgetTokens.en,
    default: 2000,
  }),
  maxCharacters: ROOM,
});

/** `recall`. */
export function addRecallTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'recall',
    {
      title: 'Recall what is useful',
      description:
        'Gives the past events that are most useful for the task at hand, as text within a budget of tokens, each cited by its id. Call it when you begin with something; search finds what you look for in particular.',
      inputSchema: RECALL_INPUT,
      outputSchema: recalledEvents,
      annotations: READ_ONLY,
    },
    ({ budgetTokens, maxCharacters, workspace: folder = host.workspace, ...task }, { mcpReq }) => {
      return runTool(host, async () => {
        const { signal } = mcpReq;
        const recalled = await host.store.recall({
          ...task,
          workspace: folder,
          budgetTokens: budgetTokens ?? 2000,
          signal,
        });
        // A budget that is asked for is the limit itself.
        const isFree = budgetTokens !== undefined && maxCharacters === undefined;
        const events = isFree
          ? recalled.events
          : fitting(cutFirst(recalled.events, maxCharacters), recalledData, maxCharacters);
        const left = recalled.events.slice(events.length);
        const omitted = [
          ...left.map(({ event: { id } }) => ({ id, reason: 'budget' as const })),
          ...recalled.omitted,
        ];
        const text = events.map((one) => one.text).join('\n\n');
        const tokens = events.reduce((sum, one) => sum + one.tokens, 0);
        const [next] = omitted.filter(({ reason }) => reason === 'budget');
        const more = omitted.length === 0 ? '' : `\n\n(${omitted.length} more were left out)`;
        const nothing = 'Nothing is remembered here that could be useful.';
        const shown = text === '' ? (next ? 'The budget is too small.' : nothing) : '';
        const data = {
          events: events.map(recalledData),
          tokens,
          omitted: omitted
            .map(({ id, reason }) => ({ event_id: id, reason }))
            .slice(0, MOST_OMITTED),
          omitted_total: omitted.length,
        };
        return text === '' ? toolResult(shown, data) : storedResult(folder, text + more, data);
      });
    },
  );
}

/** Returns the events, the first cut to the room of the answer: it is shown in any case. */
function cutFirst(events: readonly RecalledEvent[], room = Infinity): readonly RecalledEvent[] {
  const [first, ...others] = events;
  if (!first) return events;
  const over = JSON.stringify(recalledData(first)).length - room;
  if (over <= 0) return events;
  // A line break takes two characters of JSON.
  const head = first.text.indexOf('\n') + 1;
  const length = Math.max(head, first.text.length - over - 1);
  return [
    { ...first, text: `${first.text.slice(0, length).toWellFormed()}…`, isCut: true },
    ...others,
  ];
}

function recalledData({ event, reasons, text, isCut }: RecalledEvent): object {
  return {
    event_id: event.id,
    session_id: event.session_id,
    sequence: event.sequence,
    timestamp: event.timestamp,
    type: event.type,
    reasons: [...reasons],
    text,
    is_cut: isCut,
  };
}

/** Their ids cost tokens, too. */
const MOST_OMITTED = 10;

/** UTF-16 code units of a snippet: a hit takes 50 to 100 tokens. */
const SNIPPET = 160;

const HINT =
  'Try other words, fewer of them, or all_workspaces: true; timeline and list_sessions show what there is.';

const SEARCH_INPUT = snakeInput(
  {
    query: QUERY,
    ...SEARCH_OPTIONS,
    workspace: FOLDER,
    everywhere: EVERYWHERE,
    session: SESSION_ID,
    limit: limitKind(10, 50),
    maxCharacters: ROOM,
  },
  { everywhere: 'all_workspaces', session: 'session_id' },
);

/** `search`. */
export function addSearchTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'search',
    {
      title: 'Search the memory',
      description:
        'Finds past events by words, in any language: messages, thoughts, reasons, diffs, paths, tool arguments and results. Gives a short line for each, the best first; get_events reads the whole of those that matter, timeline what happened around them.',
      inputSchema: SEARCH_INPUT,
      outputSchema: searchResults,
      annotations: READ_ONLY,
    },
    (input, { mcpReq: { signal } }) => {
      return runTool(host, async () => {
        const { query, everywhere, workspace = host.workspace, session, ...rest } = input;
        const { maxCharacters, ...options } = rest;
        const place = session === undefined ? (everywhere ? {} : { workspace }) : { session };
        // A relative path needs to know of which folder.
        const where = options.path === undefined ? place : { workspace, ...place };
        const hits = await host.store.search(query, { ...options, ...where, signal });
        if (hits.length === 0) {
          return toolResult(`Nothing was found. ${HINT}`, { hits: [], hint: HINT });
        }
        const found = fitting(hits.map(hitOf), (hit) => hit, maxCharacters);
        const left = hits.length - found.length;
        const lines = found.map(({ event_id, timestamp, type, snippet }) => {
          return `- ${timestamp} ${type} [${event_id}]: ${snippet}`;
        });
        const more = left === 0 ? [] : [`(${left} more had no room: raise max_characters)`];
        return storedResult(workspace, [...lines, ...more].join('\n'), {
          hits: found,
          ...(left === 0 ? {} : { left_out: left }),
        });
      });
    },
  );
}

function hitOf({ event, score, snippet }: SearchHit): {
  readonly event_id: string;
  readonly timestamp: string;
  readonly type: string;
  readonly snippet: string;
} & Readonly<Record<string, unknown>> {
  return {
    event_id: event.id,
    session_id: event.session_id,
    sequence: event.sequence,
    timestamp: event.timestamp,
    type: event.type,
    snippet: oneLine(around(snippet), SNIPPET),
    score,
  };
}

/** Returns the part of a snippet that begins shortly before what was found. */
function around({ text, highlights }: SearchHit['snippet']): string {
  const [first] = highlights;
  const start = first ? first[0] - SNIPPET / 4 : 0;
  if (start <= 0 || text.length <= SNIPPET) return text;
  return `…${text.slice(start).replace(/^[\udc00-\udfff]/, '')}`;
}
