import { listAt, objectAt, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import type { TranscriptPart } from '../model/entry.ts';
import { globalKey } from '../model/keys.ts';
import { timeAt, utcAt } from '../model/read-fields.ts';
import { aside, type EntryDraft, type ReadContext } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';

/** Entries that change a setting. */
const NOTES: ReadonlySet<string> = new Set([
  'custom',
  'label',
  'model_change',
  'session_info',
  'thinking_level_change',
]);

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
    noteSession(line, context.session(name));
    return [aside('note', type, line)];
  }
  const links = linksOf(line, state);
  const entry = readEntry(line, type, globalKey(state.session?.sourceId ?? '', links.id));
  return [
    { ...entry, ...links, ...omitUndefined({ time: timeAt(line, 'timestamp') ?? entry.time }) },
  ];
}

function noteSession(line: JsonObject, session: ReturnType<ReadContext['session']>): void {
  const startedAt = utcAt(line, 'timestamp');
  Object.assign(session, omitUndefined({ startedAt, workspacePath: textAt(line, 'cwd') }));
}

function linksOf(line: JsonObject, { notes }: TranscriptState): { id: string; parent?: string } {
  const count = typeof notes['count'] === 'number' ? notes['count'] : 0;
  const id = textAt(line, 'id') ?? String(count);
  if ('parentId' in line) notes['isTree'] = true;
  const parent = notes['isTree'] === true ? textAt(line, 'parentId') : stringOf(notes['last']);
  Object.assign(notes, { count: count + 1, last: id });
  return { id, ...omitUndefined({ parent }) };
}

function readEntry(line: JsonObject, type: string, key: string): EntryDraft {
  switch (type) {
    case 'message':
      return readMessage(line, objectAt(line, 'message'), key);
    case 'compaction':
    case 'branch_summary': {
      const text = textAt(line, 'summary') ?? '';
      const parts = [{ type: 'text', key: `${key}#0`, text, raw: line } as const];
      return { kind: 'message', type, role: 'system', isSummary: true, parts, raw: line };
    }
    case 'custom_message': {
      const parts = readContent(line, key);
      return { kind: 'message', type, role: 'system', parts, raw: line };
    }
    default: {
      const title = type === 'session_info' ? textAt(line, 'name') : undefined;
      return {
        ...aside(NOTES.has(type) ? 'note' : 'unknown', type, line),
        ...omitUndefined({ title }),
      };
    }
  }
}

function readMessage(line: JsonObject, message: JsonObject, key: string): EntryDraft {
  const spoken = textAt(message, 'role') ?? 'unknown';
  const stopped = textAt(message, 'stopReason');
  const entry = {
    kind: 'message',
    type: 'message',
    ...omitUndefined({ time: messageTime(message) }),
    raw: line,
  } as const;
  if (spoken === 'toolResult') return { ...entry, role: 'tool', parts: [resultOf(message)] };
  // What the user ran in the shell, and roles of extensions.
  if (spoken !== 'user' && spoken !== 'assistant') {
    const parts = [{ type: 'other', name: spoken, kind: 'note', raw: message } as const];
    return { ...entry, role: 'system', parts };
  }
  const usage = objectAt(message, 'usage');
  return {
    ...entry,
    role: spoken,
    parts: readContent(message, key),
    ...omitUndefined({
      model: textAt(message, 'model'),
      usage: Object.keys(usage).length > 0 ? usage : undefined,
      isAborted: stopped === 'aborted' || undefined,
      hasFailed: stopped === 'error' || undefined,
    }),
  };
}

/** The time of entries of old sessions, which have only that of their message, to the microsecond. */
function messageTime(message: JsonObject): string | undefined {
  const time = timeAt(message, 'timestamp');
  return typeof message['timestamp'] === 'number' ? time?.replace('Z', '000Z') : time;
}

function resultOf(message: JsonObject): TranscriptPart {
  return {
    type: 'tool-result',
    id: textAt(message, 'toolCallId') ?? '',
    ...omitUndefined({ tool: textAt(message, 'toolName') }),
    output: message['content'] ?? null,
    success: message['isError'] !== true,
    raw: message,
  };
}

function readContent(message: JsonObject, key: string): readonly TranscriptPart[] {
  const { content, errorMessage } = message;
  const blocks = typeof content === 'string' ? [content] : listAt(message, 'content');
  const parts = blocks.map((block, index) => readBlock(block, `${key}#${index}`));
  if (typeof errorMessage !== 'string') return parts;
  return [...parts, { type: 'other', name: 'error', kind: 'note', raw: errorMessage }];
}

function readBlock(block: JsonValue, key: string): TranscriptPart {
  if (typeof block === 'string') return { type: 'text', key, text: block, raw: block };
  if (!isJsonObject(block)) return { type: 'other', name: 'unknown', kind: 'unknown', raw: block };
  const name = textAt(block, 'type') ?? 'unknown';
  switch (name) {
    case 'text':
      return { type: 'text', key, text: textAt(block, 'text') ?? '', raw: block };
    case 'thinking':
      return { type: 'thinking', key, text: textAt(block, 'thinking') ?? '', raw: block };
    case 'toolCall': {
      const tool = textAt(block, 'name') ?? '';
      const id = textAt(block, 'id') ?? '';
      return { type: 'tool-call', id, tool, input: block['arguments'] ?? null, raw: block };
    }
    default:
      return { type: 'other', name, kind: name === 'image' ? 'media' : 'unknown', raw: block };
  }
}
