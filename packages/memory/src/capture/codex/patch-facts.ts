import type { JsonObject } from '@vizprompt/providers';
import { objectAt, objectOf, textAt } from '../fields.ts';
import { absolutePath } from '../files/absolute-path.ts';
import type { PlannedChange } from '../files/planned-change.ts';
import type { FileFacts } from '../files/record-changes.ts';

/**
 * What the event `patch_apply_end` tells of a file: `changes` maps paths to `{type: 'add', content}` or,
 * in older versions, `{add: {content}}`.
 */
export function patchFacts(
  changes: JsonObject,
  change: PlannedChange,
  cwd: string | undefined,
): FileFacts {
  const path = absolutePath(change.path, cwd);
  const named = Object.keys(changes).find((name) => absolutePath(name, cwd) === path);
  const told = named === undefined ? {} : objectOf(changes[named]);
  const tag = textAt(told, 'type') ?? Object.keys(told)[0];
  const body = 'type' in told ? told : objectAt(told, tag ?? '');
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
