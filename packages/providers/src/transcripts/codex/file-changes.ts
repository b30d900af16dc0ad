import { objectAt, objectOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { absolutePath } from '../changes/absolute-path.ts';
import {
  writing,
  type CallFiles,
  type FileChange,
  type FileFacts,
} from '../changes/file-change.ts';
import { parsePatch, type PatchedFile } from '../changes/parse-patch.ts';
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
  const files = text === undefined ? undefined : parsePatch(text);
  const changes = (files ?? []).map(changeOf);
  if (result?.isOfFiles !== true) return { changes };
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

/**
 * What the event `patch_apply_end` reports of a file: `changes` maps paths to `{type: 'add', content}` or,
 * in older versions, `{add: {content}}`.
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
  return diff === undefined || diff === '' ? {} : { diff: withHeads(diff, path) };
}

function withHeads(diff: string, path: string): string {
  if (diff.startsWith('--- ')) return diff;
  const name = path.replace(/^\/+/, '');
  return `--- a/${name}\n+++ b/${name}\n${diff.endsWith('\n') ? diff : `${diff}\n`}`;
}
