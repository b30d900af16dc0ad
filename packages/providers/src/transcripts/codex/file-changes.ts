import { listAt, objectAt, objectOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import {
  absolutePath,
  type CallFiles,
  changing,
  type FileChange,
  type FileFacts,
  writing,
} from '../changes/file-change.ts';
import { parsePatch, type PatchedFile } from '../changes/patch.ts';
import { wholeTexts } from '../changes/whole-texts.ts';
import type { FileCall, TranscriptResult } from '../model/entry.ts';

const SHELLS: ReadonlySet<string> = new Set([
  'exec_command',
  'local_shell',
  'shell',
  'shell_command',
]);

/** Returns the files of a call: `apply_patch` as a tool of its own, or in a shell. */
export function codexFiles(
  { tool, input, cwd }: FileCall,
  result: TranscriptResult | undefined,
): CallFiles {
  const text = tool === 'apply_patch' ? patchText(input) : shellPatch(tool, input);
  const folder = tool === 'apply_patch' ? undefined : folderOf(text);
  const files = text === undefined ? undefined : parsePatch(text);
  const changes =
    files?.map((file) => inFolder(changeOf(file), folder)) ?? toldChanges(tool, input);
  if (result?.isOfFiles !== true) return { changes, read: result && readWhole(result) };
  const reported = objectAt(objectOf(result.raw), 'changes');
  return {
    changes: changes.map((change) => ({ ...change, facts: factsOf(reported, change.path, cwd) })),
  };
}

function changeOf(file: PatchedFile): FileChange {
  const { action, path } = file;
  if (action === 'create') return writing(path, file.text);
  if (action === 'delete') return { action, path, how: { kind: 'delete' } };
  return { action, path, movedTo: file.movedTo, how: { kind: 'patch', chunks: file.chunks } };
}

/** Returns the changes of a call that code made: its input reports only the resulting files. */
function toldChanges(tool: string, input: JsonValue): readonly FileChange[] {
  if (tool !== 'apply_patch') return [];
  return Object.entries(objectAt(objectOf(input), 'changes')).map(([path, change]): FileChange => {
    const reported = objectOf(change);
    const type = textAt(reported, 'type');
    if (type === 'add') return writing(path, textAt(reported, 'content'));
    if (type === 'delete') return { action: 'delete', path, how: { kind: 'delete' } };
    const movedTo = textAt(reported, 'move_path');
    // A file that only moves has the same text.
    if (reported['unified_diff'] === '') {
      return { action: 'edit', path, movedTo, how: { kind: 'replace', replacements: [] } };
    }
    return { ...changing(path), movedTo };
  });
}

/** Returns the whole text of a file that a command printed, and nothing else. */
function readWhole({ raw, success }: TranscriptResult): CallFiles['read'] {
  const item = objectOf(raw);
  const [parsed, ...others] = listAt(item, 'parsed_cmd').filter(isJsonObject);
  if (!success || !parsed || others.length > 0 || parsed['type'] !== 'read') return undefined;
  const path = textAt(parsed, 'path');
  const isWhole = /^cat (?:-- )?\S\S*$/.test(textAt(parsed, 'cmd') ?? '');
  const cwd = textAt(item, 'cwd')?.replace(/^file:\/\//, '');
  const text = textAt(item, 'aggregated_output');
  if (!isWhole || path === undefined || text === undefined) return undefined;
  return { path: absolutePath(path, cwd), text };
}

function patchText(input: JsonValue): string | undefined {
  return typeof input === 'string' ? input : textAt(objectOf(input), 'input', 'patch');
}

function shellPatch(tool: string, input: JsonValue): string | undefined {
  if (!SHELLS.has(tool) || !isJsonObject(input)) return undefined;
  const command = input['command'] ?? input['cmd'];
  const words = Array.isArray(command) ? (command as readonly JsonValue[]) : [command ?? ''];
  const text = words.filter((word) => typeof word === 'string').join('\n');
  return /(?:^|[\s;&])apply_?patch\b/m.test(text) ? text : undefined;
}

/** Returns the folder to which a command changes before it applies a patch. */
function folderOf(command: string | undefined): string | undefined {
  const found =
    /(?:^|\n)\s*cd\s\s*(?:'([^'\n][^'\n]*)'|"([^"$`\n][^"$`\n]*)"|([^\s'"$`;&|][^\s'"$`;&|]*))\s*(?:&&|;|\n)\s*apply_?patch\b/.exec(
      command ?? '',
    );
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

function inFolder(change: FileChange, folder: string | undefined): FileChange {
  if (folder === undefined) return change;
  const within = (path: string): string =>
    /^(?:[\\/]|[a-z]:[\\/])/i.test(path) ? path : `${folder}/${path}`;
  const { path, movedTo } = change;
  return {
    ...change,
    path: within(path),
    ...(movedTo === undefined ? {} : { movedTo: within(movedTo) }),
  };
}

/**
 * Returns the facts that `patch_apply_end` or `FileChange` reports about a file: `changes` maps paths to
 * `{type: 'add', content}` or, in older versions, `{add: {content}}`.
 */
function factsOf(changes: JsonObject, file: string, cwd: string | undefined): FileFacts {
  const path = absolutePath(file, cwd);
  const named = Object.keys(changes).find((name) => absolutePath(name, cwd) === path);
  const reported = named === undefined ? {} : objectOf(changes[named]);
  const tag = textAt(reported, 'type') ?? Object.keys(reported)[0];
  const body = 'type' in reported ? reported : objectAt(reported, tag ?? '');
  const content = textAt(body, 'content');
  if (tag === 'add' && content !== undefined) return { oldText: null, newText: content };
  if (tag === 'delete' && content !== undefined) return { oldText: content };
  const diff = textAt(body, 'unified_diff');
  if (diff === undefined || diff === '') return {};
  return { diff: withHeads(diff, path), ...wholeTexts(diff) };
}

function withHeads(diff: string, path: string): string {
  if (diff.startsWith('--- ')) return diff;
  const name = path.replace(/^\/\/*/, '');
  return `--- a/${name}\n+++ b/${name}\n${diff.endsWith('\n') ? diff : `${diff}\n`}`;
}
