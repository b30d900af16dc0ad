import { objectOf, textAt } from '../../json/fields.ts';
import { NO_FILES, type CallFiles } from '../changes/file-change.ts';
import { codexFiles } from '../codex/file-changes.ts';
import type { TranscriptCall } from '../model/entry.ts';

/** Returns the file that a call of one of Copilot CLI's tools changes. */
export function copilotFiles(call: Pick<TranscriptCall, 'input' | 'tool'>): CallFiles {
  const { tool, input } = call;
  if (tool === 'apply_patch') return codexFiles(call, undefined);
  const fields = objectOf(input);
  const path = textAt(fields, 'path', 'file_path');
  const kind = tool === 'str_replace_editor' ? textAt(fields, 'command') : tool;
  if (path === undefined) return NO_FILES;
  if (kind === 'create' || kind === 'write') {
    const text = textAt(fields, 'file_text', 'content') ?? '';
    return { changes: [{ action: 'create', path, how: { kind: 'write', text } }] };
  }
  if (kind === 'edit' || kind === 'str_replace') {
    const oldText = textAt(fields, 'old_str', 'old_string') ?? '';
    const newText = textAt(fields, 'new_str', 'new_string') ?? '';
    const replacements = [{ oldText, newText, all: false }];
    return { changes: [{ action: 'edit', path, how: { kind: 'replace', replacements } }] };
  }
  if (kind !== 'insert') return NO_FILES;
  return { changes: [{ action: 'edit', path, how: { kind: 'unknown' } }] };
}
