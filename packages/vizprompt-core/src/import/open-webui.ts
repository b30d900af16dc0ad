import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import {
  closedElements,
  isJsonObject,
  listAt,
  objectAt,
  omitUndefined as defined,
  textAt,
} from '@vizprompt/providers/internal';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { readContent, readPiece, readToolInput, unescapeHtml } from './content.ts';
import { idAt, timeAt } from './fields.ts';
import { readAttached } from './files.ts';
import { chainOf, linkMessages, treeOrder } from './link-messages.ts';
import { roleOf } from './spellings.ts';

/**
 * Reads a chat of an Open WebUI export: `chat.history.messages`, messages by their ids that name
 * their parents; or, in chats that have no history, `chat.messages` in a row.
 *
 * Source: the format as described in docs/formats/imports.md.
 *
 * @throws BrokenEntry if there are no messages, or no id.
 */
export function readOpenWebUi(entry: JsonObject): ImportedConversation {
  const chat = isJsonObject(entry['chat']) ? entry['chat'] : entry;
  const warnings: string[] = [];
  const history = objectAt(chat, 'history');
  const id = idAt(entry, 'id') ?? idAt(chat, 'id') ?? contentId(history, chat);
  const messages = isJsonObject(history['messages'])
    ? readHistory(history['messages'], warnings)
    : linkMessages(readRow(id, listAt(chat, 'messages')), warnings);
  const head = textAt(history, 'currentId');
  return {
    format: 'open-webui',
    id,
    title: textAt(entry, 'title') ?? textAt(chat, 'title') ?? '',
    ...defined({
      created: timeAt(entry, 'created_at') ?? timeAt(chat, 'timestamp'),
      updated: timeAt(entry, 'updated_at'),
      head,
    }),
    messages: withScene(chat, messages),
    warnings,
  };
}

/** Returns messages after the instructions of their chat, which are next to them. */
function withScene(
  chat: JsonObject,
  messages: readonly ImportedMessage[],
): readonly ImportedMessage[] {
  const text = textAt(objectAt(chat, 'params'), 'system') ?? textAt(chat, 'system') ?? '';
  const [id, role] = ['system', 'system'] as const;
  if (text.trim() === '' || messages.some((message) => message.id === id)) return messages;
  return [
    { id, role, parts: [{ type: 'text', text }] },
    ...messages.map((message) =>
      message.parent === undefined ? { ...message, parent: id } : message,
    ),
  ];
}

/** Returns the id of a chat that has none, or a blank one: made from what it begins with. */
function contentId(history: JsonObject, chat: JsonObject): string {
  const raw = [...Object.values(objectAt(history, 'messages')), ...listAt(chat, 'messages')];
  return chainOf(raw.filter(isJsonObject), undefined)[0] ?? '';
}

function readHistory(history: JsonObject, warnings: string[]): ImportedMessage[] {
  const ids = Object.keys(history).filter((id) => isJsonObject(history[id]));
  const listedBy = new Map<string, string>();
  for (const id of ids) {
    for (const child of listAt(objectAt(history, id), 'childrenIds')) {
      if (typeof child === 'string' && child !== id && !listedBy.has(child))
        listedBy.set(child, id);
    }
  }
  const known = new Set(ids);
  const parents = new Map(
    ids.map((id) => {
      const named = idAt(objectAt(history, id), 'parentId');
      const lister = listedBy.get(id);
      if (lister === undefined || (named !== undefined && known.has(named))) return [id, named];
      warnings.push(`message ${id} has lost its parent: it is taken from that one's list`);
      return [id, lister];
    }),
  );
  const order = treeOrder(
    {
      ids,
      parentOf: (id) => parents.get(id),
      childrenOf: (id) => listAt(objectAt(history, id), 'childrenIds'),
    },
    warnings,
  );
  return order.map((id) => {
    const parent = parents.get(id);
    const link = defined({
      parent: parent !== undefined && known.has(parent) ? parent : undefined,
    });
    return { id, ...link, ...readMessage(objectAt(history, id)) };
  });
}

function readRow(chat: string, list: readonly JsonValue[]): ImportedMessage[] {
  const raw = list.filter(isJsonObject);
  if (raw.length === 0) throw new BrokenEntry('it holds no messages');
  const ids = raw.map((message, at) => textAt(message, 'id') ?? `${chat}/${at}`);
  return raw.map((message, at) => ({
    id: ids[at] ?? '',
    ...defined({ parent: ids[at - 1] }),
    ...readMessage(message),
  }));
}

