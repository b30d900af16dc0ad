import { objectAt, omitUndefined, textAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { noteSession, textHash, type TranscriptState } from '../model/state.ts';
import { copiedFrom, noteHead, noteTurn } from './copied-history.ts';
import { readCompleted } from './read-completed.ts';
import { CONTEXT_HEAD, KNOWN_EVENTS, KNOWN_LINES, PASSING_EVENTS, readItem } from './read-item.ts';
import { rolloutLines } from './rollout-lines.ts';
import { type CodexLine, heardSummary, readAgentMessage, readSpeech, speak } from './speak.ts';

/**
 * Reads a line of a rollout of Codex, or a session of versions that wrote a single object.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readCodexLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const { state } = context;
  return rolloutLines(line).flatMap((one) => {
    noteTurn(state, one);
    const entries = readLine(one, context);
    const origin = copiedFrom(state);
    return origin === undefined
      ? entries
      : entries.map((entry) => ({ ...entry, copiedFrom: origin }));
  });
}

function readLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const type = textAt(line, 'type') ?? 'without a type';
  const payload = objectAt(line, 'payload');
  const { state } = context;
  const keyOf = (): string => {
    const session = copiedFrom(state) ?? state.session?.sourceId ?? '';
    return `${session}#${textHash(JSON.stringify(line))}`;
  };
  switch (type) {
    case 'session_meta':
      readSession(payload, context);
      return [{ kind: 'note', type }];
    case 'turn_context': {
      const facts = { cwd: textAt(payload, 'cwd'), model: textAt(payload, 'model') };
      Object.assign(state.notes, omitUndefined(facts));
      return [{ kind: 'note', type }];
    }
    case 'response_item':
      return readItem({ payload, key: keyOf() }, state);
    case 'event_msg':
      return readEvent({ payload, key: keyOf() }, state);
    case 'realtime_item':
      return [readSpeech({ payload, key: keyOf() }, type, state)];
    case 'inter_agent_communication':
      return [readAgentMessage({ payload, key: keyOf() }, type)];
    case 'compacted': {
      const text = textAt(payload, 'message') ?? '';
      // The history that replaces the old one repeats what the file has.
      if (text.trim() === '') return [{ kind: 'note', type }];
      // The model may have said it as an answer, and is given it as words of the user.
      if (heardSummary(state, text)) return [{ kind: 'passing', type }];
      const part = { type: 'text', key: keyOf(), text, raw: payload } as const;
      return [{ kind: 'message', type, role: 'system', isSummary: true, parts: [part] }];
    }
    default:
      return [{ kind: KNOWN_LINES.has(type) ? 'note' : 'unknown', type }];
  }
}

function readSession(payload: JsonObject, context: ReadContext): void {
  const id = textAt(payload, 'id', 'session_id');
  if (id === undefined) return;
  const { state } = context;
  const isFirst = state.session === undefined;
  if (isFirst) context.session(id);
  noteHead(state, id, payload);
  // A fork begins with its own; those of the sessions that it came from follow.
  if (!isFirst) return;
  const git = objectAt(payload, 'git');
  const cwd = textAt(payload, 'cwd');
  if (cwd !== undefined) state.notes['cwd'] = cwd;
  noteSession(context.session(id), {
    cwd,
    startedAt: timeAt(payload, 'timestamp'),
    branch: textAt(git, 'branch'),
    more: {
      agent_version: textAt(payload, 'cli_version'),
      forked_from: textAt(payload, 'forked_from_id'),
      source: payload['source'],
      parent_session: textAt(payload, 'parent_thread_id'),
      agent_path: textAt(payload, 'agent_path'),
    },
  });
}

function readEvent({ payload, key }: CodexLine, state: TranscriptState): readonly EntryDraft[] {
  const type = textAt(payload, 'type') ?? 'without a type';
  const id = `${key}#0`;
  switch (type) {
    case 'user_message':
    case 'agent_message': {
      const speech = type === 'user_message' ? type : 'assistant_message';
      const text = textAt(payload, 'message') ?? '';
      if (type === 'user_message' && CONTEXT_HEAD.test(text)) {
        return [{ kind: 'note', type: `${type}:context` }];
      }
      const part = { type: 'text', key: id, text, raw: payload } as const;
      return speak(state, key, type, { speech, side: 'event', parts: [part] });
    }
    case 'agent_reasoning': {
      const text = textAt(payload, 'text') ?? '';
      const part = { type: 'thinking', key: id, text, raw: payload } as const;
      return speak(state, key, type, { speech: 'thinking', side: 'event', parts: [part] });
    }
    case 'patch_apply_end': {
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
      return [{ kind: 'message', type, role: 'tool', parts: [part] }];
    }
    case 'item_completed':
      return readCompleted({ payload, key }, state);
    default:
      if (PASSING_EVENTS.has(type)) return [{ kind: 'passing', type }];
      if (KNOWN_EVENTS.has(type)) return [{ kind: 'note', type }];
      return [{ kind: 'unknown', type: `event_msg:${type}` }];
  }
}
