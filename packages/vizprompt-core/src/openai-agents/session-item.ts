import { createId, type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { ThreadMessage, ThreadPart, ThreadRole } from '../thread/thread.ts';

const KIND = 'openai-agents-item';

/** Returns the item that a message was created from; none for a message of another program. */
export function itemIn({ parts }: ThreadMessage): object | undefined {
  const part = parts.find((each) => each.type === 'data' && each.kind === KIND);
  if (part?.type !== 'data' || !isJsonObject(part.value)) return undefined;
  // The caller may change its items, and a thread that was read is cached.
  return structuredClone(part.value);
}

/** An item as a message: its text, what it calls, and all of it in one piece. */
export function toMessage(item: object): ThreadMessage {
  const value: unknown = JSON.parse(JSON.stringify(item));
  const known = isJsonObject(value) ? value : {};
  const text = textOf(known['content']);
  const said: readonly ThreadPart[] = text === '' ? [] : [{ type: 'text', text }];
  const whole: ThreadPart = { type: 'data', kind: KIND, value: known };
  return {
    id: createId(),
    role: roleOf(known['role']),
    parts: [...said, ...toolPart(known), whole],
  };
}

function roleOf(role: unknown): ThreadRole {
  return role === 'user' || role === 'system' ? role : 'assistant';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const pieces: readonly unknown[] = Array.isArray(content) ? content : [];
  return pieces
    .map((piece) => (isJsonObject(piece) && typeof piece['text'] === 'string' ? piece['text'] : ''))
    .filter((text) => text !== '')
    .join('\n\n');
}

function toolPart(item: { readonly [key: string]: unknown }): readonly ThreadPart[] {
  const { type, callId: id, name, arguments: input, output } = item;
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  if (type === 'function_call' && typeof input === 'string') {
    return [{ type: 'tool-call', id, tool: name, input: parsed(input) }];
  }
  if (type !== 'function_call_result') return [];
  return [{ type: 'tool-result', id, tool: name, output: parsed(JSON.stringify(output ?? null)) }];
}

/** Parses arguments that a model wrote, which need not be JSON. */
function parsed(json: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(json);
    return value;
  } catch {
    return json;
  }
}
