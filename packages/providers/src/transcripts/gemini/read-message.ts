import { listAt, objectAt, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import { omitUndefined } from '../../json/omit-undefined.ts';
import type { TranscriptPart } from '../model/entry.ts';
import { globalKey, textHash } from '../model/keys.ts';
import { timeAt } from '../model/read-fields.ts';
import { aside, type EntryDraft } from '../model/read-line.ts';
import { remember, type TranscriptState } from '../model/state.ts';

const MAX_SEEN = 20_000;

/** Reads a message: an entry for each thought, its text and each call, unless an earlier line had it. */
export function readMessage(message: JsonObject, state: TranscriptState): EntryDraft[] {
  const id = textAt(message, 'id') ?? '';
  const key = globalKey(state.session?.sourceId ?? '', id);
  const type = textAt(message, 'type') ?? 'without a type';
  if (type !== 'user' && type !== 'gemini') {
    const isKnown = type === 'info' || type === 'error' || type === 'warning';
    return [aside(isKnown ? 'note' : 'unknown', type, message)];
  }
  const time = timeAt(message, 'timestamp');
  const entry = {
    kind: 'message',
    type,
    role: type === 'user' ? 'user' : 'assistant',
    ...omitUndefined({ messageId: id, model: textAt(message, 'model'), time }),
    raw: message,
  } as const;
  const entries: EntryDraft[] = [];
  const say = (part: TranscriptPart & { readonly key: string }, at = time): void => {
    if (!isNew(state, part.key)) return;
    const usage = takeUsage(message, key, state);
    entries.push({ ...entry, id: part.key, parts: [part], ...omitUndefined({ time: at, usage }) });
    state.notes['last'] = part.key;
  };
  for (const raw of listAt(message, 'thoughts').filter(isJsonObject)) {
    const thought = thoughtOf(raw, key);
    if (thought.text.trim() === '') entries.push({ ...entry, parts: [thought] });
    else say(thought, timeAt(raw, 'timestamp') ?? time);
  }
  const text = contentText(message['content']);
  // A text that grew is another one: what was there is not changed.
  const textKey = `${key}#${textHash(text)}`;
  if (text.trim() !== '')
    say({ type: 'text', key: textKey, text, raw: message['content'] ?? null });
  for (const call of listAt(message, 'toolCalls').filter(isJsonObject)) {
    const parts = callParts(call, key, state);
    if (parts.length === 0) continue;
    const parent = stringOf(state.notes['last']);
    const at = timeAt(call, 'timestamp') ?? time;
    entries.push({ ...entry, parts, ...omitUndefined({ parent, time: at }) });
  }
  return entries;
}

function isNew({ seen }: TranscriptState, key: string): boolean {
  if (seen.has(key)) return false;
  remember(seen, key, true, MAX_SEEN);
  return true;
}

function thoughtOf(raw: JsonObject, key: string): TranscriptPart & { type: 'thinking' } {
  const subject = textAt(raw, 'subject');
  const text = textAt(raw, 'description') ?? subject ?? '';
  return {
    type: 'thinking',
    key: `${key}#thought:${textHash(`${subject ?? ''}\n${text}`)}`,
    text,
    ...omitUndefined({ subject: subject === text ? undefined : subject }),
    raw,
  };
}

/** What the message used, with the first entry after it is known. */
function takeUsage(
  message: JsonObject,
  key: string,
  { usage }: TranscriptState,
): JsonObject | undefined {
  const tokens = objectAt(message, 'tokens');
  if (Object.keys(tokens).length === 0 || usage.has(key)) return undefined;
  remember(usage, key, {}, MAX_SEEN);
  return tokens;
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

/** States in which a call is pending; it is written again when it ends. */
const PENDING: ReadonlySet<string> = new Set([
  'awaiting_approval',
  'executing',
  'scheduled',
  'validating',
]);

function callParts(
  call: JsonObject,
  messageKey: string,
  state: TranscriptState,
): readonly TranscriptPart[] {
  const callId = textAt(call, 'id') ?? '';
  const id = `${messageKey}/${callId}`;
  const status = textAt(call, 'status');
  if ((status !== undefined && PENDING.has(status)) || !isNew(state, id)) return [];
  const tool = textAt(call, 'name') ?? 'unknown';
  const cwd = state.session?.workspacePath;
  const facts = { tool, input: call['args'] ?? null, ...omitUndefined({ cwd }) };
  const isOpenEnded = status === undefined && !('result' in call);
  const shown = call['resultDisplay'];
  return [
    { type: 'tool-call', id, callId, ...facts, raw: call },
    {
      type: 'tool-result',
      id,
      tool,
      ...(isOpenEnded ? {} : { output: call['result'] ?? shown ?? null }),
      success: status === undefined || status === 'success',
      error: typeof shown === 'string' ? shown : (status ?? ''),
      raw: call,
    },
  ];
}
