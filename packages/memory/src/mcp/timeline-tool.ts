import type { McpServer } from '@modelcontextprotocol/server';
import { optional, snakeInput } from '@vizprompt/providers/config/internal';
import { MemoryError } from '../errors.ts';
import { EVENT_FILTER } from '../log/list-events.ts';
import { ID, limitKind } from '../model/input-kinds.ts';
import type { SessionInfo } from '../model/session.ts';
import { briefEvent } from './brief-event.ts';
import { FOLDER, SESSION_ID, timelineResult } from './schemas.ts';
import { sessionData, sessionLine } from './session-tools.ts';
import { READ_ONLY, runTool, storedResult, type ToolHost } from './tool-host.ts';

const INPUT = snakeInput(
  {
    session: SESSION_ID,
    event: optional(ID, { en: 'Shows what happened before and after this event' }),
    workspace: FOLDER,
    after: EVENT_FILTER.after,
    type: EVENT_FILTER.type,
    path: EVENT_FILTER.path,
    limit: limitKind(20, 200),
  },
  { session: 'session_id', event: 'event_id' },
);

/** `timeline`. */
export function addTimelineTool(server: McpServer, host: ToolHost): void {
  const { store, logger } = host;
  server.registerTool(
    'timeline',
    {
      title: 'Show a timeline',
      description:
        'Lists the events of a session in their order, a line for each: around an event, behind a sequence, or the last ones. Without session_id and event_id it is the newest session of the workspace. get_events reads the whole of those that matter.',
      inputSchema: INPUT,
      outputSchema: timelineResult,
      annotations: READ_ONLY,
    },
    ({ session: id, event, workspace: folder, after, limit: size = 20, ...filter }, { mcpReq }) => {
      return runTool(logger, async () => {
        const around = event === undefined ? undefined : await store.getEvent(event);
        const session = await sessionFor(host, around?.session_id ?? id, folder);
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
        const shown = events.map((one) => ({
          event_id: one.id,
          session_id: one.session_id,
          sequence: one.sequence,
          timestamp: one.timestamp,
          type: one.type,
          brief: briefEvent(one, session.workspace_path),
        }));
        const lines = shown.map((one) => {
          return `${one.sequence}. ${one.type} [${one.event_id}]: ${one.brief}`;
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
