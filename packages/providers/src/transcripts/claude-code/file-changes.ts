import { listAt, objectAt, objectOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { editorChange, editorCommand } from '../changes/editor-commands.ts';
import {
  changing,
  replacing,
  writing,
  type CallFiles,
  type FileChange,
  type FileFacts,
} from '../changes/file-change.ts';
import type { Replacement } from '../changes/replace-text.ts';
import type { FileCall, TranscriptResult } from '../model/entry.ts';

/** Returns the files of a call of one of Claude Code's tools. */
export function claudeCodeFiles(call: FileCall, result: TranscriptResult | undefined): CallFiles {
  const planned = plannedChanges(call);
  if (!result) return { changes: planned };
  const details = objectOf(result.details);
  const facts = factsOf(details);
  return {
    changes: planned.map((change) => ({ ...carriedOut(change, details), facts })),
    read: call.tool === 'Read' && result.success ? readFile(details) : undefined,
  };
}

function plannedChanges({ tool, input }: FileCall): readonly FileChange[] {
  const call = objectOf(input);
  const command = editorCommand(tool, call);
  if (command !== tool)
    return [editorChange(command, call)].filter((change) => change !== undefined);
  const path = textAt(call, 'file_path', 'notebook_path');
  if (path === undefined) return [];
  // Versions of the preview called them Replace and NotebookEditCell.
  if (tool === 'Write' || tool === 'Replace') return [writing(path, textAt(call, 'content'))];
  if (tool === 'NotebookEdit' || tool === 'NotebookEditCell') return [changing(path)];
  if (tool === 'Edit') return [replacing(path, [replacementOf(call)])];
  const edits = listAt(call, 'edits').filter(isJsonObject);
  return tool === 'MultiEdit' ? [replacing(path, edits.map(replacementOf))] : [];
}

function replacementOf(edit: JsonObject): Replacement {
  return {
    oldText: textAt(edit, 'oldString', 'old_string') ?? '',
    newText: textAt(edit, 'newString', 'new_string') ?? '',
    all: edit['replaceAll'] === true || edit['replace_all'] === true,
  };
}

/** Returns the change as the result reports it: the user may have altered it, and quotes may be those of the file. */
function carriedOut(change: FileChange, result: JsonObject): FileChange {
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
  const reported = replacementOf(result);
  const replacements = [{ ...reported, all: 'replaceAll' in result ? reported.all : all }];
  return { ...change, how: { kind: 'replace', replacements } };
}

function factsOf(result: JsonObject): FileFacts {
  const oldText = textAt(result, 'originalFile', 'originalFileContents', 'original_file');
  return {
    oldText: result['type'] === 'create' ? null : oldText,
    newText: textAt(result, 'updated_file'),
    lineChange: lineChangeOf(result),
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

function readFile(result: JsonObject): CallFiles['read'] {
  const file = objectAt(result, 'file');
  const path = textAt(file, 'filePath');
  const text = textAt(file, 'content');
  if (result['type'] !== 'text' || path === undefined || text === undefined) return undefined;
  const { startLine, numLines, totalLines } = file;
  return startLine === 1 && numLines === totalLines ? { path, text } : undefined;
}
