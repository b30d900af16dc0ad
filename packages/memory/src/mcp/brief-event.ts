import { countLines } from '../diff/unified-diff.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { placedPath } from '../model/paths.ts';

/** What an event says, in one line of at most so many UTF-16 code units. */
export function briefEvent(event: MemoryEvent, workspace: string, maxLength = 140): string {
  return oneLine(textOf(event, workspace), maxLength);
}

/** Text in one line, cut between characters. */
export function oneLine(text: string, maxLength: number): string {
  // What stands behind cannot come to be shown, however long it is.
  const line = text
    .slice(0, maxLength * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function textOf(event: MemoryEvent, workspace: string): string {
  switch (event.type) {
    case 'user_message':
    case 'assistant_message':
    case 'thinking':
      return event.data.content;
    case 'code_intention': {
      const { action, file_path: path, reason } = event.data;
      return `${action} ${placedPath(path, workspace)}: ${reason}`;
    }
    case 'file_edit': {
      const { action, file_path: path, diff, success, error_message: error } = event.data;
      const { added, removed } = countLines(diff);
      const outcome = success ? `(+${added} -${removed})` : `failed: ${error ?? ''}`;
      return `${action} ${placedPath(path, workspace)} ${outcome}`;
    }
    case 'tool_use': {
      const { tool, parameters, success } = event.data;
      return `${tool}${success === false ? ' (failed)' : ''} ${JSON.stringify(parameters)}`;
    }
    default:
      return '(forgotten)';
  }
}
