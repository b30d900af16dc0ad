import type { McpServer } from '@modelcontextprotocol/server';
import { snakeInput } from '@vizprompt/providers/config/internal';
import { countLines } from '../diff/unified-diff.ts';
import { FILE_HISTORY_OPTIONS, type FileChange } from '../files/file-options.ts';
import { FILE, limitKind } from '../model/input-kinds.ts';
import { placedPath } from '../model/paths.ts';
import { FOLDER, historyResult } from './schemas.ts';
import {
  fitting,
  oneLine,
  READ_ONLY,
  ROOM,
  runTool,
  storedResult,
  toolResult,
  type ToolHost,
} from './tool-host.ts';

const INPUT = snakeInput({
  path: FILE,
  ...FILE_HISTORY_OPTIONS,
  workspace: FOLDER,
  limit: limitKind(10, 50),
  maxCharacters: ROOM,
});

/** `file_history`. */
export function addFileHistoryTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'file_history',
    {
      title: 'Show the history of a file',
      description:
        'Lists how a file was changed and why, the newest change first, also attempts that failed or were never carried out. get_events reads the diff of one.',
      inputSchema: INPUT,
      outputSchema: historyResult,
      annotations: READ_ONLY,
    },
    ({ path, workspace: folder = host.workspace, limit: size = 10, maxCharacters, ...options }) => {
      return runTool(host, async () => {
        const found = await host.store.fileHistory(path, {
          ...options,
          workspace: folder,
          limit: size + 1,
        });
        const all = found.slice(0, size).map(summarize);
        const changes = fitting(all, (change) => change, maxCharacters);
        const last = found.length > changes.length ? changes.at(-1) : undefined;
        const next = last?.edit_event_id ?? last?.intention_event_id;
        const lines = changes.map((change) => {
          const outcome =
            change.success === undefined
              ? 'not carried out'
              : change.success
                ? `+${change.added} -${change.removed}`
                : `failed: ${change.error ?? ''}`;
          const id = change.edit_event_id ?? change.intention_event_id;
          return `- ${change.timestamp} ${change.action} (${outcome}) [${id}]: ${change.reason ?? ''}`;
        });
        const name = placedPath(path, folder);
        const head =
          lines.length === 0 ? `No change of ${name} is recorded.` : `Changes of ${name}:`;
        const more = next === undefined ? [] : [`(continue with before ${next})`];
        const text = [head, ...lines, ...more].join('\n');
        const data = {
          path,
          changes,
          ...(next === undefined ? {} : { next_before: next }),
        };
        return lines.length === 0 ? toolResult(text, data) : storedResult(folder, text, data);
      });
    },
  );
}

interface ChangeSummary {
  readonly timestamp: string;
  readonly session_id: string;
  readonly action: string;
  readonly reason?: string;
  readonly success?: boolean;
  readonly error?: string;
  readonly added: number;
  readonly removed: number;
  readonly edit_event_id?: string;
  readonly intention_event_id?: string;
}

function summarize({ timestamp, session_id, intention, edit }: FileChange): ChangeSummary {
  return {
    timestamp,
    session_id,
    action: (edit ?? intention)?.data.action ?? 'edit',
    ...(intention ? { reason: oneLine(intention.data.reason, 200) } : {}),
    ...(edit ? { success: edit.data.success } : {}),
    ...(edit?.data.error_message === undefined
      ? {}
      : { error: oneLine(edit.data.error_message, 200) }),
    ...countLines((edit ?? intention)?.data.diff ?? ''),
    ...(edit ? { edit_event_id: edit.id } : {}),
    ...(intention ? { intention_event_id: intention.id } : {}),
  };
}
