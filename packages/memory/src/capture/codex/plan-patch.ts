import { isJsonObject, type JsonValue } from '@vizprompt/providers';
import { objectOf, textAt } from '../fields.ts';
import type { PlannedChange } from '../files/planned-change.ts';
import { parsePatch } from '../patch/parse-patch.ts';

const SHELLS: ReadonlySet<string> = new Set([
  'exec_command',
  'local_shell',
  'shell',
  'shell_command',
]);

/** The files that a call changes: `apply_patch` as a tool of its own, or in a shell. */
export function plannedPatch(tool: string, input: JsonValue): readonly PlannedChange[] {
  const text = tool === 'apply_patch' ? patchText(input) : shellPatch(tool, input);
  const files = text === undefined ? undefined : parsePatch(text);
  return (files ?? []).map((file): PlannedChange => {
    const { action, path } = file;
    if (action === 'create') return { action, path, how: { kind: 'write', text: file.text } };
    if (action === 'delete') return { action, path, how: { kind: 'delete' } };
    const { movedTo, chunks } = file;
    const how = { kind: 'patch', chunks } as const;
    return movedTo === undefined ? { action, path, how } : { action, path, movedTo, how };
  });
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
