import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { omitUndefined as defined, isJsonObject } from '@vizprompt/providers/internal';
import { readChatGptContent } from './chatgpt-content.ts';
import { citationsOf } from './citations.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
  readNotes,
} from './conversation.ts';
import { withDocuments } from './documents.ts';
import { idAt, listAt, numberAt, objectAt, objectOf, textAt, timeFromSeconds } from './fields.ts';
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
