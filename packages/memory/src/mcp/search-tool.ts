import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SearchHit } from '../search/search-options.ts';
import { oneLine } from './brief-event.ts';
import { filePath, limit, searchResults, sessionId, types, workspace } from './schemas.ts';
import { READ_ONLY, runTool, storedResult, toolResult, type ToolHost } from './tool-host.ts';

/** UTF-16 code units of a snippet: a hit takes 50 to 100 tokens. */
const SNIPPET = 160;

const HINT =
  'Try other words, fewer of them, or all_workspaces: true; timeline and list_sessions show what there is.';

/** `search`. */
export function addSearchTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'search',
    {
      title: 'Search the memory',
      description:
        'Finds past events by words, in any language: messages, thoughts, reasons, diffs, paths, tool arguments and results. Gives a short line for each, the best first; get_events reads the whole of those that matter, timeline what happened around them.',
      inputSchema: z.strictObject({
        query: z.string().min(1).max(10_000).describe('Words; between double quotes as they stand'),
        workspace: workspace.exactOptional(),
        all_workspaces: z.boolean().default(false).describe('Whether to search everywhere'),
        session_id: sessionId.exactOptional(),
        type: types.exactOptional(),
        path: filePath.exactOptional(),
        after: z.string().exactOptional().describe('Later than this: ISO 8601'),
        before: z.string().exactOptional().describe('Earlier than this: ISO 8601'),
        limit: limit(10, 50),
      }),
      outputSchema: searchResults,
      annotations: READ_ONLY,
    },
    (input, { mcpReq: { signal } }) => {
      return runTool(host.logger, async () => {
        const { query, all_workspaces: isWide, session_id: session, limit: k, ...filters } = input;
        const { workspace: folder = host.workspace, ...rest } = filters;
        const place = session === undefined ? (isWide ? {} : { workspace: folder }) : { session };
        // A relative path needs to know of which folder.
        const where = rest.path === undefined ? place : { workspace: folder, ...place };
        const hits = await host.store.search(query, { ...rest, ...where, k, signal });
        if (hits.length === 0) {
          return toolResult(`Nothing was found. ${HINT}`, { hits: [], hint: HINT });
        }
        const found = hits.map(hitOf);
        const lines = found.map(({ event_id, timestamp, type, snippet }) => {
          return `- ${timestamp} ${type} [${event_id}]: ${snippet}`;
        });
        return storedResult(folder, lines.join('\n'), { hits: found });
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

/** The part of a snippet that begins shortly before what was found. */
function around({ text, highlights }: SearchHit['snippet']): string {
  const [first] = highlights;
  const start = first ? first[0] - SNIPPET / 4 : 0;
  if (start <= 0 || text.length <= SNIPPET) return text;
  return `…${text.slice(start).replace(/^[\udc00-\udfff]/, '')}`;
}
