import { listAt, numberAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import type { TranscriptCall, TranscriptPart } from '../model/entry.ts';
import { globalKey } from '../model/keys.ts';
import { timeAt, unpacked, utcAt } from '../model/read-fields.ts';
import { aside, type EntryDraft, type ReadContext } from '../model/read-line.ts';
import { remember, type TranscriptState } from '../model/state.ts';

const MAX_SEEN = 20_000;

/** Events that repeat what others say. */
const PASSING = /_delta$|\.tool\.execution_p|^tool\.execution_(?:partial_result|progress)$/;

/** Events that are known and not part of the talk. */
const KNOWN =
  /^(?:session|hook|subagent|skill|permission|system|abort)\b|^assistant\.(?:turn_start|turn_end|intent|usage)$/;

/** An event, and what is known when it comes. */
interface CopilotEvent {
  readonly line: JsonObject;
  readonly data: JsonObject;
  readonly key: string;
  readonly state: TranscriptState;
}

/**
 * Reads an event of Copilot CLI.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readCopilotLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  const { state } = context;
  const type = textAt(line, 'type') ?? 'without a type';
  const data = objectAt(line, 'data');
  if (type === 'session.start' || type === 'session.resume') noteSession(data, context);
  const key = globalKey(state.session?.sourceId ?? '', textAt(line, 'id') ?? '');
  const entry = readEvent({ line, data, key, state }, type);
  const { id, parentId: parent } = line;
  const time = timeAt(line, 'timestamp');
  return [{ ...entry, ...omitUndefined({ id: stringOf(id), parent: stringOf(parent), time }) }];
}

function noteSession(data: JsonObject, context: ReadContext): void {
  const { state } = context;
  const id = textAt(data, 'sessionId');
  if (id !== undefined && !state.session) context.session(id);
  const { session } = state;
  if (!session) return;
  const facts = objectAt(data, 'context');
  const cwd = textAt(facts, 'cwd');
  if (cwd !== undefined) {
    session.workspacePath ??= cwd;
    state.notes['cwd'] = cwd;
  }
  const startedAt = utcAt(data, 'startTime');
  if (startedAt !== undefined) session.startedAt ??= startedAt;
  const branch = textAt(facts, 'branch');
  if (branch !== undefined) session.metadata['branch'] ??= branch;
  const version = textAt(data, 'copilotVersion');
  if (version !== undefined) session.metadata['agent_version'] = version;
}

function readEvent(event: CopilotEvent, type: string): EntryDraft {
  const { data, line, key, state } = event;
  const content = textAt(data, 'content') ?? '';
  switch (type) {
    case 'user.message': {
      const parts = [{ type: 'text', key: `${key}#0`, text: content, raw: data } as const];
      return { ...message(event, type, parts), role: 'user' };
    }
    case 'assistant.message':
      return readAnswer(event, type);
    case 'assistant.reasoning':
      return withModel(event, message(event, type, thoughtOf(event, content)));
    case 'tool.execution_start': {
      // The answer has asked for it already, or its line is missing.
      const isSeen = state.seen.has(textAt(data, 'toolCallId') ?? '');
      return isSeen ? aside('passing', type, line) : message(event, type, [requestOf(event, data)]);
    }
    case 'tool.execution_complete':
      return { ...message(event, type, [resultOf(data)]), role: 'tool' };
    case 'session.model_change':
      state.notes['model'] = textAt(data, 'newModel') ?? null;
      break;
    default:
  }
  if (PASSING.test(type)) return aside('passing', type, line);
  const isTitle = type === 'session.title_changed';
  const title = isTitle ? textAt(data, 'title') : undefined;
  const entry = aside(KNOWN.test(type) ? 'note' : 'unknown', type, line);
  return { ...entry, ...omitUndefined({ title }) };
}

function message(
  { data, line }: CopilotEvent,
  type: string,
  parts: readonly TranscriptPart[],
): EntryDraft {
  const attachments = listAt(data, 'attachments');
  return {
    kind: 'message',
    type,
    role: 'assistant',
    parts,
    ...omitUndefined({
      attachments: attachments.length > 0 ? attachments : undefined,
      parentCall: textAt(data, 'parentToolCallId'),
    }),
    raw: line,
  };
}

function withModel({ state }: CopilotEvent, entry: EntryDraft): EntryDraft {
  return { ...entry, ...omitUndefined({ model: stringOf(state.notes['model']) }) };
}

function readAnswer(event: CopilotEvent, type: string): EntryDraft {
  const { data, key } = event;
  const calls = listAt(data, 'toolRequests')
    .filter(isJsonObject)
    .map((request) => requestOf(event, request));
  const text = { type: 'text', key: `${key}#1`, text: textAt(data, 'content') ?? '' } as const;
  const outputTokens = data['outputTokens'];
  return {
    ...withModel(
      event,
      message(event, type, [
        ...thoughtOf(event, textAt(data, 'reasoningText') ?? ''),
        { ...text, raw: data },
        ...calls,
      ]),
    ),
    ...omitUndefined({
      messageId: textAt(data, 'messageId'),
      usage: outputTokens === undefined ? undefined : { output_tokens: outputTokens },
    }),
  };
}

function thoughtOf({ data, key }: CopilotEvent, text: string): readonly TranscriptPart[] {
  return text.trim() === '' ? [] : [{ type: 'thinking', key: `${key}#0`, text, raw: data }];
}

function requestOf(event: CopilotEvent, call: JsonObject): TranscriptCall {
  const { state } = event;
  const id = textAt(call, 'toolCallId') ?? '';
  remember(state.seen, id, true, MAX_SEEN);
  return {
    type: 'tool-call',
    id,
    tool: textAt(call, 'name', 'toolName') ?? 'unknown',
    input: unpacked(call['arguments']),
    ...omitUndefined({ cwd: stringOf(state.notes['cwd']) }),
    raw: call,
  };
}

function resultOf(data: JsonObject): TranscriptPart {
  const output = data['result'] ?? data['error'] ?? null;
  const type = textAt(objectOf(output), 'result_type', 'resultType');
  return {
    type: 'tool-result',
    id: textAt(data, 'toolCallId') ?? '',
    output,
    success: data['success'] !== false && (type === undefined || type === 'success'),
    ...omitUndefined({
      error: textAt(objectAt(data, 'error'), 'message'),
      durationMs: numberAt(data, 'durationMs'),
    }),
    raw: data,
  };
}
