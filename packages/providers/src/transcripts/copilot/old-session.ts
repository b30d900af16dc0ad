import { listAt, objectAt, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { textHash } from '../model/state.ts';
import { timeAt } from '../model/read-fields.ts';

/** Checks for a session of an old version (0.0.340): one object with the messages of the model, and what was shown. */
export function isOldSession(line: JsonObject): boolean {
  return Array.isArray(line['chatMessages']) && textAt(line, 'sessionId') !== undefined;
}

/**
 * Returns an old session as the events that newer versions write. Messages have no ids, and the oldest are left out when
 * there are many: a message is known by its text, and how often it came before.
 */
export function eventsOfSession(session: JsonObject): readonly JsonObject[] {
  const shown = shownCalls(session);
  const counts = new Map<string, number>();
  let time = timeAt(session, 'startTime');
  let parentId: string | undefined;
  const { sessionId = null, startTime = null, selectedModel = null } = session;
  const facts = { sessionId, startTime, selectedModel };
  const start = { type: 'session.start', id: 'start', data: facts };
  const events = listAt(session, 'chatMessages')
    .filter(isJsonObject)
    .flatMap((message): JsonObject[] => {
      const hash = textHash(JSON.stringify(message));
      const count = (counts.get(hash) ?? 0) + 1;
      counts.set(hash, count);
      const told = eventOf(message, shown);
      if (!told) return [];
      time = told.time ?? time;
      const id = `${hash}-${count}`;
      const parent = parentId === undefined ? {} : { parentId };
      parentId = id;
      const { type, data } = told;
      return [{ type, id, data, ...parent, ...(time === undefined ? {} : { timestamp: time }) }];
    });
  return [start, ...events];
}

/** The end of a call as it was shown. */
interface ShownCall {
  readonly success: boolean;
  readonly time: string | undefined;
}

interface OldEvent {
  readonly type: string;
  readonly data: JsonObject;
  readonly time?: string | undefined;
}

function eventOf(message: JsonObject, shown: ReadonlyMap<string, ShownCall>): OldEvent | undefined {
  const content = textOf(message);
  switch (message['role']) {
    case 'user': {
      const { text, time } = withoutProgram(content);
      return { type: 'user.message', data: { content: text }, time };
    }
    case 'assistant': {
      const toolRequests = listAt(message, 'tool_calls')
        .filter(isJsonObject)
        .map((call) => {
          const { name = 'unknown', arguments: input, input: text } = bodyOf(call);
          return {
            toolCallId: textAt(call, 'id') ?? '',
            name,
            arguments: input ?? text ?? null,
          };
        });
      return { type: 'assistant.message', data: { content, toolRequests } };
    }
    case 'tool': {
      const toolCallId = textAt(message, 'tool_call_id') ?? '';
      const { success = true, time } = shown.get(toolCallId) ?? {};
      return {
        type: 'tool.execution_complete',
        data: { toolCallId, success, result: { content } },
        time,
      };
    }
    default:
      return undefined;
  }
}

function bodyOf(call: JsonObject): JsonObject {
  return 'custom' in call ? objectAt(call, 'custom') : objectAt(call, 'function');
}

function textOf(message: JsonObject): string {
  const parts = listAt(message, 'content').filter(isJsonObject);
  return textAt(message, 'content') ?? parts.map((part) => textAt(part, 'text') ?? '').join('');
}

const TIME = '\n\n<current_datetime>';
const REMINDER = { start: '\n\n<reminder>', end: '</reminder>' } as const;
const INSTRUCTIONS = { start: '<agent_instructions>', end: '</agent_instructions>' } as const;

/** Returns the words of a user without what the program adds: instructions before them, the time and reminders after. */
function withoutProgram(content: string): { text: string; time?: string | undefined } {
  let text = content;
  const end = text.startsWith(INSTRUCTIONS.start) ? text.indexOf(INSTRUCTIONS.end) : -1;
  if (end !== -1) text = text.slice(end + INSTRUCTIONS.end.length).trimStart();
  while (text.endsWith(REMINDER.end) && text.includes(REMINDER.start)) {
    text = text.slice(0, text.lastIndexOf(REMINDER.start));
  }
  const at = text.lastIndexOf(TIME);
  const [, time] = /^([\d\-T:.]*Z)<\/current_datetime>$/.exec(text.slice(at + TIME.length)) ?? [];
  return at === -1 || time === undefined ? { text } : { text: text.slice(0, at), time };
}

/** Returns how calls ended, by their ids: only what was shown says so. */
function shownCalls(session: JsonObject): ReadonlyMap<string, ShownCall> {
  const calls = new Map<string, ShownCall>();
  for (const entry of listAt(session, 'timeline').filter(isJsonObject)) {
    if (entry['type'] !== 'tool_call_completed') continue;
    const success = textAt(objectAt(entry, 'result'), 'type') === 'success';
    calls.set(textAt(entry, 'callId') ?? '', { success, time: timeAt(entry, 'timestamp') });
  }
  return calls;
}
