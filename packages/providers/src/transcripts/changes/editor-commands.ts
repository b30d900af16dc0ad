import { numberAt, textAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { changing, writing, type FileChange } from './file-change.ts';

/** Tools for files whose commands say what they do: Anthropic's text editor, and those that took its form over. */
const EDITORS: ReadonlySet<string> = new Set(['str_replace_based_edit_tool', 'str_replace_editor']);

/** Returns the command of a call of such an editor; the name of the tool if it is another one. */
export function editorCommand(tool: string, input: JsonObject): string | undefined {
  return EDITORS.has(tool) ? textAt(input, 'command') : tool;
}

/** Returns the change that a command makes; `undefined` if it makes none. */
export function editorChange(
  command: string | undefined,
  input: JsonObject,
): FileChange | undefined {
  const path = textAt(input, 'path', 'file_path');
  if (path === undefined) return undefined;
  if (command === 'create' || command === 'write') {
    return writing(path, textAt(input, 'file_text', 'content'));
  }
  const newText = textAt(input, 'new_str', 'new_string', 'insert_text') ?? '';
  if (command === 'insert') {
    const line = numberAt(input, 'insert_line');
    return line === undefined
      ? changing(path)
      : { action: 'edit', path, how: { kind: 'insert', line, text: newText } };
  }
  if (command !== 'edit' && command !== 'str_replace') return undefined;
  const oldText = textAt(input, 'old_str', 'old_string') ?? '';
  const how = { kind: 'replace', replacements: [{ oldText, newText, all: false }] } as const;
  return { action: 'edit', path, how };
}
