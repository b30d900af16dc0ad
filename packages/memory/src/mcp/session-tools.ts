import type { McpServer } from '@modelcontextprotocol/server';
import { optional, TEXT, TEXTS, wireInput } from '@vizprompt/providers/config/internal';
import { limitKind } from '../model/input-kinds.ts';
import { SESSION_FILTER } from '../session/session-options.ts';
import { EVERYWHERE, FOLDER, SESSION_ID, sessionList, sessionResult } from './schemas.ts';
import { sessionData, sessionLine } from './session-data.ts';
import { ADDS, READ_ONLY, sessionOf, type ToolHost } from './tool-host.ts';
import { runTool, toolResult } from './tool-result.ts';

const START = wireInput(
  {
    workspace: FOLDER,
    session: { ...SESSION_ID, en: 'Default: a new one. A session that is there goes on' },
    branch: optional(TEXT, { en: 'The git branch' }),
    initial_context: optional(TEXT, { en: 'What the session begins with' }),
    tags: optional(TEXTS, { en: 'To find the session by' }),
  },
  { session: 'session_id' },
);
const END = wireInput(
  { session: { ...SESSION_ID, en: 'Default: the one that runs in the workspace' } },
  { session: 'session_id' },
);
const LIST = wireInput(
  { ...SESSION_FILTER, workspace: FOLDER, everywhere: EVERYWHERE, limit: limitKind(20, 100) },
  { everywhere: 'all_workspaces' },
);

/** `session_start`, `session_end` and `list_sessions`. */
export function addSessionTools(server: McpServer, host: ToolHost): void {
  const { store, logger } = host;
  server.registerTool(
    'session_start',
    {
      title: 'Start a session',
      description:
        'Starts a session; what is logged afterwards goes into it, unless told otherwise.',
      inputSchema: START,
      outputSchema: sessionResult,
      annotations: { ...ADDS, idempotentHint: false },
    },
    ({ workspace = host.workspace, session: id, ...metadata }) => {
      return runTool(logger, async () => {
        const session = await store.startSession({
          workspace,
          metadata,
          ...(id === undefined ? {} : { id, ifExists: 'keep' }),
        });
        return toolResult(sessionLine(session), sessionData(session));
      });
    },
  );
  server.registerTool(
    'session_end',
    {
      title: 'End a session',
      description: 'Ends a session: nothing more can be logged in it. An ended one stays as it is.',
      inputSchema: END,
      outputSchema: sessionResult,
      annotations: { ...ADDS, idempotentHint: true },
    },
    ({ session: id }) => {
      return runTool(logger, async () => {
        const session = await store.endSession((await sessionOf(host, id)).id);
        return toolResult(sessionLine(session), sessionData(session));
      });
    },
  );
  server.registerTool(
    'list_sessions',
    {
      title: 'List sessions',
      description:
        'Lists the sessions of a workspace, the newest first. timeline shows what happened in one.',
      inputSchema: LIST,
      outputSchema: sessionList,
      annotations: READ_ONLY,
    },
    ({ workspace = host.workspace, everywhere, limit: size = 20, ...filter }) => {
      return runTool(logger, async () => {
        const place = everywhere ? {} : { workspace };
        const found = await store.listSessions({ ...filter, ...place, limit: size + 1 });
        const sessions = found.slice(0, size);
        const last = found.length > size ? sessions.at(-1) : undefined;
        const lines = sessions.map((session) => `- ${sessionLine(session)}`);
        const none = lines.length === 0 ? ['There are no such sessions.'] : [];
        const more = last ? [`(go on with before ${last.id})`] : [];
        return toolResult([...lines, ...none, ...more].join('\n'), {
          sessions: sessions.map(sessionData),
          ...(last ? { next_before: last.id } : {}),
        });
      });
    },
  );
}
