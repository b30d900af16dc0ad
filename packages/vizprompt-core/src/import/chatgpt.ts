import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectOf,
  omitUndefined as defined,
  type Role,
  textAt,
} from '@vizprompt/providers/internal';
import { citationsOf } from './citations.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
  readNotes,
} from './conversation.ts';
import { withDocuments } from './documents.ts';
import { idAt, timeFromSeconds } from './fields.ts';
import { chainOf, treeOrder } from './link-messages.ts';
import { roleOf } from './spellings.ts';

/**
 * Reads a conversation of a ChatGPT export: a `mapping` of nodes that name their parents.
 *
 * Source: the format as described in docs/formats/imports.md; OpenAI publishes none.
 *
 * @throws BrokenEntry if there is no mapping.
 */
export function readChatGpt(entry: JsonObject): ImportedConversation {
  const mapping = mappingOf(entry);
  if (!isJsonObject(entry['mapping']) && Object.keys(mapping).length === 0) {
    throw new BrokenEntry("it has no 'mapping'");
  }
  const id = idAt(entry, 'conversation_id', 'id') ?? contentId(mapping);
  const warnings: string[] = [];
  const tree = {
    ids: Object.keys(mapping),
    parentOf: (nodeId: string) => idAt(objectAt(mapping, nodeId), 'parent'),
    childrenOf: (nodeId: string) => listAt(objectAt(mapping, nodeId), 'children'),
  };
  const messages = treeOrder(tree, warnings).flatMap((nodeId) => {
    const node = objectAt(mapping, nodeId);
    const { message } = node;
    if (!isJsonObject(message)) return [];
    const parent = nearestMessage(mapping, node);
    return [{ ...readMessage(message), id: nodeId, ...defined({ parent }) }];
  });
  const model = textAt(entry, 'default_model_slug');
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
    messages: messages.map((message) => withModel(withCallId(message, byId), model)),
    warnings,
  };
}

/** Returns the nodes of a conversation by their ids; some programs store them as a list. */
export function mappingOf(entry: JsonObject): JsonObject {
  const { mapping } = entry;
  if (!Array.isArray(mapping)) return objectOf(mapping);
  return Object.fromEntries(
    mapping.filter(isJsonObject).map((node, at) => [idAt(node, 'id') ?? String(at), node]),
  );
}

/** Returns the id of a conversation that has none: made from the first message. */
function contentId(mapping: JsonObject): string {
  const first = Object.values(mapping)
    .filter(isJsonObject)
    .find(({ message }) => message);
  return chainOf(first ? [first] : [], undefined)[0] ?? '';
}

