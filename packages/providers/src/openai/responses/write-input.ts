import { createHash } from 'node:crypto';
import { isProviderExecuted } from '../../adapter-kit/server-tools.ts';
import { base64Of } from '../../adapter-kit/wire.ts';
import { listOf, objectAt, stringOf } from '../../json/fields.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { textOf, type Message, type Part } from '../../models/message.ts';
import type { Settings } from '../settings.ts';
import { fileContent, kindOf, writeAnswer } from './items.ts';

/**
 * Writes messages as items.
 *
 * @param previous - The id of the response that the request continues: what it has is not sent again.
 * @param isStored - The server keeps responses, so that items it keeps to itself may go back by their id.
 */
export function writeInput(
  messages: readonly Message[],
  settings: Settings,
  { previous, isStored }: { readonly previous: string | undefined; readonly isStored: boolean },
): readonly JsonObject[] {
  const at = previous === undefined ? -1 : placeOf(messages, previous);
  const types = callTypes(messages);
  const context = { settings, isStored, types };
  return messages.slice(at + 1).flatMap((message) => writeMessage(message, context));
}

/** Returns the place of the message that a response gave; -1 if it is not among them. */
export function placeOf(messages: readonly Message[], response: string): number {
  return messages.findLastIndex(({ parts }) =>
    parts.some(({ meta }) => meta?.['openai']?.['response'] === response),
  );
}

interface Context {
  readonly settings: Settings;
  readonly isStored: boolean;
  /** The types of the items that called, by the ids of the calls. */
  readonly types: ReadonlyMap<string, string>;
}

function callTypes(messages: readonly Message[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    const type = part.type === 'tool-call' ? stringOf(itemOf(part)?.['type']) : undefined;
    if (part.type === 'tool-call' && type !== undefined) types.set(part.id, type);
  }
  return types;
}

function writeMessage(message: Message, context: Context): JsonObject[] {
  const { role, parts } = message;
  const { profile } = context.settings;
  if (role === 'system') return [{ role: profile.systemRole, content: textOf(message) }];
  if (role === 'assistant') return writeAssistant(parts, context);
  const results = parts.flatMap((part) =>
    part.type === 'tool-result' && !isProviderExecuted(part)
      ? [withCallId(writeAnswer(part, context.types.get(part.id)))]
      : [],
  );
  const content = parts.flatMap(contentOf);
  if (content.length === 0) return results;
  const isText = content.every(({ type }) => type === 'input_text');
  return [...results, { role: 'user', content: isText ? textOf(message) : content }];
}

function contentOf(part: Part): JsonObject[] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
  return part.type === 'file' ? [fileContent(part)] : [];
}

function writeAssistant(parts: readonly Part[], context: Context): JsonObject[] {
  const items = parts.flatMap((part) => writePart(part, context));
  // Reasoning that nothing follows is refused.
  const end = items.findLastIndex(({ type }) => type !== 'reasoning') + 1;
  return items.slice(0, end);
}

function writePart(part: Part, context: Context): JsonObject[] {
  const item = itemOf(part);
  switch (part.type) {
    case 'text': {
      if (part.text === '') return [];
      const phase = part.meta?.['openai']?.['phase'];
      const text = { role: 'assistant', content: part.text };
      return [phase === undefined ? text : { ...text, phase }];
    }
    case 'reasoning':
      return item ? writeCarried(item, context) : [];
    case 'file':
      return item && takesItems(context) ? [{ ...item, result: base64Of(part) ?? null }] : [];
    case 'tool-call': {
      if (isProviderExecuted(part)) return item && takesItems(context) ? [item] : [];
      if (item && kindOf(item).role !== 'function_call') return [item];
      const { id, name, input } = part;
      return [
        withCallId({
          ...item,
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(input),
        }),
      ];
    }
    case 'tool-result':
      return item && isProviderExecuted(part) && takesItems(context) ? [item] : [];
    default:
      return [];
  }
}

/** Returns the item that a part came from, where it must go back whole. */
function itemOf({ meta }: Part): JsonObject | undefined {
  const item = objectAt(meta?.['openai'] ?? {}, 'item');
  return stringOf(item['type']) === undefined ? undefined : item;
}

/** Reasoning, and items that have nothing to show. */
function writeCarried(item: JsonObject, context: Context): JsonObject[] {
  if (item['type'] !== 'reasoning') return takesItems(context) ? [item] : [];
  const { without = [] } = context.settings;
  if (without.includes('reasoning items')) return [];
  const { id, summary = [], content, encrypted_content: encrypted } = item;
  const isOpen = listOf(content).length > 0;
  // Without its content the server would have to know it by its id.
  if (!context.isStored && !encrypted && !isOpen) return [];
  return [
    {
      type: 'reasoning',
      ...(id === undefined ? {} : { id }),
      summary,
      ...(isOpen ? { content: content ?? [] } : {}),
      ...(encrypted === undefined || encrypted === null ? {} : { encrypted_content: encrypted }),
    },
  ];
}

/** Checks whether the server accepts the items of its own tools. */
function takesItems({ settings }: Context): boolean {
  return !settings.without?.includes('server items');
}

/** The longest id of a call that the API takes. */
const MAX_ID = 64;

/** Ids that another server made may be longer: the same for the same id. */
function withCallId(item: JsonObject): JsonObject {
  const id: JsonValue | undefined = item['call_id'];
  if (typeof id !== 'string' || id.length <= MAX_ID) return item;
  return { ...item, call_id: `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}` };
}
