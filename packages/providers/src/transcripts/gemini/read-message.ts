import { listAt, objectAt, objectOf, stringOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptPart, TranscriptText } from '../model/entry.ts';
import { globalKey, textHash } from '../model/keys.ts';
import { timeAt } from '../model/read-fields.ts';
import type { EntryDraft } from '../model/read-line.ts';
import type { TranscriptState } from '../model/state.ts';

/** Reads a message: an entry for each thought, its text and each call, unless an earlier line had it. */
export function readMessage(raw: JsonObject, state: TranscriptState): EntryDraft[] {
  const messageId = textAt(raw, 'id') ?? '';
  const key = globalKey(state.session?.sourceId ?? '', messageId);
  const type = textAt(raw, 'type') ?? 'without a type';
  if (type !== 'user' && type !== 'gemini') {
    const isKnown = type === 'info' || type === 'error' || type === 'warning';
    return [{ kind: isKnown ? 'note' : 'unknown', type, raw }];
  }
  const role = type === 'user' ? 'user' : 'assistant';
  const model = textAt(raw, 'model');
  const message = { kind: 'message', type, role, messageId, model, raw } as const;
  const entryOf = (part: TranscriptPart, more: Partial<EntryDraft> = {}): EntryDraft => {
    const time = timeAt(objectOf(part.raw), 'timestamp') ?? timeAt(raw, 'timestamp');
    return { ...message, time, parts: [part], ...more };
  };
  const say = (part: TranscriptText): EntryDraft[] => {
    if (!isNew(state, part.key)) return [];
    state.notes['last'] = part.key;
    return [entryOf(part, { id: part.key, usage: takeUsage(raw, key, state) })];
  };
  const thoughts = listAt(raw, 'thoughts').filter(isJsonObject);
  const text = contentText(raw['content']);
  // A text that grew is another one: what was there is not changed.
  const textKey = `${key}#${textHash(text)}`;
  return [
    ...thoughts
      .map((thought) => thoughtOf(thought, key))
      .flatMap((part) => (part.text.trim() === '' ? [entryOf(part)] : say(part))),
    ...(text.trim() === '' ? [] : say({ type: 'text', key: textKey, text, raw })),
    ...listAt(raw, 'toolCalls')
      .filter(isJsonObject)
      .flatMap((call) => {
        const parts = callParts(call, key, state);
        const parent = stringOf(state.notes['last']);
        return parts[0] ? [entryOf(parts[0], { parent, parts })] : [];
      }),
  ];
}

function isNew({ seen }: TranscriptState, key: string): boolean {
  if (seen.has(key)) return false;
  seen.set(key, true);
  return true;
}

function thoughtOf(raw: JsonObject, key: string): TranscriptText {
  const subject = textAt(raw, 'subject');
  const text = textAt(raw, 'description') ?? subject ?? '';
  return {
    type: 'thinking',
    key: `${key}#thought:${textHash(`${subject ?? ''}\n${text}`)}`,
    text,
    subject: subject === text ? undefined : subject,
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
  usage.set(key, {});
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
const PENDING = new Set(['awaiting_approval', 'executing', 'scheduled', 'validating']);

/** The call and its result; none if it is pending, or was read before. */
function callParts(
  raw: JsonObject,
  messageKey: string,
  state: TranscriptState,
): readonly TranscriptPart[] {
  const callId = textAt(raw, 'id') ?? '';
  const id = `${messageKey}/${callId}`;
  const status = textAt(raw, 'status');
  if ((status !== undefined && PENDING.has(status)) || !isNew(state, id)) return [];
  const tool = textAt(raw, 'name') ?? 'unknown';
  const cwd = state.session?.workspacePath;
  const shown = raw['resultDisplay'];
  const isOpenEnded = status === undefined && !('result' in raw);
  return [
    { type: 'tool-call', id, callId, tool, input: raw['args'] ?? null, cwd, raw },
    {
      type: 'tool-result',
      id,
      tool,
      output: isOpenEnded ? undefined : (raw['result'] ?? shown ?? null),
      success: status === undefined || status === 'success',
      error: typeof shown === 'string' ? shown : (status ?? ''),
      raw,
    },
  ];
}