/** Answers that name no model are those of the one that the conversation began with. */
function withModel(message: ImportedMessage, model: string | undefined): ImportedMessage {
  const isAnswer = message.role === 'assistant' && message.model === undefined;
  return isAnswer && model !== undefined && model !== 'auto' ? { ...message, model } : message;
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

/** Returns the nearest node above one that holds a message. */
function nearestMessage(mapping: JsonObject, node: JsonObject): string | undefined {
  const parent = textAt(node, 'parent');
  return parent === undefined ? undefined : nearestTo(mapping, parent);
}

/** Returns a node if it holds a message, else the nearest one above it that does. */
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
  const content = objectOf(message['content']);
  const kind = textAt(content, 'content_type') ?? '';
  const setsTheScene =
    SCENES.has(kind) ||
    (spoken === 'user' && metadata['is_visually_hidden_from_conversation'] === true);
  const role = spoken !== 'tool' && setsTheScene ? 'system' : spoken;
  const finish = objectAt(metadata, 'finish_details');
  // The extension of VizPrompt: ChatGPT knows trees only, and neither tags nor summaries.
  const own = objectAt(metadata, 'vizprompt');
  const alsoAfter = listAt(own, 'also_after').filter(
    (other): other is string => typeof other === 'string',
  );
  const cited = citationsOf(metadata);
  const said = [...readChatGptContent(message, spoken), ...readAttachments(metadata, content)];
  const rewritten = said.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    role,
    raw: message,
    rewritten: [...rewritten, ...listAt(content, 'parts').flatMap(textsIn)],
    parts: [
      ...named(said, metadata)
        .map((part) => cited.link(part))
        .flatMap(withDocuments),
      ...cited.kept,
    ],
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

function textsIn(piece: JsonValue): readonly string[] {
  if (typeof piece === 'string') return [piece];
  return isJsonObject(piece) ? [textAt(piece, 'text') ?? ''] : [];
}

/** The types of content that the model receives before the conversation. */
const SCENES: ReadonlySet<string> = new Set(['user_editable_context', 'model_editable_context']);

/** Files of the content, with the names and kinds that only the metadata has. */
function named(parts: readonly MessagePart[], metadata: JsonObject): MessagePart[] {
  const attached = listAt(metadata, 'attachments').filter(isJsonObject);
  return parts.map((part): MessagePart => {
    if (part.type !== 'file' || part.fileName !== undefined) return part;
    const found = attached.find(({ id }) => typeof id === 'string' && part.uri?.includes(id));
    if (!found) return part;
    const { meta = {}, ...rest } = part;
    return { ...rest, ...detailsOf(found), meta: { ...meta, attachment: found } };
  });
}

function detailsOf(attachment: JsonObject): {
  readonly fileName?: string;
  readonly mediaType?: string;
  readonly size?: number;
} {
  return defined({
    fileName: textAt(attachment, 'name'),
    mediaType: textAt(attachment, 'mimeType', 'mime_type'),
    size: numberAt(attachment, 'size'),
  });
}

/** Files that the metadata name and the content does not. */
function readAttachments(metadata: JsonObject, content: JsonObject): MessagePart[] {
  const attachments = listAt(metadata, 'attachments');
  // Most messages have none.
  const known = attachments.length > 0 ? JSON.stringify(content) : '';
  return attachments.flatMap((attachment): MessagePart[] => {
    if (!isJsonObject(attachment)) return [];
    const id = textAt(attachment, 'id');
    if (id === undefined || known.includes(id)) return [];
    return [
      { type: 'file', uri: `file-service://${id}`, ...detailsOf(attachment), meta: attachment },
    ];
  });
}

/** Reads the content of a message of ChatGPT. Unknown parts are kept as they are. */
function readChatGptContent(message: JsonObject, role: Role): MessagePart[] {
  const value = message['content'];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  const content = Array.isArray(value)
    ? { content_type: 'multimodal_text', parts: value }
    : objectOf(value);
  const kind =
    textAt(content, 'content_type') ?? ('parts' in content ? 'multimodal_text' : 'unknown');
  const recipient = textAt(message, 'recipient') ?? 'all';
  const id = textAt(message, 'id') ?? '';
  if (role === 'tool') {
    // Pictures that a tool has made are files of their own, too.
    const files = listAt(content, 'parts').filter(isJsonObject).flatMap(readPiece);
    return [toolResult(message, content, kind), ...files.filter(({ type }) => type === 'file')];
  }
  if (role === 'assistant' && recipient !== 'all') {
    const input = kind === 'text' || kind === 'code' ? plainText(content) : content;
    return [{ type: 'tool-call', id, tool: recipient, input }];
  }
  switch (kind) {
    case 'text':
    case 'multimodal_text':
      return readText(content, kind);
    case 'code': {
      const meta = { code: textAt(content, 'language') ?? '' };
      return [{ type: 'text', text: plainText(content), meta }];
    }
    case 'thoughts':
      return 'thoughts' in content
        ? listAt(content, 'thoughts').map(readThought)
        : [{ type: 'reasoning', text: plainText(content) }];
    case 'reasoning_recap':
      return [{ type: 'reasoning', text: textAt(content, 'content') ?? '', meta: { recap: true } }];
    default:
      return [dataOf(kind, content)];
  }
}

/** Data that VizPrompt has wrapped when it exported it, or that is not known. */
function dataOf(kind: string, content: JsonObject): MessagePart {
  const [, wrapped] = /^vizprompt_(.+)$/s.exec(kind) ?? [];
  if (wrapped !== undefined && content['value'] !== undefined) {
    return { type: 'data', kind: wrapped, value: content['value'] };
  }
  return { type: 'data', kind, value: content };
}

/** Returns the pieces of a text; where all are strings, they are one. */
function readText(content: JsonObject, kind: string): MessagePart[] {
  const parts = listAt(content, 'parts');
  const isPlain = kind === 'text' && parts.every((part) => typeof part === 'string');
  if (isPlain || parts.length === 0) return [{ type: 'text', text: plainText(content) }];
  return parts.flatMap(readPiece);
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
  const isText =
    kind === 'text' && listAt(content, 'parts').every((part) => typeof part === 'string');
  const output = isText ? plainText(content) : content;
  return { type: 'tool-result', id: textAt(message, 'id') ?? '', tool, output };
}

/** Pieces that are a text; without a type, it is one. */
const SPOKEN: ReadonlySet<string> = new Set(['audio_transcription', 'text', 'unknown']);

/** Files of a piece of content: what was heard and seen is named within the piece. */
const POINTERS = ['audio_asset_pointer', 'video_container_asset_pointer', 'image_asset_pointer'];

function readPiece(piece: JsonValue): MessagePart[] {
  if (typeof piece === 'string') return [{ type: 'text', text: piece }];
  if (!isJsonObject(piece)) return [{ type: 'data', kind: 'unknown', value: piece }];
  const kind = textAt(piece, 'content_type') ?? 'unknown';
  // A transcript of speech, or plain text.
  const text = textAt(piece, 'text');
  if (SPOKEN.has(kind) && text !== undefined) {
    return [
      {
        type: 'text',
        text,
        ...(kind === 'audio_transcription'
          ? { meta: { voice: textAt(piece, 'direction') ?? '' } }
          : {}),
      },
    ];
  }
  const pointers = POINTERS.map((key) => piece[key]).filter(isJsonObject);
  const files = [piece, ...pointers].flatMap((each): MessagePart[] => {
    const uri = textAt(each, 'asset_pointer');
    if (uri === undefined) return [];
    const details = {
      fileName: textAt(each, 'name'),
      mediaType: textAt(each, 'mime_type'),
      size: numberAt(each, 'size_bytes'),
    };
    const { asset_pointer: _, ...about } = piece;
    const meta = uri.startsWith('data:') ? about : pointers.length > 0 ? piece : each;
    return [{ type: 'file', uri, ...defined(details), meta }];
  });
  return files.length > 0 ? files.slice(0, 1) : [dataOf(kind, piece)];
}

function readThought(thought: JsonValue): MessagePart {
  if (!isJsonObject(thought)) return { type: 'data', kind: 'thought', value: thought };
  const summary = textAt(thought, 'summary') ?? '';
  const text = textAt(thought, 'content') ?? '';
  return { type: 'reasoning', text: [summary, text].filter(Boolean).join('\n'), meta: thought };
}
