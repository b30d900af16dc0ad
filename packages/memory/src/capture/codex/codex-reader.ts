import { lineReader } from '../line-reader.ts';
import { defined, type JsonObject } from '@vizprompt/providers';
import { closeCall } from '../calls.ts';
import { count } from '../counts.ts';
import type { TranscriptReader } from '../draft.ts';
import { objectAt, objectOf, textAt, timeAt } from '../fields.ts';
import { textHash } from '../keys.ts';
import type { Recording } from '../recording.ts';
import type { CodexLine } from './codex-line.ts';
import { KNOWN_EVENTS, PASSING_EVENTS } from './line-types.ts';
import { patchFacts } from './patch-facts.ts';
import { plannedPatch } from './plan-patch.ts';
import { readItem } from './read-item.ts';
import { sayOnce } from './say-once.ts';

/**
 * Reads a rollout of Codex.
 *
 * Source: docs/formats/transcripts.md.
 */
export function codexReader(recording: Recording): TranscriptReader {
  return lineReader(recording, (line) => readLine(recording, line));
}

function readLine(recording: Recording, line: JsonObject): void {
  const type = textAt(line, 'type') ?? 'without a type';
  const payload = objectAt(line, 'payload');
  const { counts, state } = recording;
  switch (type) {
    case 'session_meta':
      readSession(recording, payload);
      recording.keep(counts.kept, type, line);
      break;
    case 'turn_context': {
      const cwd = textAt(payload, 'cwd');
      const model = textAt(payload, 'model');
      if (cwd !== undefined) state.notes['cwd'] = cwd;
      if (model !== undefined) state.notes['model'] = model;
      recording.keep(counts.kept, type, line);
      break;
    }
    case 'response_item':
    case 'event_msg': {
      const session = state.session?.sourceId ?? '';
      const key = `${session}#${textHash(JSON.stringify(line))}`;
      const read = { payload, key, timestamp: timeAt(line, 'timestamp') };
      const isKnown =
        type === 'event_msg' ? readEvent(recording, read, line) : readItem(recording, read);
      if (!isKnown) {
        const kind = textAt(payload, 'type') ?? 'without a type';
        recording.keep(counts.unknown, `${type}:${kind}`, line);
      }
      break;
    }
    case 'compacted':
      readCompaction(recording, line, payload);
      break;
    default:
      recording.keep(type === 'world_state' ? counts.kept : counts.unknown, type, line);
  }
}

function readSession(recording: Recording, payload: JsonObject): void {
  const id = textAt(payload, 'id', 'session_id');
  // A fork begins with its own; those of the sessions that it came from follow.
  if (id === undefined || recording.state.session) return;
  const session = recording.session(id);
  const cwd = textAt(payload, 'cwd');
  if (cwd !== undefined) {
    session.workspacePath = cwd;
    recording.state.notes['cwd'] = cwd;
  }
  const startedAt = timeAt(payload, 'timestamp');
  if (startedAt !== undefined) session.startedAt = startedAt;
  const git = objectAt(payload, 'git');
  Object.assign(
    session.metadata,
    defined({
      branch: textAt(git, 'branch'),
      agent_version: textAt(payload, 'cli_version'),
      forked_from: textAt(payload, 'forked_from_id'),
      source: payload['source'],
    }),
  );
}

function readEvent(recording: Recording, read: CodexLine, line: JsonObject): boolean {
  const { payload } = read;
  const kind = textAt(payload, 'type') ?? '';
  const { counts } = recording;
  if (kind === 'user_message') {
    sayOnce(recording, read, 'user_message', textAt(payload, 'message') ?? '', 'event');
  } else if (kind === 'agent_message') {
    sayOnce(recording, read, 'assistant_message', textAt(payload, 'message') ?? '', 'event');
  } else if (kind === 'agent_reasoning') {
    sayOnce(recording, read, 'thinking', textAt(payload, 'text') ?? '', 'event');
  } else if (kind === 'patch_apply_end') readPatchEnd(recording, read);
  else if (PASSING_EVENTS.has(kind)) count(counts.passing, kind);
  else if (KNOWN_EVENTS.has(kind)) recording.keep(counts.kept, kind, line);
  else return false;
  return true;
}

function readPatchEnd(recording: Recording, { payload, timestamp }: CodexLine): void {
  const id = textAt(payload, 'call_id') ?? '';
  const call = recording.state.calls.get(id);
  const changes = call ? plannedPatch(call.tool, call.input) : [];
  if (!call || changes.length === 0) {
    recording.keep(recording.counts.kept, 'patch_apply_end', payload);
    return;
  }
  const told = objectOf(payload['changes']);
  const success = payload['success'] === true;
  const error = textAt(payload, 'stderr');
  const { changes: _changes, ...result } = payload;
  closeCall(recording, call, {
    success,
    result,
    changes,
    facts(index) {
      const change = changes[index];
      return change ? patchFacts(told, change, call.cwd) : {};
    },
    ...defined({ error, timestamp }),
  });
}

function readCompaction(recording: Recording, line: JsonObject, payload: JsonObject): void {
  const content = textAt(payload, 'message') ?? '';
  if (content.trim() === '') {
    recording.keep(recording.counts.kept, 'compacted', line);
    return;
  }
  // The history that takes the place of the old one repeats what stands in the file.
  recording.add({
    type: 'assistant_message',
    key: `${recording.state.session?.sourceId ?? ''}#${textHash(JSON.stringify(line))}`,
    data: { content },
    meta: { is_compact_summary: true },
    ...defined({ timestamp: timeAt(line, 'timestamp') }),
  });
}
