import { listAt, numberAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptCall, TranscriptResult, TranscriptText } from '../model/entry.ts';
import { timeAt, unpacked } from '../model/read-fields.ts';
import type { EntryDraft, ReadContext } from '../model/read-line.ts';
import { globalKey, noteSession, textHash, type TranscriptState } from '../model/state.ts';
import { eventsOfSession, isOldSession } from './old-session.ts';

/** Events that repeat what others say. */
const PASSING =
  /_delta$|^assistant\.message_start$|\.tool\.execution_p|^tool\.execution_(?:partial_result|progress)$/;

/** Events that are known and not part of the talk. */
const KNOWN =
  /^(?:abort|auto_mode_switch|capabilities|commands?|elicitation|exit_plan_mode|external_tool|hook|mcp|mcp_app|model|pending_messages|permission|sampling|session|skill|subagent|system|user_input)\b|^assistant\.(?:turn_start|turn_end|idle|intent|usage)$|^result$/;

/** Sources of messages that the program sends in the name of the user. */
const PROGRAM =
  /^(?:(?:autopilot|skill|system)(?:-|$)|(?:jit-instruction|runtime-quota-check|thinking-exhausted-continuation)$)/;

/**
 * Reads an event of Copilot CLI.
 *
 * Source: docs/formats/transcripts.md.
 */
export function readCopilotLine(line: JsonObject, context: ReadContext): readonly EntryDraft[] {
  if (isOldSession(line)) {
    return eventsOfSession(line).flatMap((event) => {
      return readCopilotLine(event, context).map((entry) => {
        return { time: timeAt(event, 'timestamp'), raw: event, ...entry };
      });
    });
  }
  const type = textAt(line, 'type') ?? 'without a type';
  const data = objectAt(line, 'data');
  const imported = objectAt(data, 'legacySession');
  if (isOldSession(imported)) return readCopilotLine(imported, context);
  if (type === 'session.start' || type === 'session.resume') begin(data, context);
  const id = textAt(line, 'id');
  const key = globalKey(context.state.session?.sourceId ?? '', id ?? '');
  const attachments = listAt(data, 'attachments');
  return [
    {
      id,
      parent: textAt(line, 'parentId'),
      attachments: attachments.length > 0 ? attachments : undefined,
      parentCall: textAt(data, 'parentToolCallId'),
      // Another agent is the user of a subagent.
      subagent: textAt(line, 'agentId'),
      ...readEvent(data, type, key, context.state),
    },
  ];
}

function begin(data: JsonObject, context: ReadContext): void {
  const { state } = context;
  const id = textAt(data, 'sessionId');
  if (id !== undefined && !state.session) context.session(id);
  const facts = objectAt(data, 'context');
  const cwd = textAt(facts, 'cwd');
  if (cwd !== undefined) state.notes['cwd'] = cwd;
  state.notes['model'] ??= textAt(data, 'selectedModel') ?? null;
  noteSession(state.session, {
    cwd,
    startedAt: timeAt(data, 'startTime'),
    branch: textAt(facts, 'branch'),
    more: { agent_version: textAt(data, 'copilotVersion') },
  });
}

