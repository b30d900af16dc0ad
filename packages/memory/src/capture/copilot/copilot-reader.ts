import { lineReader } from '../line-reader.ts';
import { isJsonObject, defined, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { closeCall, openCall } from '../calls.ts';
import { count } from '../counts.ts';
import type { TranscriptReader } from '../draft.ts';
import { listAt, numberAt, objectAt, textAt, timeAt, unpacked } from '../fields.ts';
import { globalKey } from '../keys.ts';
import { remember } from '../reader-state.ts';
import type { Recording } from '../recording.ts';
import { plannedChanges } from './plan-changes.ts';

interface CopilotEvent {
  readonly data: JsonObject;
  readonly key: string;
  readonly timestamp: string | undefined;
  readonly parent: string | undefined;
}

/**
 * Reads the events of Copilot CLI.
 *
 * Source: docs/formats/transcripts.md.
 */
export function copilotReader(recording: Recording): TranscriptReader {
  return lineReader(recording, (line) => readLine(recording, line));
}

const MAX_NODES = 20_000;

function readLine(recording: Recording, line: JsonObject): void {
  const { state } = recording;
  const type = textAt(line, 'type') ?? 'without a type';
  const data = objectAt(line, 'data');
  const id = textAt(line, 'id');
  if (type === 'session.start' || type === 'session.resume') noteSession(recording, data);
  const parentId = textAt(line, 'parentId');
  const event: CopilotEvent = {
    data,
    key: globalKey(state.session?.sourceId ?? '', id ?? ''),
    timestamp: timeAt(line, 'timestamp'),
    parent: parentId === undefined ? undefined : state.nodes.get(parentId),
  };
  const last = readEvent(recording, event, type, line) ?? event.parent;
  if (id !== undefined && last !== undefined) remember(state.nodes, id, last, MAX_NODES);
}

function noteSession(recording: Recording, data: JsonObject): void {
  const id = textAt(data, 'sessionId');
  if (id !== undefined && !recording.state.session) recording.session(id);
  const { session } = recording.state;
  if (!session) return;
  const context = objectAt(data, 'context');
  const cwd = textAt(context, 'cwd');
  if (cwd !== undefined) {
    session.workspacePath ??= cwd;
    recording.state.notes['cwd'] = cwd;
  }
  const startedAt = timeAt(data, 'startTime');
  if (startedAt !== undefined) session.startedAt ??= startedAt;
  const branch = textAt(context, 'branch');
  if (branch !== undefined) session.metadata['branch'] ??= branch;
  const version = textAt(data, 'copilotVersion');
  if (version !== undefined) session.metadata['agent_version'] = version;
}

function readEvent(
  recording: Recording,
  event: CopilotEvent,
  type: string,
  line: JsonObject,
): string | undefined {
  const { counts, state } = recording;
  switch (type) {
    case 'user.message':
      return say(recording, event, 'user_message', textAt(event.data, 'content') ?? '', 0);
    case 'assistant.message':
      return readAnswer(recording, event);
    case 'assistant.reasoning':
      return say(recording, event, 'thinking', textAt(event.data, 'content') ?? '', 0);
    case 'tool.execution_start': {
      const toolId = textAt(event.data, 'toolCallId') ?? '';
      if (state.calls.has(toolId)) count(counts.passing, type);
      else return readCall(recording, event, event.data, 'toolName');
      return undefined;
    }
    case 'tool.execution_complete':
      return finish(recording, event, line);
    case 'session.model_change':
      state.notes['model'] = textAt(event.data, 'newModel') ?? null;
      break;
    case 'session.title_changed': {
      const title = textAt(event.data, 'title');
      if (title !== undefined && state.session) state.session.metadata['title'] = title;
      break;
    }
    default:
  }
  if (/_delta$|\.tool\.execution_p|^tool\.execution_(?:partial_result|progress)$/.test(type)) {
    count(counts.passing, type);
  } else recording.keep(KNOWN.test(type) ? counts.kept : counts.unknown, type, line);
  return undefined;
}

/** Events that are known and kept as they are. */
const KNOWN =
  /^(?:session|hook|subagent|skill|permission|system|abort)\b|^assistant\.(?:turn_start|turn_end|intent|usage)$/;

function readAnswer(recording: Recording, event: CopilotEvent): string | undefined {
  const { data } = event;
  const thought = textAt(data, 'reasoningText') ?? '';
  let last = say(recording, event, 'thinking', thought, 0);
  const spoken = { ...event, parent: last ?? event.parent };
  last = say(recording, spoken, 'assistant_message', textAt(data, 'content') ?? '', 1) ?? last;
  for (const request of listAt(data, 'toolRequests').filter(isJsonObject)) {
    const asked = { ...event, parent: last ?? event.parent };
    last = readCall(recording, asked, request, 'name') ?? last;
  }
  return last;
}

function say(
  recording: Recording,
  { data, key, timestamp, parent }: CopilotEvent,
  type: 'assistant_message' | 'thinking' | 'user_message',
  content: string,
  part: number,
): string | undefined {
  if (content.trim() === '') return undefined;
  const { reasons, notes } = recording.state;
  reasons.set('', content);
  const attachments = listAt(data, 'attachments');
  const isAnswer = type === 'assistant_message';
  const own = `${key}#${part}`;
  recording.add({
    type,
    key: own,
    data: { content },
    meta: {
      ...defined({
        model: type === 'user_message' ? undefined : (notes['model'] ?? undefined),
        message_id: isAnswer ? textAt(data, 'messageId') : undefined,
        usage:
          isAnswer && 'outputTokens' in data ? { output_tokens: data['outputTokens'] } : undefined,
        attachments: attachments.length > 0 ? attachments : undefined,
        parent_tool_use_id: textAt(data, 'parentToolCallId'),
      }),
    },
    ...defined({ timestamp, parent }),
  });
  return own;
}

function readCall(
  recording: Recording,
  { timestamp, parent }: CopilotEvent,
  call: JsonObject,
  nameField: 'name' | 'toolName',
): string | undefined {
  const { state } = recording;
  const id = textAt(call, 'toolCallId') ?? '';
  const tool = textAt(call, nameField) ?? 'unknown';
  const input: JsonValue = unpacked(call['arguments']);
  const cwd = state.notes['cwd'];
  const open = {
    id,
    tool,
    input,
    meta: { tool_use_id: id, tool },
    ...defined({ timestamp, parent, cwd: typeof cwd === 'string' ? cwd : undefined }),
  };
  return openCall(recording, open, plannedChanges(tool, input), state.reasons.get('') ?? '');
}

function finish(recording: Recording, event: CopilotEvent, line: JsonObject): string | undefined {
  const { data, timestamp } = event;
  const call = recording.state.calls.get(textAt(data, 'toolCallId') ?? '');
  if (!call) {
    recording.keep(recording.counts.unknown, 'result without a call', line);
    return undefined;
  }
  const result = data['result'] ?? data['error'] ?? null;
  const type = isJsonObject(result) ? textAt(result, 'result_type', 'resultType') : undefined;
  const isFailure = data['success'] === false || (type !== undefined && type !== 'success');
  const failure = textAt(objectAt(data, 'error'), 'message');
  return closeCall(recording, call, {
    success: !isFailure,
    error: failure ?? (typeof result === 'string' ? result : JSON.stringify(result)),
    result,
    changes: plannedChanges(call.tool, call.input),
    ...defined({ timestamp, durationMs: numberAt(data, 'durationMs') }),
  });
}
