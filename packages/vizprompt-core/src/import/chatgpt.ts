import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject, type Role } from '@vizprompt/providers/internal';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
  readNotes,
} from './conversation.ts';
import { listAt, numberAt, objectAt, textAt, timeFromSeconds } from './fields.ts';
import { treeOrder } from './link-messages.ts';

/**
 * Reads a conversation of a ChatGPT export: a `mapping` of nodes that name their parents.
 *
 * Source: the format as described in docs/formats/imports.md; OpenAI publishes none.
 *
 * @throws BrokenEntry if there is no mapping.
 */
export function readChatGpt(entry: JsonObject): ImportedConversation {
  const id = textAt(entry, 'conversation_id') ?? textAt(entry, 'id');
  if (!isJsonObject(entry['mapping'])) throw new BrokenEntry("it has no 'mapping'");
  if (id === undefined) throw new BrokenEntry("it has no 'id'");
  const mapping = entry['mapping'];
  const warnings: string[] = [];
  const tree = {
    ids: Object.keys(mapping),
    parentOf: (nodeId: string) => textAt(objectAt(mapping, nodeId), 'parent'),
    childrenOf: (nodeId: string) => listAt(objectAt(mapping, nodeId), 'children'),
  };
  const messages = treeOrder(tree, warnings).flatMap((nodeId) => {
    const node = objectAt(mapping, nodeId);
    const { message } = node;
    if (!isJsonObject(message)) return [];
    const parent = nearestMessage(mapping, node);
    return [{ ...readMessage(message), id: nodeId, ...defined({ parent }) }];
  });
  const byId = new Map(messages.map((message) => [message.id, message]));
  const head = textAt(entry, 'current_node');
  return {
    format: 'chatgpt',
    id,
    title: textAt(entry, 'title') ?? '',
    ...defined({
      created: timeFromSeconds(numberAt(entry, 'create_time')),
      updated: timeFromSeconds(numberAt(entry, 'update_time')),
      head: head === undefined ? undefined : nearestTo(mapping, head),
    }),
    messages: messages.map((message) => withCallId(message, byId)),
    warnings,
  };
}

/** Ties the result of a tool to the call above it: in the export only the tree does. */
function withCallId(
  message: ImportedMessage,
  byId: ReadonlyMap<string, ImportedMessage>,
): ImportedMessage {
  if (message.role !== 'tool') return message;
  const seen = new Set<string>();
  for (let at = message; at.parent !== undefined && !seen.has(at.id);) {
    seen.add(at.id);
    const above = byId.get(at.parent);
    if (!above || above.role === 'user') break;
    const call = above.parts.find((part) => part.type === 'tool-call');
    if (call?.type === 'tool-call') {
      const parts = message.parts.map((part) =>
        part.type === 'tool-result' ? { ...part, id: call.id } : part,
      );
      return { ...message, parts };
    }
    at = above;
  }
  return message;
}

/** The nearest node above one that holds a message. */
function nearestMessage(mapping: JsonObject, node: JsonObject): string | undefined {
  const parent = textAt(node, 'parent');
  return parent === undefined ? undefined : nearestTo(mapping, parent);
}

/** A node if it holds a message, else the nearest one above it that does. */
function nearestTo(mapping: JsonObject, start: string): string | undefined {
  const seen = new Set<string>();
  for (let at: string | undefined = start; at !== undefined;) {
    const node = objectAt(mapping, at);
    if (isJsonObject(node['message'])) return at;
    if (seen.has(at)) return undefined;
    seen.add(at);
    at = textAt(node, 'parent');
  }
  return undefined;
}