function readEvent(
  data: JsonObject,
  type: string,
  key: string,
  state: TranscriptState,
): EntryDraft {
  const { notes, seen } = state;
  const message = { kind: 'message', type } as const;
  const text = textAt(data, 'content') ?? '';
  const model = textAt(data, 'model') ?? stringOf(notes['model']);
  switch (type) {
    case 'user.message': {
      const part = { type: 'text', key: `${key}#0`, text, raw: data } as const;
      const source = textAt(data, 'source') ?? 'user';
      if (PROGRAM.test(source) || data['isAutopilotContinuation'] === true) {
        return { kind: 'note', type: `${type}:${source}` };
      }
      const said = { ...message, role: 'user', parts: [part] } as const;
      return source.startsWith('agent-') ? { ...said, subagent: source.slice(6) } : said;
    }
    case 'assistant.message': {
      const thought = textAt(data, 'reasoningText') ?? '';
      // A stream says a thought in an event of its own, too.
      notes['thought'] = textHash(thought);
      const thoughts = thoughtsOf(data, thought, key);
      const part = { type: 'text', key: `${key}#1`, text, raw: data } as const;
      const calls = listAt(data, 'toolRequests').filter(isJsonObject);
      const parts = [...thoughts, part, ...calls.map((call) => callOf(call, state))];
      const { outputTokens } = data;
      const usage = outputTokens === undefined ? undefined : { output_tokens: outputTokens };
      return { ...message, parts, model, messageId: textAt(data, 'messageId'), usage };
    }
    case 'assistant.reasoning':
      if (text !== '' && textHash(text) === notes['thought']) return { kind: 'passing', type };
      return { ...message, parts: thoughtsOf(data, text, key), model };
    case 'tool.user_requested':
    case 'tool.execution_start':
      // The answer has asked for it already, unless its line is missing.
      if (seen.has(textAt(data, 'toolCallId') ?? '')) return { kind: 'passing', type };
      return { ...message, parts: [callOf(data, state)] };
    case 'tool.execution_complete':
      return { ...message, role: 'tool', parts: [resultOf(data)] };
    case 'session.model_change':
      notes['model'] = textAt(data, 'newModel') ?? null;
      return { kind: 'note', type };
    case 'session.compaction_complete':
      return summaryOf(type, textAt(data, 'summaryContent') ?? '', key, data);
    case 'session.handoff':
      return summaryOf(type, textAt(data, 'summary') ?? '', key, data);
    case 'session.title_changed':
      return { kind: 'note', type, title: textAt(data, 'title') };
    default:
      if (PASSING.test(type)) return { kind: 'passing', type };
      return { kind: KNOWN.test(type) ? 'note' : 'unknown', type };
  }
}

function summaryOf(type: string, text: string, key: string, raw: JsonObject): EntryDraft {
  if (text.trim() === '') return { kind: 'note', type };
  const part = { type: 'text', key: `${key}#0`, text, raw } as const;
  return { kind: 'message', type, role: 'system', isSummary: true, parts: [part] };
}

function thoughtsOf(raw: JsonObject, text: string, key: string): readonly TranscriptText[] {
  return text.trim() === '' ? [] : [{ type: 'thinking', key: `${key}#0`, text, raw }];
}

function callOf(raw: JsonObject, { notes, seen }: TranscriptState): TranscriptCall {
  const id = textAt(raw, 'toolCallId') ?? '';
  const tool = textAt(raw, 'name', 'toolName') ?? 'unknown';
  const cwd = stringOf(notes['cwd']);
  seen.set(id, true);
  return { type: 'tool-call', id, tool, input: unpacked(raw['arguments']), cwd, raw };
}

function resultOf(raw: JsonObject): TranscriptResult {
  const output = raw['result'] ?? raw['error'] ?? null;
  const type = textAt(objectOf(output), 'result_type', 'resultType');
  return {
    type: 'tool-result',
    id: textAt(raw, 'toolCallId') ?? '',
    output,
    success:
      raw['success'] !== false &&
      (type === undefined || type === 'success') &&
      exitCode(raw, output) === 0,
    error: textAt(objectAt(raw, 'error'), 'message'),
    durationMs: numberAt(raw, 'durationMs'),
    raw,
  };
}

/** Returns the exit code. A failed command counts as a success: its code is separate, or ends its output. */
function exitCode(raw: JsonObject, output: JsonValue): number {
  const told = numberAt(objectAt(raw, 'shellExecution'), 'exitCode');
  if (told !== undefined) return told;
  const text = typeof output === 'string' ? output : (textAt(objectOf(output), 'content') ?? '');
  return Number(
    /<(?:shellId: \S\S* |command )?(?:exited|completed) with exit code (-?\d\d*)>\s*$/.exec(
      text,
    )?.[1] ?? 0,
  );
}
