import { isJsonObject, defined, type JsonObject, type JsonValue } from '@vizprompt/providers';
import { closeCall, closeUntold, openCall } from '../calls.ts';
import { listAt, objectAt, textAt, timeAt } from '../fields.ts';
import { globalKey, textHash } from '../keys.ts';
import { remember } from '../reader-state.ts';
import type { NewDraft, Recording } from '../recording.ts';
import { fileFacts, plannedChanges, readText } from './plan-changes.ts';

const MAX_SEEN = 20_000;

/** Reads a message: thoughts, text and calls become events, each of them once. */
export function readMessage(recording: Recording, message: JsonObject): void {
  const { counts, state } = recording;
  const id = textAt(message, 'id') ?? '';
  const key = globalKey(state.session?.sourceId ?? '', id);
  const type = textAt(message, 'type') ?? 'without a type';
  if (type !== 'user' && type !== 'gemini') {
    const isKnown = type === 'info' || type === 'error' || type === 'warning';
    recording.keep(isKnown ? counts.kept : counts.unknown, type, message);
    return;
  }
  const timestamp = timeAt(message, 'timestamp');
  const model = textAt(message, 'model');
  const meta = defined({ message_id: id, model });
  const add = (draft: NewDraft): void => {
    if (state.nodes.has(draft.key)) return;
    remember(state.nodes, draft.key, draft.key, MAX_SEEN);
    recording.add({ ...draft, meta: { ...draft.meta, ...takeUsage(recording, key, message) } });
    state.notes['last'] = draft.key;
  };
  for (const thought of listAt(message, 'thoughts').filter(isJsonObject)) {
    const subject = textAt(thought, 'subject');
    const content = textAt(thought, 'description') ?? subject ?? '';
    if (content.trim() === '') counts.emptyThoughts += 1;
    else {
      state.reasons.set('', content);
      add({
        type: 'thinking',
        key: `${key}#thought:${textHash(`${subject ?? ''}\n${content}`)}`,
        data: { content, ...defined({ context: subject === content ? undefined : subject }) },
        meta,
        ...defined({ timestamp: timeAt(thought, 'timestamp') ?? timestamp }),
      });
    }
  }
  const content = contentText(message['content']);
  if (content.trim() !== '') {
    state.reasons.set('', content);
    add({
      type: type === 'user' ? 'user_message' : 'assistant_message',
      // A text that grew is another one: what was there is not changed.
      key: `${key}#${textHash(content)}`,
      data: { content },
      meta,
      ...defined({ timestamp }),
    });
  }
  for (const call of listAt(message, 'toolCalls').filter(isJsonObject)) {
    readCall(recording, call, key, meta, timestamp);
  }
}

/** What the message used, with the first event after it is known. */
function takeUsage(recording: Recording, key: string, message: JsonObject): JsonObject {
  const tokens = objectAt(message, 'tokens');
  if (Object.keys(tokens).length === 0 || recording.state.usage.has(key)) return {};
  remember(recording.state.usage, key, {}, MAX_SEEN);
  return { usage: tokens };
}

function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [content ?? null];
  return parts
    .map((part) => (typeof part === 'string' ? part : isJsonObject(part) ? partText(part) : ''))
    .join('');
}

function partText(part: JsonObject): string {
  const text = textAt(part, 'text');
  if (text !== undefined) return text;
  const data = objectAt(part, 'inlineData');
  return `[${textAt(data, 'mimeType') ?? Object.keys(part)[0] ?? 'part'}]`;
}

/** States in which a call is still under way; it is written again when it ends. */
const OPEN: ReadonlySet<string> = new Set([
  'awaiting_approval',
  'executing',
  'scheduled',
  'validating',
]);

function readCall(
  recording: Recording,
  call: JsonObject,
  messageKey: string,
  meta: JsonObject,
  messageTime: string | undefined,
): void {
  const { state } = recording;
  const id = `${messageKey}/${textAt(call, 'id') ?? ''}`;
  const status = textAt(call, 'status');
  if (state.nodes.has(id) || (status !== undefined && OPEN.has(status))) return;
  remember(state.nodes, id, id, MAX_SEEN);
  const tool = textAt(call, 'name') ?? 'unknown';
  const input = call['args'] ?? null;
  const timestamp = timeAt(call, 'timestamp') ?? messageTime;
  const changes = plannedChanges(tool, input);
  const parent = state.notes['last'];
  const open = {
    id,
    tool,
    input,
    meta: { ...meta, tool_use_id: textAt(call, 'id') ?? '', tool },
    ...defined({
      cwd: state.session?.workspacePath,
      timestamp,
      parent: typeof parent === 'string' ? parent : undefined,
    }),
  };
  openCall(recording, open, changes, state.reasons.get('') ?? '');
  const isOpenEnded = status === undefined && !('result' in call);
  const success = status === undefined || status === 'success';
  const read = success ? readText(call) : undefined;
  if (read) recording.files.set(read.path, read.text);
  const opened = state.calls.get(id);
  if (!opened) return;
  if (isOpenEnded) {
    closeUntold(recording, opened);
    return;
  }
  const result = call['result'] ?? call['resultDisplay'] ?? null;
  closeCall(recording, opened, {
    success,
    error: typeof call['resultDisplay'] === 'string' ? call['resultDisplay'] : (status ?? ''),
    result,
    changes,
    facts: () => fileFacts(call),
    ...defined({ timestamp }),
  });
}
