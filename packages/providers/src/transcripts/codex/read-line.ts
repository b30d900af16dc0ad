import { objectAt, textAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import { textHash } from '../model/keys.ts';
import { timeAt, utcAt } from '../model/read-fields.ts';
import { aside, type EntryDraft, type ReadContext } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';
import { KNOWN_EVENTS, PASSING_EVENTS } from './line-types.ts';
import { readItem } from './read-item.ts';
import { speak, type CodexLine } from './speak.ts';

/**
 * Reads a line of a rollout of Codex.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readCodexLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const type = textAt(line, 'type') ?? 'without a type';
  const payload = objectAt(line, 'payload');
  const { state } = context;
  switch (type) {
    case 'session_meta':
      readSession(payload, context);
      return [aside('note', type, line)];
    case 'turn_context':
      Object.assign(
        state.notes,
        omitUndefined({ cwd: textAt(payload, 'cwd'), model: textAt(payload, 'model') }),
      );
      return [aside('note', type, line)];
    case 'response_item':
      return readItem({ line, payload, key: keyOf(line, state) }, state);
    case 'event_msg':
      return [readEvent({ line, payload, key: keyOf(line, state) }, state)];
    case 'compacted':
      return [readCompaction(line, textAt(payload, 'message') ?? '', state)];
    default:
      return [aside(type === 'world_state' ? 'note' : 'unknown', type, line)];
  }
}

function keyOf(line: JsonObject, { session }: TranscriptState): string {
  return `${session?.sourceId ?? ''}#${textHash(JSON.stringify(line))}`;
}

function readSession(payload: JsonObject, context: ReadContext): void {
  const id = textAt(payload, 'id', 'session_id');
  // A fork begins with its own; those of the sessions that it came from follow.
  if (id === undefined || context.state.session) return;
  const git = objectAt(payload, 'git');
  const cwd = textAt(payload, 'cwd');
  const session = context.session(id);
  if (cwd !== undefined) context.state.notes['cwd'] = cwd;
  Object.assign(
    session,
    omitUndefined({ workspacePath: cwd, startedAt: utcAt(payload, 'timestamp') }),
  );
  Object.assign(
    session.metadata,
    omitUndefined({
      branch: textAt(git, 'branch'),
      agent_version: textAt(payload, 'cli_version'),
      forked_from: textAt(payload, 'forked_from_id'),
      source: payload['source'],
    }),
  );
}

/** The events that say what an item says, too, and the field that has the text. */
const SPEECH = {
  user_message: ['user_message', 'message'],
  agent_message: ['assistant_message', 'message'],
  agent_reasoning: ['thinking', 'text'],
} as const;

function readEvent(read: CodexLine, state: TranscriptState): EntryDraft {
  const { payload, line, key } = read;
  const type = textAt(payload, 'type') ?? '';
  if (type === 'user_message' || type === 'agent_message' || type === 'agent_reasoning') {
    const [speech, field] = SPEECH[type];
    const text = textAt(payload, field) ?? '';
    const kind = speech === 'thinking' ? 'thinking' : 'text';
    const parts = [{ type: kind, key: `${key}#0`, text, raw: payload } as const];
    return speak(read, state, { type, speech, side: 'event', content: text, parts });
  }
  if (type === 'patch_apply_end') return readPatchEnd(payload, line);
  if (PASSING_EVENTS.has(type)) return aside('passing', type, line);
  if (KNOWN_EVENTS.has(type)) return aside('note', type, line);
  return aside('unknown', `event_msg:${textAt(payload, 'type') ?? 'without a type'}`, line);
}

function readPatchEnd(payload: JsonObject, line: JsonObject): EntryDraft {
  const { changes: _changes, ...output } = payload;
  const part = {
    type: 'tool-result',
    id: textAt(payload, 'call_id') ?? '',
    output,
    success: payload['success'] === true,
    error: textAt(payload, 'stderr') ?? 'the tool failed',
    isOfFiles: true,
    raw: payload,
  } as const;
  return {
    kind: 'message',
    type: 'patch_apply_end',
    role: 'tool',
    parts: [part],
    ...omitUndefined({ time: timeAt(line, 'timestamp') }),
    raw: line,
  };
}

function readCompaction(line: JsonObject, text: string, state: TranscriptState): EntryDraft {
  // The history that replaces the old one repeats what the file has.
  if (text.trim() === '') return aside('note', 'compacted', line);
  return {
    kind: 'message',
    type: 'compacted',
    role: 'system',
    isSummary: true,
    parts: [{ type: 'text', key: keyOf(line, state), text, raw: line }],
    ...omitUndefined({ time: timeAt(line, 'timestamp') }),
    raw: line,
  };
}
