import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject } from '@vizprompt/providers/internal';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { listAt, textAt, timeAt } from './fields.ts';
import { chainOf, linkMessages } from './link-messages.ts';
import { readOpenAiMessage } from './openai-message.ts';

/**
 * Reads messages in a row, as OpenAI's Chat Completions and its files for fine-tuning have them.
 *
 * A list that has no id gets one from its content, so that the same list is the same conversation, and one
 * that goes on from it can be recognised.
 *
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws BrokenEntry if there are no messages.
 */
export function readOpenAi(entry: JsonObject): ImportedConversation {
  const list = listAt(entry, 'records' in entry ? 'records' : 'messages');
  const raw = list.filter(isJsonObject).filter((message) => textAt(message, 'role') !== undefined);
  if (raw.length === 0) throw new BrokenEntry('it holds no messages');
  const scene = readScene(entry);
  const chain = chainOf(raw, scene[0]?.parts.map(valueOf));
  const given = textAt(entry, 'conversation_id') ?? textAt(entry, 'id');
  const warnings: string[] = [];
  const left = list.length - raw.length;
  if (left > 0) warnings.push(`${left} entries without a role were left out`);
  const model = textAt(entry, 'model');
  const ids = [
    ...scene.map((message) => message.id),
    ...raw.map((message, at) => textAt(message, 'id') ?? chain[at] ?? ''),
  ];
  const messages = raw.map((message, at): ImportedMessage => ({
    id: ids[at + scene.length] ?? '',
    ...defined({ parent: ids[at + scene.length - 1] }),
    ...defined({ model: textAt(message, 'role') === 'assistant' ? model : undefined }),
    ...readOpenAiMessage(message),
  }));
  return {
    format: 'openai',
    id: given ?? chain.at(-1) ?? '',
    ...(given === undefined ? { earlier: earlierIds(chain, messages) } : {}),
    title: textAt(entry, 'title') ?? '',
    ...defined({ created: timeAt(entry, 'created_at') ?? timeAt(entry, 'created') }),
    messages: linkMessages(nameTools([...scene, ...messages]), warnings),
    warnings,
  };
}

/** What the list was called when it was shorter, the latest first; it held a question and an answer. */
function earlierIds(
  chain: readonly string[],
  messages: readonly Pick<ImportedMessage, 'role'>[],
): readonly string[] {
  const asked = messages.findIndex(({ role }) => role === 'user');
  const answered = messages.findIndex(({ role }, at) => at > asked && role === 'assistant');
  if (asked < 0 || answered < 0) return [];
  return chain.slice(answered, -1).toReversed();
}

function valueOf(part: MessagePart): JsonValue {
  return part.type === 'data' ? [part.kind, part.value] : null;
}

/** The tools that the model could call stand beside the messages. */
function readScene(entry: JsonObject): ImportedMessage[] {
  const parts = ['tools', 'functions'].flatMap((kind): MessagePart[] => {
    const value = entry[kind];
    return Array.isArray(value) && value.length > 0 ? [{ type: 'data', kind, value }] : [];
  });
  return parts.length > 0 ? [{ id: 'tools', role: 'system', parts }] : [];
}

/** Results name the call, and the call the tool. */
function nameTools(messages: readonly ImportedMessage[]): ImportedMessage[] {
  const tools = new Map<string, string>();
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'tool-call') tools.set(part.id, part.tool);
      if (part.type !== 'tool-result' || part.tool !== '') return part;
      return { ...part, tool: tools.get(part.id) ?? '' };
    }),
  }));
}
