import { objectAt, stringOf, textAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { TranscriptPart } from '../model/entry.ts';
import { readContent } from '../model/read-content.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { globalKey, noteSession, type TranscriptState } from '../model/state.ts';

/** Entries that change a setting. */
const NOTES = new Set(['custom', 'label', 'model_change', 'session_info', 'thinking_level_change']);

/**
 * Reads a line of a session of the agent pi: entries that name their parents; those of old sessions are in
 * a row.
 *
 * Source: badlogic/pi-mono, packages/coding-agent/docs/session.md (version 3).
 */
export function readPiLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const { state } = context;
  const type = textAt(line, 'type') ?? 'unknown';
  const name = textAt(line, 'id');
  if (type === 'session' && name !== undefined && !state.session) {
    const facts = { cwd: textAt(line, 'cwd'), startedAt: timeAt(line, 'timestamp') };
    noteSession(context.session(name), facts);
    return [{ kind: 'note', type }];
  }
  const links = linksOf(line, state);
  return [
    { ...links, ...readEntry(line, type, globalKey(state.session?.sourceId ?? '', links.id)) },
  ];
}

function linksOf(
  line: JsonObject,
  { notes }: TranscriptState,
): { id: string; parent: string | undefined } {
  const count = typeof notes['count'] === 'number' ? notes['count'] : 0;
  const id = textAt(line, 'id') ?? String(count);
  if ('parentId' in line) notes['isTree'] = true;
  const parent = notes['isTree'] === true ? textAt(line, 'parentId') : stringOf(notes['last']);
  Object.assign(notes, { count: count + 1, last: id });
  return { id, parent };
}

function readEntry(line: JsonObject, type: string, key: string): EntryDraft {
  const name = textAt(line, 'customType');
  switch (type) {
    case 'message':
      return readMessage(line, objectAt(line, 'message'), key);
    case 'compaction':
    case 'branch_summary': {
      const text = textAt(line, 'summary') ?? '';
      const part = { type: 'text', key: `${key}#0`, text, raw: line } as const;
      return { kind: 'message', type, role: 'system', isSummary: true, parts: [part] };
    }
    case 'custom_message':
      return { kind: 'message', type, role: 'system', name, parts: contentOf(line, key) };
    case 'session_info':
      return { kind: 'note', type, title: textAt(line, 'name') };
    default:
      return { kind: NOTES.has(type) ? 'note' : 'unknown', type, name };
  }
}

function readMessage(line: JsonObject, raw: JsonObject, key: string): EntryDraft {
  const spoken = textAt(raw, 'role') ?? 'unknown';
  const time = timeAt(line, 'timestamp') ?? messageTime(raw);
  const entry = { kind: 'message', type: 'message', time } as const;
  if (spoken === 'toolResult') {
    return { ...entry, role: 'tool', name: textAt(raw, 'toolName'), parts: [resultOf(raw)] };
  }
  // Commands that the user ran in the shell, and roles of extensions.
  if (spoken !== 'user' && spoken !== 'assistant') {
    const part = { type: 'other', name: spoken, kind: 'note', raw } as const;
    return { ...entry, role: 'system', parts: [part] };
  }
  const usage = objectAt(raw, 'usage');
  return {
    ...entry,
    role: spoken,
    parts: contentOf(raw, key),
    model: textAt(raw, 'model'),
    usage: Object.keys(usage).length > 0 ? usage : undefined,
    isAborted: raw['stopReason'] === 'aborted' || undefined,
    hasFailed: raw['stopReason'] === 'error' || undefined,
  };
}

/** Returns the time of entries of old sessions, which have only that of their message, to the microsecond. */
function messageTime(message: JsonObject): string | undefined {
  const time = timeAt(message, 'timestamp');
  return typeof message['timestamp'] === 'number' ? time?.replace('Z', '000Z') : time;
}

function resultOf(raw: JsonObject): TranscriptPart {
  return {
    type: 'tool-result',
    id: textAt(raw, 'toolCallId') ?? '',
    tool: textAt(raw, 'toolName'),
    output: raw['content'] ?? null,
    success: raw['isError'] !== true,
    raw,
  };
}

function contentOf(message: JsonObject, key: string): readonly TranscriptPart[] {
  const { content, errorMessage: raw } = message;
  const parts = readContent(content, undefined, undefined, (index) => `${key}#${index}`);
  const isError = typeof raw === 'string';
  return isError ? [...parts, { type: 'other', name: 'error', kind: 'note', raw }] : parts;
}
