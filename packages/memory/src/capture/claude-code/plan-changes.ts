import { isJsonObject, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { listAt, objectAt, objectOf, textAt } from '../fields.ts';
import type { PlannedChange } from '../files/planned-change.ts';
import type { FileFacts } from '../files/record-changes.ts';
import type { Replacement } from '../files/replace-text.ts';

/** The file that a call of one of Claude Code's tools changes, if it does. */
export function plannedChanges(tool: string, input: JsonValue): readonly PlannedChange[] {
  const call = objectOf(input);
  const path = textAt(call, 'file_path', 'notebook_path');
  if (path === undefined) return [];
  if (tool === 'Write') {
    return [
      { action: 'create', path, how: { kind: 'write', text: textAt(call, 'content') ?? '' } },
    ];
  }
  if (tool === 'Edit') return [replacing(path, [call])];
  if (tool === 'MultiEdit') return [replacing(path, listAt(call, 'edits').filter(isJsonObject))];
  if (tool === 'NotebookEdit') return [{ action: 'edit', path, how: { kind: 'unknown' } }];
  return [];
}

function replacing(path: string, edits: readonly JsonObject[]): PlannedChange {
  const replacements = edits.map(replacementOf);
  const action = replacements[0]?.oldText === '' ? 'create' : 'edit';
  return { action, path, how: { kind: 'replace', replacements } };
}

function replacementOf(edit: JsonObject): Replacement {
  return {
    oldText: textAt(edit, 'oldString', 'old_string') ?? '',
    newText: textAt(edit, 'newString', 'new_string') ?? '',
    all: edit['replaceAll'] === true || edit['replace_all'] === true,
  };
}

/**
 * The change as the result of the call tells it: the user may have altered it, and quotes may be those
 * of the file.
 */
export function carriedOut(change: PlannedChange, result: JsonObject): PlannedChange {
  const { how } = change;
  if (how.kind === 'write') {
    const text = textAt(result, 'content');
    return text === undefined ? change : { ...change, how: { kind: 'write', text } };
  }
  if (how.kind !== 'replace') return change;
  const edits = listAt(result, 'edits').filter(isJsonObject);
  if (edits.length === how.replacements.length && edits.length > 0) {
    return { ...change, how: { kind: 'replace', replacements: edits.map(replacementOf) } };
  }
  if (textAt(result, 'oldString') === undefined || how.replacements.length !== 1) return change;
  const all = how.replacements[0]?.all === true;
  const told = replacementOf(result);
  const replacements = [{ ...told, all: 'replaceAll' in result ? told.all : all }];
  return { ...change, how: { kind: 'replace', replacements } };
}

/** What a result tells of the file: its text before, and how many lines it grew. */
export function fileFacts(result: JsonObject): FileFacts {
  const oldText = textAt(result, 'originalFile', 'originalFileContents', 'original_file');
  const newText = textAt(result, 'updated_file');
  const lineChange = lineChangeOf(result);
  return {
    ...(result['type'] === 'create' ? { oldText: null } : oldText === undefined ? {} : { oldText }),
    ...(newText === undefined ? {} : { newText }),
    ...(lineChange === undefined ? {} : { lineChange }),
  };
}

/** The patch is made for the eye and cannot be applied, as tabs are gone; its counts are true. */
function lineChangeOf(result: JsonObject): number | undefined {
  const hunks = listAt(result, 'structuredPatch').filter(isJsonObject);
  if (hunks.length === 0) return undefined;
  let change = 0;
  for (const { oldLines, newLines } of hunks) {
    if (typeof oldLines !== 'number' || typeof newLines !== 'number') return undefined;
    change += newLines - oldLines;
  }
  return change;
}

/** The text of a whole file that the result of `Read` shows, with its path. */
export function readFile(result: JsonObject): { path: string; text: string } | undefined {
  const file = objectAt(result, 'file');
  const path = textAt(file, 'filePath');
  const text = textAt(file, 'content');
  if (result['type'] !== 'text' || path === undefined || text === undefined) return undefined;
  const { startLine, numLines, totalLines } = file;
  return startLine === 1 && numLines === totalLines ? { path, text } : undefined;
}
