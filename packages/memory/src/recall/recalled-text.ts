import type { JsonValue } from '@vizprompt/providers';
import { shownText } from '../indexing/indexed-fields.ts';
import type { FileAction } from '../model/event-data.ts';
import type { EventOf, MemoryEvent } from '../model/memory-event.ts';

const DONE: Readonly<Record<FileAction, string>> = {
  create: 'created',
  edit: 'edited',
  delete: 'deleted',
};

/**
 * What a model is told of an event. What the search needs, words alone, would not say whether an edit or a
 * call failed, that a file is gone, nor which lines are the old ones and which the new.
 *
 * @param intention - What an edit carried out, which is told with it.
 */
export function recalledText(event: MemoryEvent, intention?: EventOf<'code_intention'>): string {
  if (event.type === 'code_intention') {
    const { action, file_path: path, reason, diff } = event.data;
    return joined(reason, `wants to ${action} ${path}`, markedLines(diff));
  }
  if (event.type === 'file_edit') {
    const { action, file_path: path, success, error_message: error, diff } = event.data;
    const outcome = success ? `${DONE[action]} ${path}` : `failed to ${action} ${path}`;
    return joined(intention?.data.reason, outcome, error, markedLines(diff));
  }
  if (event.type === 'tool_use') {
    const { tool, parameters, result = '', success } = event.data;
    const outcome = linesOf(result);
    return joined(
      success === false ? 'failed' : '',
      tool,
      linesOf(parameters),
      outcome === '' ? '' : `→ ${outcome}`,
    );
  }
  return shownText(event).trim();
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined && part !== '')
    .join('\n')
    .trim();
}

/** A value as lines of `name: value`. What is empty has none: the results of tools are full of it. */
function linesOf(value: JsonValue): string {
  if (typeof value !== 'object') return String(value);
  if (value === null) return '';
  const entries = Object.entries(value).flatMap(([name, one]) => {
    const lines = linesOf(one);
    if (lines === '') return [];
    return Array.isArray(value) || typeof one === 'object' ? [lines] : [`${name}: ${lines}`];
  });
  return entries.join('\n');
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