function readMessage(message: JsonObject): Omit<ImportedMessage, 'id' | 'parent'> {
  const author = objectAt(message, 'author');
  const metadata = objectAt(message, 'metadata');
  const spoken = roleOf(textAt(author, 'role'));
  const content = objectAt(message, 'content');
  const setsTheScene =
    textAt(content, 'content_type') === 'user_editable_context' ||
    metadata['is_visually_hidden_from_conversation'] === true;
  const role = spoken === 'user' && setsTheScene ? 'system' : spoken;
  const finish = objectAt(metadata, 'finish_details');
  // What VizPrompt adds: ChatGPT knows trees only, and neither tags nor summaries.
  const own = objectAt(metadata, 'vizprompt');
  const alsoAfter = listAt(own, 'also_after').filter(
    (other): other is string => typeof other === 'string',
  );
  return {
    role,
    parts: [...readContent(message, content, spoken), ...readAttachments(metadata, content)],
    ...defined({
      name: textAt(author, 'name'),
      time: timeFromSeconds(numberAt(message, 'create_time')),
      model: textAt(metadata, 'model_slug'),
      notes: readNotes(own),
    }),
    ...(textAt(finish, 'type') === 'interrupted' ? { isAborted: true } : {}),
    ...(alsoAfter.length > 0 ? { alsoAfter } : {}),
  };
}

const ROLES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

function roleOf(text: string | undefined): Role {
  return ROLES.find((role) => role === text) ?? 'system';
}

/** The content of a message. What is not known is kept as it is. */
function readContent(message: JsonObject, content: JsonObject, role: Role): MessagePart[] {
  const kind = textAt(content, 'content_type') ?? 'unknown';
  const recipient = textAt(message, 'recipient') ?? 'all';
  const id = textAt(message, 'id') ?? '';
  if (role === 'tool') return [toolResult(message, content, kind)];
  if (role === 'assistant' && recipient !== 'all') {
    const input = kind === 'text' || kind === 'code' ? plainText(content) : content;
    return [{ type: 'tool-call', id, tool: recipient, input }];
  }
  switch (kind) {
    case 'text':
      return [{ type: 'text', text: plainText(content) }];
    case 'multimodal_text':
      return listAt(content, 'parts').map(readPiece);
    case 'code':
      return [
        {
          type: 'text',
          text: plainText(content),
          meta: { code: textAt(content, 'language') ?? '' },
        },
      ];
    case 'thoughts':
      return listAt(content, 'thoughts').map(readThought);
    default:
      return [{ type: 'data', kind, value: content }];
  }
}

function plainText(content: JsonObject): string {
  const text = textAt(content, 'text');
  if (text !== undefined) return text;
  return listAt(content, 'parts')
    .filter((part) => typeof part === 'string')
    .join('\n');
}

function toolResult(message: JsonObject, content: JsonObject, kind: string): MessagePart {
  const tool = textAt(objectAt(message, 'author'), 'name') ?? 'tool';
  const output = kind === 'text' ? plainText(content) : content;
  return { type: 'tool-result', id: textAt(message, 'id') ?? '', tool, output };
}

function readPiece(piece: JsonValue): MessagePart {
  if (typeof piece === 'string') return { type: 'text', text: piece };
  if (!isJsonObject(piece)) return { type: 'data', kind: 'unknown', value: piece };
  const uri = textAt(piece, 'asset_pointer');
  const kind = textAt(piece, 'content_type') ?? 'unknown';
  if (uri === undefined) return { type: 'data', kind, value: piece };
  const size = numberAt(piece, 'size_bytes');
  return { type: 'file', uri, ...defined({ size }), meta: piece };
}

function readThought(thought: JsonValue): MessagePart {
  if (!isJsonObject(thought)) return { type: 'data', kind: 'thought', value: thought };
  const summary = textAt(thought, 'summary') ?? '';
  const text = textAt(thought, 'content') ?? '';
  return { type: 'reasoning', text: [summary, text].filter(Boolean).join('\n'), meta: thought };
}

/** Files that the metadata name and the content does not. */
function readAttachments(metadata: JsonObject, content: JsonObject): MessagePart[] {
  const known = JSON.stringify(content);
  return listAt(metadata, 'attachments').flatMap((attachment): MessagePart[] => {
    if (!isJsonObject(attachment)) return [];
    const id = textAt(attachment, 'id');
    if (id === undefined || known.includes(id)) return [];
    const details = {
      mediaType: textAt(attachment, 'mimeType') ?? textAt(attachment, 'mime_type'),
      fileName: textAt(attachment, 'name'),
      size: numberAt(attachment, 'size'),
    };
    return [{ type: 'file', uri: `file-service://${id}`, ...defined(details), meta: attachment }];
  });
}
