import { objectAt, objectOf, textAt } from '../../json/fields.ts';
import { editorChange, editorCommand } from '../changes/editor-commands.ts';
import type { CallFiles } from '../changes/file-change.ts';
import { codexFiles } from '../codex/file-changes.ts';
import type { FileCall, TranscriptResult } from '../model/entry.ts';

/** Returns the file that a call of one of Copilot CLI's tools changes. */
export function copilotFiles(call: FileCall, result: TranscriptResult | undefined): CallFiles {
  const { tool, input } = call;
  if (tool === 'apply_patch') return codexFiles(call, undefined);
  const told = objectAt(objectOf(result?.raw), 'result');
  const planned = editorChange(editorCommand(tool, objectOf(input)), objectOf(input));
  const changes = planned ? [planned] : [];
  const facts = shownTexts(textAt(told, 'detailedContent') ?? '');
  const isRead = tool === 'view' && result?.success === true && facts !== undefined;
  const path = textAt(objectOf(input), 'path');
  // The log of a new file does not say whether its last line has an end; the call does.
  const isWritten = facts?.oldText === null && textAt(objectOf(input), 'file_text') !== undefined;
  const known = isWritten ? { oldText: null } : facts;
  return {
    changes: known ? changes.map((change) => ({ ...change, facts: known })) : changes,
    read: isRead && path !== undefined ? { path, text: facts.newText } : undefined,
  };
}

/** Maximum number of unchanged lines that the user sees before and after a change. */
const SHOWN = 3;

/** Both texts of a file, if what is shown to the user is all of it. The end of the last line counts as a line. */
function shownTexts(shown: string): { oldText: string | null; newText: string } | undefined {
  const [, head = '', body = ''] =
    /^([\s\S]*?)^@@ -1(?:,\d\d*)? \+1(?:,\d\d*)? @@[^\n]*\n([\s\S]*)$/m.exec(shown) ?? [];
  if (head === '' || /^@@ /m.test(body)) return undefined;
  const lines = body.replace(/\n$/, '').split('\n');
  const side = (sign: string): readonly string[] =>
    lines
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => line.slice(1));
  const after = lines.length - 1 - lines.findLastIndex((line) => /^[+-]/.test(line));
  const isWhole =
    after === lines.length ? lines.at(-1) === ' ' : after < SHOWN && lines.at(-1) === ' ';
  const isNew = /^--- a\/dev\/null$/m.test(head);
  if (isNew)
    return {
      oldText: null,
      newText: side('+')
        .map((line) => `${line}\n`)
        .join(''),
    };
  return isWhole ? { oldText: side('-').join('\n'), newText: side('+').join('\n') } : undefined;
}
