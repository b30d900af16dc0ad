import { listAt, objectAt, objectOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import {
  absolutePath,
  type CallFiles,
  type FileChange,
  type FileFacts,
  replacing,
  writing,
} from '../changes/file-change.ts';
import type { Replacement } from '../changes/replace-text.ts';
import { wholeTexts } from '../changes/whole-texts.ts';
import { codexFiles } from '../codex/file-changes.ts';
import type { FileCall, TranscriptResult } from '../model/entry.ts';

/** The output of version 2 for a file that was not there. */
const CREATED = /^Created file successfully\b/;

/** Lines around a change that its diffs show. */
const CONTEXT = 4;

/** Returns the files of a call of one of opencode's tools. */
export function opencodeFiles(call: FileCall, result: TranscriptResult | undefined): CallFiles {
  const planned = plannedChanges(call);
  if (!result) return { changes: planned };
  const metadata = objectAt(objectAt(objectOf(result.raw), 'state'), 'metadata');
  return {
    changes: planned.map((change) => ({
      ...change,
      facts: factsOf(change, call, result, metadata),
    })),
    read: result.success ? readText(call, result, metadata) : undefined,
  };
}

function plannedChanges(call: FileCall): readonly FileChange[] {
  const { tool, input } = call;
  const fields = objectOf(input);
  // The patches of models of OpenAI, in the same form as in Codex.
  const patch =
    tool === 'apply_patch' || tool === 'patch' ? textAt(fields, 'patchText') : undefined;
  if (patch !== undefined) {
    return codexFiles({ ...call, tool: 'apply_patch', input: patch }, undefined).changes;
  }
  // Version 2 calls it `path`.
  const path = textAt(fields, 'filePath', 'path');
  if (path === undefined) return [];
  if (tool === 'write') return [writing(path, textAt(fields, 'content'))];
  if (tool === 'edit') return [replacing(path, [replacementOf(fields)])];
  const edits = listAt(fields, 'edits').filter(isJsonObject);
  return tool === 'multiedit' ? [replacing(path, edits.map(replacementOf))] : [];
}

function replacementOf(edit: JsonObject): Replacement {
  return {
    oldText: textAt(edit, 'oldString') ?? '',
    newText: textAt(edit, 'newString') ?? '',
    all: edit['replaceAll'] === true,
  };
}

/** Reads the facts of a file from the metadata of a result: a diff (one per file of a patch), sometimes its texts. */
function factsOf(
  { path }: FileChange,
  { cwd, tool }: FileCall,
  { output }: TranscriptResult,
  metadata: JsonObject,
): FileFacts {
  const file = absolutePath(path, cwd);
  const own = listAt(metadata, 'files')
    .filter(isJsonObject)
    .find((one) => absolutePath(textAt(one, 'filePath', 'file') ?? '', cwd) === file);
  const told = own ?? objectAt(metadata, 'filediff');
  const [before, after] = [textAt(told, 'before'), textAt(told, 'after')];
  const isCreated = tool === 'write' && typeof output === 'string' && CREATED.test(output);
  const isNew =
    metadata['exists'] === false ||
    (textAt(told, 'type') ?? textAt(told, 'status'))?.startsWith('add') === true ||
    isCreated;
  if (isNew) return { oldText: null, newText: after };
  if (before !== undefined && after !== undefined) return { oldText: before, newText: after };
  const diff = textAt(told, 'patch', 'diff') ?? (own ? undefined : textAt(metadata, 'diff'));
  return diff === undefined ? {} : { diff, ...wholeTexts(diff, CONTEXT) };
}

/** The output of `read`; version 2 names the lines before them. */
const WHOLE: readonly RegExp[] = [
  /<(?:content|file)>\n([\s\S]*?)\n\n\(End of file\b[^\n]*\)/,
  /^Read file [^\n]*, lines 1-\d\d*\n([\s\S]*)$/,
];
const LINE = /^(?:\d\d*: |\s*\d{5}\d*\| )/;

/** Returns the text of a file that `read` returned whole: lines are numbered, and the end of the last is unknown. */
function readText(
  { tool, input }: FileCall,
  { output }: TranscriptResult,
  metadata: JsonObject,
): CallFiles['read'] {
  const fields = objectOf(input);
  const path = textAt(fields, 'filePath', 'path');
  const isPart = 'offset' in fields || 'limit' in fields || metadata['truncated'] === true;
  if (tool !== 'read' || path === undefined || isPart || typeof output !== 'string')
    return undefined;
  const [, body] = WHOLE.map((whole) => whole.exec(output)).find((found) => found) ?? [];
  if (body === undefined) return undefined;
  const lines = body.split('\n');
  if (!lines.every((line) => LINE.test(line))) return undefined;
  return { path, text: lines.map((line) => `${line.replace(LINE, '')}\n`).join('') };
}
