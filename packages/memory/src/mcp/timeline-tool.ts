import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MemoryError } from '../errors.ts';
import type { SessionInfo } from '../model/session.ts';
import { briefEvent } from './brief-event.ts';
import {
  eventId,
  filePath,
  limit,
  sessionId,
  timelineResult,
  types,
  workspace,
} from './schemas.ts';
import { sessionData, sessionLine } from './session-tools.ts';
import { READ_ONLY, runTool, storedResult, type ToolHost } from './tool-host.ts';

/** `timeline`. */
export function addTimelineTool(server: McpServer, host: ToolHost): void {
  const { store, logger } = host;
  server.registerTool(
    'timeline',
    {
      title: 'Show a timeline',
      description:
        'Lists the events of a session in their order, a line for each: around an event, behind a sequence, or the last ones. Without session_id and event_id it is the newest session of the workspace. get_events reads the whole of those that matter.',
      inputSchema: z.strictObject({
        session_id: sessionId.exactOptional(),
        event_id: eventId
          .exactOptional()
          .describe('Shows what happened before and after this event'),
        workspace: workspace.exactOptional(),
        after: z
          .int()
          .min(0)
          .exactOptional()
          .describe('Those behind this sequence; 0 for the start'),
        type: types.exactOptional(),
        path: filePath.exactOptional().describe('Only intentions and edits of this file'),
        limit: limit(20, 200),
      }),
      outputSchema: timelineResult,
      annotations: READ_ONLY,
    },
    ({ session_id, event_id, workspace: folder, after, limit: size, ...filter }, { mcpReq }) => {
      return runTool(logger, async () => {
        const around = event_id === undefined ? undefined : await store.getEvent(event_id);
        const session = await sessionFor(host, around?.session_id ?? session_id, folder);
        const middle = around && Math.max(0, around.sequence - 1 - Math.floor((size - 1) / 2));
        const isFiltered = filter.type !== undefined || filter.path !== undefined;
        // Which of them are the last that fit a filter is known only when all are read.
        const last = isFiltered ? 0 : Math.max(0, session.event_count - size);
        const list = store.events(session.id, {
          ...filter,
          after: after ?? middle ?? last,
          limit: size,
          contents: 'omit',
          signal: mcpReq.signal,
        });
        const { events, next } = await list.page();
        const shown = events.map((event) => ({
          event_id: event.id,
          session_id: event.session_id,
          sequence: event.sequence,
          timestamp: event.timestamp,
          type: event.type,
          brief: briefEvent(event, session.workspace_path),
        }));
        const lines = shown.map((event) => {
          return `${event.sequence}. ${event.type} [${event.event_id}]: ${event.brief}`;
        });
        const none = lines.length === 0 ? ['There are no such events.'] : [];
        const more = next === undefined ? [] : [`(go on with after ${next})`];
        const text = [sessionLine(session), ...lines, ...none, ...more].join('\n');
        return storedResult(session.workspace_path, text, {
          session: sessionData(session),
          events: shown,
          ...(next === undefined ? {} : { next_after: next }),
        });
      });
    },
  );
}

async function sessionFor(
  { store, workspace: preset }: ToolHost,
  id: string | undefined,
  folder: string | undefined,
): Promise<SessionInfo> {
  if (id !== undefined) return store.getSession(id);
  const place = folder ?? preset;
  const [newest] = await store.listSessions({ workspace: place, limit: 1 });
  if (newest) return newest;
  throw new MemoryError('session-not-found', `there is no session of ${place} yet`);
}
