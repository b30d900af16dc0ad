import { listAt, objectOf, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonObject } from '../../json/json-value.ts';
import { parseShallowJson } from '../model/read-fields.ts';
import type { EntryDraft } from '../model/read-line.ts';
import type { CodexLine } from './speak.ts';

/** Reads a message from one agent to another, such as a task. */
export function readAgentMessage({ payload, key }: CodexLine, type: string): EntryDraft {
  const id = `${key}#0`;
  const { content } = payload;
  const texts = (
    typeof content === 'string'
      ? [content]
      : listAt(payload, 'content')
          .filter(isJsonObject)
          .map((raw) => textAt(raw, 'text', 'encrypted_content') ?? '')
  )
    .map(withoutEnvelope)
    // An encrypted text cannot be read.
    .filter((text) => text !== '' && !/^gAAAA[\w=-][\w=-]*$/.test(text));
  const text = texts.join('\n\n');
  if (text.trim() === '') return { kind: 'note', type };
  const part = { type: 'text', key: id, text, raw: payload } as const;
  return { kind: 'message', type, id, name: textAt(payload, 'author'), parts: [part] };
}

/** The head of a message is the program's. A final answer repeats what the other agent said in its own session. */
function withoutEnvelope(text: string): string {
  const [, type] = /^Message Type:[ \t]*(\w*)/.exec(text) ?? [];
  if (type === undefined) return text;
  if (type === 'FINAL_ANSWER') return '';
  const payload = /\nPayload:[ \t]*\n?/.exec(text);
  return payload === null ? '' : text.slice(payload.index + payload[0].length);
}

/** Returns a message to an agent that versions until spring 2026 logged as JSON in the name of the model. */
export function messageInText(text: string): JsonObject | undefined {
  if (!/^\s*\{\s*"author"/.test(text)) return undefined;
  const message = objectOf(parseShallowJson(text));
  const isWhole =
    textAt(message, 'content') !== undefined &&
    textAt(message, 'recipient') !== undefined &&
    typeof message['trigger_turn'] === 'boolean';
  return isWhole ? message : undefined;
}
