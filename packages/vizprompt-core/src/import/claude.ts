import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined } from '@vizprompt/providers/internal';
import {
  type MessagePart,
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
} from './conversation.ts';
import { textAt, listAt, numberAt, timeAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';

/** Reads a content block as Claude's exports, its API and Claude Code have it. */
export function readBlock(block: JsonValue): MessagePart {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isJsonObject(block)) return { type: 'data', kind: 'unknown', value: block };
  const { type, ...rest } = block;
  switch (type) {
    case 'text':
      return { type, text: textAt(block, 'text') ?? '' };
    case 'thinking':
      return {
        type: 'reasoning',
        text: textAt(block, 'thinking') ?? '',
        meta: without(rest, 'thinking'),
      };
    case 'tool_use':
      return {
        type: 'tool-call',
        id: textAt(block, 'id') ?? '',
        tool: textAt(block, 'name') ?? '',
        input: block['input'] ?? null,
      };
    case 'tool_result':
      return {
        type: 'tool-result',
        id: textAt(block, 'tool_use_id') ?? '',
        tool: textAt(block, 'name') ?? '',
        output: block['content'] ?? null,
        ...(block['is_error'] === true ? { isError: true } : {}),
      };
    default:
      return { type: 'data', kind: typeof type === 'string' ? type : 'unknown', value: block };
  }
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** The parent of first messages. */
const ROOT = '00000000-0000-4000-8000-000000000000';

/**
 * Reads a conversation of a Claude export: `chat_messages` in a row (older exports), or with parents
 * (newer exports and the form of the API).
 *
 * Source: the format as described in docs/formats/imports.md; Anthropic publishes none.
 *
 * @throws BrokenEntry if there are no messages, or no id.
 */
export function readClaude(entry: JsonObject): ImportedConversation {
  const id = textAt(entry, 'uuid');
  if (id === undefined) throw new BrokenEntry("it has no 'uuid'");
  if (!Array.isArray(entry['chat_messages'])) throw new BrokenEntry("it has no 'chat_messages'");
  const raw = listAt(entry, 'chat_messages').filter(isJsonObject);
  const isTree = raw.some((message) => textAt(message, 'parent_message_uuid') !== undefined);
  const ids = raw.map((message, at) => textAt(message, 'uuid') ?? `${id}/${at}`);
  const warnings: string[] = [];

  const parentOf = (message: JsonObject, at: number): string | undefined => {
    if (!isTree) return ids[at - 1];
    const parent = textAt(message, 'parent_message_uuid');
    if (parent === undefined || parent === ROOT) return undefined;
    return parent;
  };
  const model = textAt(entry, 'model');
  const messages = raw.map((message, at): ImportedMessage => ({
    id: ids[at] ?? '',
    ...defined({ parent: parentOf(message, at) }),
    role: textAt(message, 'sender') === 'human' ? 'user' : 'assistant',
    ...defined({ time: timeAt(message, 'created_at'), model }),
    ...(message['truncated'] === true ? { isAborted: true } : {}),
    parts: [...readContent(message), ...readFiles(message)],
  }));
  const head = textAt(entry, 'current_leaf_message_uuid');
  return {
    format: 'claude',
    id,
    title: textAt(entry, 'name') ?? '',
    ...defined({ created: timeAt(entry, 'created_at'), updated: timeAt(entry, 'updated_at') }),
    messages: linkMessages(messages, warnings),
    ...defined({ head }),
    warnings,
  };
}

function readContent(message: JsonObject): MessagePart[] {
  const blocks = listAt(message, 'content');
  const text = textAt(message, 'text') ?? '';
  if (blocks.length === 0) return [{ type: 'text', text }];
  return blocks.map(readBlock);
}

function readFiles(message: JsonObject): MessagePart[] {
  const files = listAt(message, 'files').map((file): MessagePart => {
    if (!isJsonObject(file)) return { type: 'data', kind: 'file', value: file };
    const id = textAt(file, 'file_uuid') ?? textAt(file, 'uuid');
    return {
      type: 'file',
      ...defined({ uri: id === undefined ? undefined : `claude-file:${id}` }),
      ...defined({ fileName: textAt(file, 'file_name') }),
      meta: file,
    };
  });
  const attachments = listAt(message, 'attachments').map((attachment): MessagePart => {
    if (!isJsonObject(attachment)) return { type: 'data', kind: 'attachment', value: attachment };
    const details = {
      fileName: textAt(attachment, 'file_name'),
      mediaType: textAt(attachment, 'file_type'),
      size: numberAt(attachment, 'file_size'),
    };
    return { type: 'file', ...defined(details), meta: attachment };
  });
  return [...files, ...attachments];
}
