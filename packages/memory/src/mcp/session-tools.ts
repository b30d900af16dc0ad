import type { McpServer } from '@modelcontextprotocol/server';
import { optional, TEXT, TEXTS, snakeInput } from '@vizprompt/providers/config/internal';
import { limitKind } from '../model/input-kinds.ts';
import { shortFacts } from '../model/kept-lines.ts';
import type { SessionInfo } from '../model/session.ts';
import { SESSION_FILTER } from '../session/list-sessions.ts';
import { EVERYWHERE, FOLDER, SESSION_ID, sessionList, sessionResult } from './schemas.ts';
import {
  ADDS,
  fitting,
  oneLine,
  READ_ONLY,
  ROOM,
  runTool,
  sessionOf,
  toolResult,
  type ToolHost,
} from './tool-host.ts';

const START = snakeInput(
  {
    workspace: FOLDER,
    session: { ...SESSION_ID, en: 'Default: a new one. An existing session continues' },
    branch: optional(TEXT, { en: 'The git branch' }),
    initial_context: optional(TEXT, { en: 'Text that the session begins with' }),
    tags: optional(TEXTS, { en: 'To find the session by' }),
  },
  { session: 'session_id' },
);
const END = snakeInput(
  { session: { ...SESSION_ID, en: 'Default: the one that runs in the workspace' } },
  { session: 'session_id' },
);
const LIST = snakeInput(
  {
    ...SESSION_FILTER,
    workspace: FOLDER,
    everywhere: EVERYWHERE,
    limit: limitKind(20, 100),
    maxCharacters: ROOM,
  },
  { everywhere: 'all_workspaces' },
);

/** `session_start`, `session_end` and `list_sessions`. */
export function addSessionTools(server: McpServer, host: ToolHost): void {
  const { store } = host;
  server.registerTool(
    'session_start',
    {
      title: 'Start a session',
      description: 'Starts a session; later events go into it by default.',
      inputSchema: START,
      outputSchema: sessionResult,
      annotations: { ...ADDS, idempotentHint: false },
    },
    ({ workspace = host.workspace, session: id, ...metadata }) => {
      return runTool(host, async () => {
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
      return runTool(host, async () => {
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
    ({ workspace = host.workspace, everywhere, limit: size = 20, maxCharacters, ...filter }) => {
      return runTool(host, async () => {
        const place = everywhere ? {} : { workspace };
        const found = await store.listSessions({ ...filter, ...place, limit: size + 1 });
        const sessions = fitting(found.slice(0, size), sessionData, maxCharacters);
        const last = found.length > sessions.length ? sessions.at(-1) : undefined;
        const lines = sessions.map((session) => `- ${sessionLine(session)}`);
        const none = lines.length === 0 ? ['There are no such sessions.'] : [];
        const more = last ? [`(continue with before ${last.id})`] : [];
        return toolResult([...lines, ...none, ...more].join('\n'), {
          sessions: sessions.map(sessionData),
          ...(last ? { next_before: last.id } : {}),
        });
      });
    },
  );
}

/** Returns a session as tools give it. */
export function sessionData(session: SessionInfo): Readonly<Record<string, unknown>> {
  return {
    session_id: session.id,
    workspace: session.workspace_path,
    started_at: session.started_at,
    ended_at: session.ended_at,
    event_count: session.event_count,
    metadata: shortFacts(session.metadata),
    ...(session.damaged === undefined ? {} : { damaged: session.damaged }),
  };
}

/** The longest branch, or all tags, in a line. */
const MAX_NAME = 100;

/** A session in a line. */
export function sessionLine({
  id,
  workspace_path: path,
  started_at: started,
  ended_at: ended,
  event_count: count,
  metadata: { branch, tags },
}: SessionInfo): string {
  const facts = [
    `${count} events`,
    ended === null ? 'running' : `ended ${ended}`,
    ...(branch === undefined ? [] : [`branch ${oneLine(branch, MAX_NAME)}`]),
    ...(tags === undefined || tags.length === 0 ? [] : [oneLine(tags.join(', '), MAX_NAME)]),
  ];
  return `Session ${id} in ${path}, started ${started} (${facts.join('; ')})`;
}
