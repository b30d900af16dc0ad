import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { type AnyUIMessage, fromThread, toJson, toThread } from '../bridge/ui-message.ts';
import type { ThreadItem, ThreadMessage } from '../thread/thread.ts';

/** A message as assistant-ui stores it: in a format of its own (`aui/v0`), of the AI SDK (`ai-sdk/v6`) or of others. */
export interface StoredEntry {
  readonly id: string;
  readonly parent_id: string | null;
  readonly format: string;
  readonly content: JsonObject;
}

/** The key under which the format of an entry is stored with its message. */
const FORMAT = 'entryFormat';
const PARTS = { 'ai-sdk': 'parts', other: 'content' } as const;

/** The key of the list of parts in the content of a format. */
function partsKey(format: string): 'parts' | 'content' {
  return format.startsWith('ai-sdk') ? PARTS['ai-sdk'] : PARTS.other;
}

/** Converts an entry to a message; {@link toEntry} returns the same. */
export function fromEntry(entry: StoredEntry): ThreadMessage {
  const { id, parent_id: parentId, format, content } = entry;
  const toStored = (message: AnyUIMessage): ThreadMessage => {
    const thread = toThread(message);
    return { ...thread, meta: { ...thread.meta, [FORMAT]: format } };
  };
  const { role, [partsKey(format)]: parts, ...rest } = content;
  if (isRole(role) && isParts(parts)) {
    const named = parts.map((part) => renameTool(part, format));
    const message = toStored({ ...rest, id, role, parts: named });
    if (isDeepStrictEqual(toEntry({ parentId, message }).content, content)) return message;
  }
  const whole = { type: WHOLE, content };
  return toStored({ id, role: isRole(role) ? role : 'assistant', parts: [whole] });
}

/** The type of a part that is the whole content of a message of an unknown form. */
const WHOLE = 'aui-content';

/** Converts a message to an entry, also one that came from elsewhere. */
export function toEntry({ parentId, message }: ThreadItem): StoredEntry {
  const stored = message.meta?.[FORMAT];
  const format = typeof stored === 'string' ? stored : 'ai-sdk/v6';
  const { id: _id, parts, ...rest } = toJson(fromThread(message));
  const list: readonly JsonValue[] = Array.isArray(parts) ? parts : [];
  const [only] = list;
  const whole = isJsonObject(only) && only['type'] === WHOLE ? only['content'] : undefined;
  const content = isJsonObject(whole)
    ? whole
    : { ...rest, [partsKey(format)]: list.map((part) => restoreTool(part, format)) };
  return { id: message.id, parent_id: parentId, format, content };
}

function isRole(value: unknown): value is AnyUIMessage['role'] {
  return value === 'user' || value === 'assistant' || value === 'system';
}

type Part = JsonObject & { readonly type: string };

function isParts(value: unknown): value is readonly Part[] {
  return (
    Array.isArray(value) &&
    value.every((part: unknown) => isJsonObject(part) && typeof part['type'] === 'string')
  );
}

/** A call of a tool has other names in the format of assistant-ui than in that of the AI SDK. */
function renameTool(part: Part, format: string): Part {
  if (part.type !== 'tool-call' || format.startsWith('ai-sdk')) return part;
  const { type: _, args, result, ...rest } = part;
  return {
    ...rest,
    type: 'dynamic-tool',
    ...(args === undefined ? {} : { input: args }),
    ...(result === undefined ? {} : { output: result }),
  };
}

function restoreTool(part: JsonValue, format: string): JsonValue {
  const isRenamed = isJsonObject(part) && part['type'] === 'dynamic-tool';
  if (!isRenamed || format.startsWith('ai-sdk')) return part;
  const { type: _, input, output, ...rest } = part;
  return {
    ...rest,
    type: 'tool-call',
    ...(input === undefined ? {} : { args: input }),
    ...(output === undefined ? {} : { result: output }),
  };
}
