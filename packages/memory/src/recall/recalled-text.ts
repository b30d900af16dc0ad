import type { FileAction } from '../model/event-data.ts';
import type { MemoryEvent } from '../model/memory-event.ts';
import { shownText } from '../search/search-events.ts';

const DONE: Readonly<Record<FileAction, string>> = {
  create: 'created',
  edit: 'edited',
  delete: 'deleted',
};

/**
 * What a model is told of an event. What the search needs, words alone, would not say whether an edit or a
 * call failed, that a file is gone, nor which lines are the old ones and which the new.
 */
export function recalledText(event: MemoryEvent): string {
  if (event.type === 'code_intention') {
    const { action, file_path: path, reason, diff } = event.data;
    return joined(reason, `wants to ${action} ${path}`, markedLines(diff));
  }
  if (event.type === 'file_edit') {
    const { action, file_path: path, success, error_message: error, diff } = event.data;
    const outcome = success ? `${DONE[action]} ${path}` : `failed to ${action} ${path}`;
    return joined(outcome, error, markedLines(diff));
  }
  const shown = shownText(event).trim();
  return event.type === 'tool_use' && event.data.success === false
    ? joined('failed', shown)
    : shown;
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join('\n')
    .trim();
}

/** The lines of a diff with `-` before the old and `+` before the new ones, without its head. */
function markedLines(diff = ''): string {
  const lines = diff.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines
    .slice(first + 1)
    .filter((line) => !/^(?:@@|\\ )/.test(line))
    .join('\n')
    .trimEnd();
}
