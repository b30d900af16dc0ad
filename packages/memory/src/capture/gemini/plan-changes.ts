import { isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { objectAt, objectOf, textAt } from '../fields.ts';
import type { PlannedChange } from '../files/planned-change.ts';
import type { FileFacts } from '../files/record-changes.ts';

/** The file that a call of one of Gemini CLI's tools changes, if it does. */
export function plannedChanges(tool: string, input: JsonValue): readonly PlannedChange[] {
  const call = objectOf(input);
  const path = textAt(call, 'file_path', 'absolute_path', 'path');
  if (path === undefined) return [];
  if (tool === 'write_file') {
    return [
      { action: 'create', path, how: { kind: 'write', text: textAt(call, 'content') ?? '' } },
    ];
  }
  if (tool !== 'replace' && tool !== 'edit') return [];
  const oldText = textAt(call, 'old_string') ?? '';
  const count = call['expected_replacements'];
  const all = call['allow_multiple'] === true || (typeof count === 'number' && count > 1);
  const replacements = [{ oldText, newText: textAt(call, 'new_string') ?? '', all }];
  return [
    { action: oldText === '' ? 'create' : 'edit', path, how: { kind: 'replace', replacements } },
  ];
}

/** What is shown of a change: the texts of the file before and afterwards. */
export function fileFacts(call: JsonObject): FileFacts {
  const shown = objectAt(call, 'resultDisplay');
  const newText = textAt(shown, 'newContent');
  const oldText = shown['originalContent'];
  return {
    ...(typeof oldText === 'string' || oldText === null ? { oldText } : {}),
    ...(newText === undefined ? {} : { newText }),
  };
}

/** The text of a whole file that `read_file` gave. */
export function readText(call: JsonObject): { path: string; text: string } | undefined {
  const input = objectAt(call, 'args');
  const path = textAt(input, 'file_path', 'absolute_path', 'path');
  const isPart = ['offset', 'limit', 'start_line', 'end_line'].some((name) => name in input);
  const { result } = call;
  const [first] = Array.isArray(result) ? (result as readonly JsonValue[]) : [];
  if (call['name'] !== 'read_file' || path === undefined || isPart || !isJsonObject(first)) {
    return undefined;
  }
  const text = textAt(objectAt(objectAt(first, 'functionResponse'), 'response'), 'output');
  if (
    text === undefined ||
    /^\s*(?:IMPORTANT: The file content has been|\[File content) trunc/.test(text)
  ) {
    return undefined;
  }
  return { path, text };
}
