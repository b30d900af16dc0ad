import { listAt, objectAt, objectOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import {
  replacing,
  writing,
  type CallFiles,
  type FileChange,
  type FileFacts,
} from '../changes/file-change.ts';
import type { FileCall, TranscriptResult } from '../model/entry.ts';

/** Returns the file of a call of one of Gemini CLI's tools. */
export function geminiFiles(
  { tool, input }: FileCall,
  result: TranscriptResult | undefined,
): CallFiles {
  const planned = plannedChange(tool, objectOf(input));
  const call = objectOf(result?.raw);
  return {
    changes: planned ? [{ ...planned, facts: factsOf(call) }] : [],
    read: result?.success === true ? readText(call) : undefined,
  };
}

function plannedChange(tool: string, call: JsonObject): FileChange | undefined {
  const path = textAt(call, 'file_path', 'absolute_path', 'path');
  if (path === undefined) return undefined;
  if (tool === 'write_file') return writing(path, textAt(call, 'content'));
  if (tool !== 'replace' && tool !== 'edit') return undefined;
  const count = call['expected_replacements'];
  const all = call['allow_multiple'] === true || (typeof count === 'number' && count > 1);
  const oldText = textAt(call, 'old_string') ?? '';
  return replacing(path, [{ oldText, newText: textAt(call, 'new_string') ?? '', all }]);
}

/** Returns the texts of the file before and afterwards, as they are shown to the user. */
function factsOf(call: JsonObject): FileFacts {
  const shown = objectAt(call, 'resultDisplay');
  const oldText = shown['originalContent'];
  return {
    oldText: typeof oldText === 'string' || oldText === null ? oldText : undefined,
    newText: textAt(shown, 'newContent'),
    ...('newContent' in shown ? {} : { diff: textAt(shown, 'fileDiff') }),
  };
}

/** Returns the text of a whole file that `read_file` returned. */
function readText(call: JsonObject): CallFiles['read'] {
  const input = objectAt(call, 'args');
  const path = textAt(input, 'file_path', 'absolute_path', 'path');
  const isPart = ['offset', 'limit', 'start_line', 'end_line'].some((name) => name in input);
  const [first] = listAt(call, 'result');
  if (call['name'] !== 'read_file' || path === undefined || isPart || !isJsonObject(first)) {
    return undefined;
  }
  const text = textAt(objectAt(objectAt(first, 'functionResponse'), 'response'), 'output');
  const isCut = /^\s*(?:IMPORTANT: The file content has been|\[File content) trunc/;
  return text === undefined || isCut.test(text) ? undefined : { path, text };
}
