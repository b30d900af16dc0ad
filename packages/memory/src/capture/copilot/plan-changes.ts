import type { JsonValue } from '@vizprompt/providers';
import { objectOf, textAt } from '../fields.ts';
import type { PlannedChange } from '../files/planned-change.ts';
import { plannedPatch } from '../codex/plan-patch.ts';

/** The files that a call of one of Copilot CLI's tools changes, if it does. */
export function plannedChanges(tool: string, input: JsonValue): readonly PlannedChange[] {
  if (tool === 'apply_patch') return plannedPatch(tool, input);
  const call = objectOf(input);
  const path = textAt(call, 'path', 'file_path');
  const kind = tool === 'str_replace_editor' ? textAt(call, 'command') : tool;
  if (path === undefined) return [];
  if (kind === 'create' || kind === 'write') {
    const text = textAt(call, 'file_text', 'content') ?? '';
    return [{ action: 'create', path, how: { kind: 'write', text } }];
  }
  if (kind === 'edit' || kind === 'str_replace') {
    const oldText = textAt(call, 'old_str', 'old_string') ?? '';
    const newText = textAt(call, 'new_str', 'new_string') ?? '';
    const replacements = [{ oldText, newText, all: false }];
    return [{ action: 'edit', path, how: { kind: 'replace', replacements } }];
  }
  if (kind === 'insert') return [{ action: 'edit', path, how: { kind: 'unknown' } }];
  return [];
}
