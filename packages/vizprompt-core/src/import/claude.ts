import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  omitUndefined as defined,
  isJsonObject,
  listAt,
  type Role,
  textAt,
} from '@vizprompt/providers/internal';
import { readPiece } from './content.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { withDocuments } from './documents.ts';
import { firstId, firstTime, idAt, spelled, timeAt } from './fields.ts';
import { readAttached } from './files.ts';
import { chainOf, linkMessages } from './link-messages.ts';
import { NAMES, roleOf } from './spellings.ts';

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
  if (!Array.isArray(entry['chat_messages'])) throw new BrokenEntry("it has no 'chat_messages'");
  const raw = listAt(entry, 'chat_messages').filter(isJsonObject);
  const chain = chainOf(raw, undefined);
  const id = idAt(entry, 'uuid', 'id') ?? chain[0] ?? '';
  const parents = raw.map((message) => firstId(spelled(message), NAMES.parent));
  const isTree = parents.some((parent) => parent !== undefined);
  const ids = raw.map((message, at) => idAt(message, 'uuid', 'id') ?? `${id}/${at}`);
  const warnings: string[] = [];

  const parentOf = (at: number): string | undefined => {
    if (!isTree) return ids[at - 1];
    return parents[at] === ROOT ? undefined : parents[at];
  };
  const model = textAt(entry, 'model');
  const messages = raw.map((message, at): ImportedMessage => ({
    id: ids[at] ?? '',
    ...defined({ parent: parentOf(at) }),
    role: textAt(message, 'sender') === 'human' ? 'user' : speakerOf(message),
    ...defined({ time: timeAt(message, 'created_at'), model }),
    ...(message['truncated'] === true ? { isAborted: true } : {}),
    raw: message,
    rewritten: listAt(message, 'content').flatMap((block) => textAt(Object(block), 'text') ?? []),
    parts: [...readBlocks(message), ...readFiles(message)].flatMap(withDocuments),
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

/** Returns the role of a message. Newer exports may name it; any sender except a human is the assistant. */
function speakerOf(message: JsonObject): Role {
  const role = roleOf(textAt(message, 'sender', 'role'));
  return role === 'user' ? 'user' : 'assistant';
}

function readBlocks(message: JsonObject): MessagePart[] {
  // Converters write one text in place of the blocks.
  const written = textAt(message, 'content');
  const parts = listAt(message, 'content').flatMap((block) => readPiece(block));
  const text = textAt(message, 'text') ?? written ?? '';
  const isSaid = parts.some((part) => part.type === 'text' && part.text !== '');
  return isSaid || (text === '' && parts.length > 0) ? parts : [...parts, { type: 'text', text }];
}

function readFiles(message: JsonObject): MessagePart[] {
  return ['files', 'files_v2', 'attachments'].flatMap((key) =>
    listAt(message, key).flatMap((file) => readAttached(file, 'claude-file')),
  );
}

/** Fields that hold what people wrote for a project, and what was remembered of them. */
const TEXTS = [
  'description',
  'prompt_template',
  'instructions',
  'custom_instructions',
  'conversations_memory',
  'project_memories',
  'memories',
  'memory',
];

/** Checks whether an entry is a project or the memory of an assistant, and no conversation. */
export function isNotes(entry: JsonObject): boolean {
  const isProject = 'prompt_template' in entry || (Array.isArray(entry['docs']) && 'name' in entry);
  return isProject || ['conversations_memory', 'project_memories'].some((key) => key in entry);
}

/**
 * Reads a project or the memory of an assistant as a conversation of one message: what it says, and its documents.
 *
 * @throws BrokenEntry if it says nothing.
 */
export function readNotes(entry: JsonObject): ImportedConversation {
  const said = TEXTS.flatMap((key) => textsIn(entry[key])).map((text): MessagePart => {
    return { type: 'text', text };
  });
  const docs = Array.isArray(entry['docs']) ? entry['docs'] : [];
  const parts = [...said, ...docs.flatMap((doc: JsonValue) => readAttached(doc, 'claude-file'))];
  if (parts.length === 0) throw new BrokenEntry('it holds no text');
  const about = spelled(entry);
  const own = idAt(entry, 'uuid', 'id', 'account_uuid');
  const isMemory = 'conversations_memory' in entry || 'project_memories' in entry;
  const id = own ?? chainOf([entry], undefined)[0] ?? '';
  return {
    format: 'notes',
    id: isMemory ? `memory/${id}` : id,
    title: textAt(entry, 'name', 'title') ?? (isMemory ? 'Memories' : ''),
    ...defined({
      created: firstTime(about, NAMES.created),
      updated: firstTime(about, NAMES.updated),
    }),
    messages: [{ id: isMemory ? 'memory' : id, role: 'user', parts, raw: entry }],
    warnings: [],
  };
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => textsIn(each));
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