function readMessage(message: JsonObject): Omit<ImportedMessage, 'id' | 'parent'> {
  const role = roleOf(textAt(message, 'role'));
  const isAnswer = role === 'assistant';
  const content = textAt(message, 'content');
  return {
    role,
    raw: message,
    // Thoughts and calls are removed from the text.
    ...(isAnswer && content !== undefined ? { rewritten: [content] } : {}),
    ...defined({ time: timeAt(message, 'timestamp') }),
    ...defined({ model: isAnswer ? textAt(message, 'model') : undefined }),
    ...(isAnswer && message['done'] === false ? { isAborted: true } : {}),
    ...(isJsonObject(message['error']) ? { hasFailed: true } : {}),
    parts: [
      ...readText(message, isAnswer),
      ...listAt(message, 'files').flatMap((file) => readAttached(file, 'open-webui-file')),
      ...['error', 'sources', 'code_executions', 'embeds'].flatMap((kind): MessagePart[] => {
        const value = message[kind];
        const isEmpty = !value || (Array.isArray(value) && value.length === 0);
        return isEmpty ? [] : [{ type: 'data', kind, value }];
      }),
    ],
  };
}

/** `output` holds the pieces of an answer; without it, they are in the text, between tags. */
function readText(message: JsonObject, isAnswer: boolean): MessagePart[] {
  const output = listAt(message, 'output').flatMap(readPiece);
  const { content } = message;
  if (output.some(({ type }) => type === 'text') || (output.length > 0 && !content)) return output;
  const phases = listAt(message, 'content_list').filter(isJsonObject);
  if (phases.length > 0 && !content) return phases.flatMap(readPhase);
  if (typeof content !== 'string') return readContent(content);
  return [
    ...output,
    ...(isAnswer ? readDetails(content) : [{ type: 'text' as const, text: content }]),
  ];
}

/** Reads a phase of an answer of Qwen: it thinks, or it answers. */
function readPhase(phase: JsonObject): MessagePart[] {
  const text = textAt(phase, 'content') ?? '';
  if (text === '') return [];
  return [{ type: textAt(phase, 'phase') === 'think' ? 'reasoning' : 'text', text }];
}

const DETAILS = /^\s\s*type="(reasoning|tool_calls)"/;

/**
 * Returns the pieces of an answer of Open WebUI, which writes thoughts and calls of tools into the text:
 * `<details type="reasoning">` and `<details type="tool_calls">`. The rest is the text.
 */
function readDetails(content: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let end = 0;
  const addText = (text: string): void => {
    if (text.trim() !== '') parts.push({ type: 'text', text: text.trim() });
  };
  const isOwn = (name: string, attributes: string): boolean =>
    name === 'details' && DETAILS.test(attributes);
  for (const { start, end: after, attributes, inner } of closedElements(content, isOwn)) {
    addText(content.slice(end, start));
    end = after;
    const isThought = DETAILS.exec(attributes)?.[1] === 'reasoning';
    parts.push(...(isThought ? [readThought(inner)] : readCall(attributes, inner)));
  }
  if (end === 0) return [{ type: 'text', text: content }];
  addText(content.slice(end));
  return parts;
}

/** A thought is a quotation after its title. */
function readThought(body: string): MessagePart {
  const text = withoutSummary(body).replaceAll(/^(?:&gt;|>) ?/gm, '');
  return { type: 'reasoning', text: unescapeHtml(text).trim() };
}

function readCall(attributes: string, body: string): MessagePart[] {
  const values = new Map(
    [...attributes.matchAll(/(?<![\w-])([\w-][\w-]*)="([^"]*)"/g)].map(
      ([, name = '', value = '']) => {
        return [name, unescapeHtml(value)] as const;
      },
    ),
  );
  const [id, tool] = [values.get('id') ?? '', values.get('name') ?? ''];
  const result = values.get('result') ?? unescapeHtml(withoutSummary(body)).trim();
  return [
    { type: 'tool-call', id, tool, input: parsed(values.get('arguments') ?? '') },
    { type: 'tool-result', id, tool, output: parsed(result) },
  ];
}

/** Arguments and results are JSON, often JSON of a text that is JSON itself. */
function parsed(text: string): JsonValue {
  const value = readToolInput(text);
  return typeof value === 'string' && value !== text ? readToolInput(value) : value;
}

function withoutSummary(body: string): string {
  const [summary] = closedElements(body, (name) => name === 'summary');
  return summary ? body.slice(0, summary.start) + body.slice(summary.end) : body;
}
