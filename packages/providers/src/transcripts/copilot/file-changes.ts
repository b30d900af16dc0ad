import { objectOf, textAt } from '../../json/fields.ts';
import { changing, writing, type CallFiles } from '../changes/file-change.ts';
import { codexFiles } from '../codex/file-changes.ts';
import type { FileCall } from '../model/entry.ts';

/** Returns the file that a call of one of Copilot CLI's tools changes. */
export function copilotFiles(call: FileCall): CallFiles {
  const { tool, input } = call;
  if (tool === 'apply_patch') return codexFiles(call, undefined);
  const fields = objectOf(input);
  const path = textAt(fields, 'path', 'file_path');
  const kind = tool === 'str_replace_editor' ? textAt(fields, 'command') : tool;
  if (path === undefined) return { changes: [] };
  if (kind === 'create' || kind === 'write') {
    return { changes: [writing(path, textAt(fields, 'file_text', 'content'))] };
  }
  if (kind === 'insert') return { changes: [changing(path)] };
  if (kind !== 'edit' && kind !== 'str_replace') return { changes: [] };
  const oldText = textAt(fields, 'old_str', 'old_string') ?? '';
  const newText = textAt(fields, 'new_str', 'new_string') ?? '';
  const how = { kind: 'replace', replacements: [{ oldText, newText, all: false }] } as const;
  return { changes: [{ action: 'edit', path, how }] };
}
