import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject } from '@vizprompt/providers/internal';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { listAt, numberAt, objectAt, textAt, timeAt } from './fields.ts';
import { linkMessages } from './link-messages.ts';
import { readContentPart, readToolInput } from './openai.ts';

/** The parent of first messages. */
const NO_PARENT = '00000000-0000-0000-0000-000000000000';

/**
 * Reads a conversation of LibreChat: messages that hold their answers in `children` (the recursive
 * export), or messages in a row that name their parents.
 *
 * Source: the format as described in docs/formats/imports.md.
 *
 * @throws BrokenEntry if there are no messages, or no id.
 */
export function readLibreChat(entry: JsonObject): ImportedConversation {
  const id = textAt(entry, 'conversationId');
  if (id === undefined) throw new BrokenEntry("it has no 'conversationId'");
  const list = listAt(entry, 'messagesTree' in entry ? 'messagesTree' : 'messages');
  const nested = flatten(id, list);
  if (nested.length === 0) throw new BrokenEntry('it holds no messages');
  const isTree = nested.some(
    ({ raw, above }) => above !== undefined || textAt(raw, 'parentMessageId') !== undefined,
  );
  const warnings: string[] = [];
  const scene = readScene(objectAt(entry, 'options'));
  const messages = nested.map(({ id: message, raw, above }, at): ImportedMessage => {
    const named = isTree ? (above ?? textAt(raw, 'parentMessageId')) : nested[at - 1]?.id;
    const parent = named === undefined || named === NO_PARENT ? scene[0]?.id : named;
    return { id: message, ...defined({ parent }), ...readMessage(raw) };
  });
  const times = messages.flatMap(({ time }) => (time === undefined ? [] : [time]));
  return {
    format: 'librechat',
    id,
    title: textAt(entry, 'title') ?? '',
    ...defined({ created: timeAt(entry, 'createdAt') ?? times[0] }),
    ...defined({ updated: timeAt(entry, 'updatedAt') ?? times.at(-1) }),
    messages: linkMessages([...scene, ...messages], warnings),
    warnings,
  };
}

interface Nested {
  readonly id: string;
  readonly raw: JsonObject;
  /** The message that holds it. */
  readonly above?: string;
}

/** All messages, those in `children` behind the one that holds them. */
function flatten(conversation: string, list: readonly JsonValue[]): Nested[] {
  const found: Nested[] = [];
  const open = list
    .map((value) => ({ value, above: undefined as string | undefined }))
    .toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: raw, above } = next;
    if (!isJsonObject(raw)) continue;
    const id = textAt(raw, 'messageId') ?? `${conversation}/${found.length}`;
    found.push({ id, raw, ...defined({ above }) });
    const children = listAt(raw, 'children').map((value) => ({ value, above: id }));
    for (const child of children.toReversed()) open.push(child);
  }
  return found;
}

/** The instructions that stand before all messages. */
function readScene(options: JsonObject): ImportedMessage[] {
  const text = textAt(options, 'promptPrefix') ?? '';
  const parts: MessagePart[] = [{ type: 'text', text }];
  return text === '' ? [] : [{ id: 'promptPrefix', role: 'system', parts }];
}

function readMessage(raw: JsonObject): Omit<ImportedMessage, 'id' | 'parent'> {
  const sender = textAt(raw, 'sender');
  const isUser =
    raw['isCreatedByUser'] === true || (!('isCreatedByUser' in raw) && sender === 'User');
  const isFailed = raw['error'] === true;
  return {
    role: isUser ? 'user' : 'assistant',
    ...defined({
      name: isUser ? undefined : sender,
      time: timeAt(raw, 'createdAt'),
      model: isUser ? undefined : textAt(raw, 'model'),
    }),
    ...(raw['unfinished'] === true ? { isAborted: true } : {}),
    ...(isFailed ? { hasFailed: true } : {}),
    parts: [
      ...readContent(raw),
      ...[...listAt(raw, 'files'), ...listAt(raw, 'attachments')].map(readFile),
    ],
  };
}

function readContent(raw: JsonObject): MessagePart[] {
  const content = listAt(raw, 'content').flatMap(readPiece);
  const text = textAt(raw, 'text') ?? '';
  if (content.length === 0) return [{ type: 'text', text }];
  const isTold = text === '' || content.some(({ type }) => type === 'text');
  return isTold ? content : [...content, { type: 'text', text }];
}

function readPiece(piece: JsonValue): MessagePart[] {
  if (!isJsonObject(piece)) return [readContentPart(piece)];
  switch (piece['type']) {
    case 'text': {
      const text = textAt(piece, 'text') ?? textAt(objectAt(piece, 'text'), 'value') ?? '';
      return [{ type: 'text', text }];
    }
    case 'think':
      return [{ type: 'reasoning', text: textAt(piece, 'think') ?? '' }];
    case 'tool_call':
      return readCall(objectAt(piece, 'tool_call'));
    default:
      return [readContentPart(piece)];
  }
}

/** A call, and its result where there is one: LibreChat keeps both in one piece. */
function readCall(call: JsonObject): MessagePart[] {
  const named = objectAt(call, 'function');
  const id = textAt(call, 'id') ?? '';
  const tool = textAt(call, 'name') ?? textAt(named, 'name') ?? '';
  const input = readToolInput(call['args'] ?? named['arguments']);
  const output = call['output'] ?? named['output'];
  const asked: MessagePart = { type: 'tool-call', id, tool, input };
  return output === undefined ? [asked] : [asked, { type: 'tool-result', id, tool, output }];
}

function readFile(file: JsonValue): MessagePart {
  if (!isJsonObject(file)) return { type: 'data', kind: 'file', value: file };
  const id = textAt(file, 'file_id');
  const details = {
    uri: textAt(file, 'filepath') ?? (id === undefined ? undefined : `librechat-file:${id}`),
    fileName: textAt(file, 'filename'),
    mediaType: textAt(file, 'type'),
    size: numberAt(file, 'bytes'),
  };
  return { type: 'file', ...defined(details), meta: file };
}
