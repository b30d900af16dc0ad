import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, omitUndefined as defined, type Role } from '@vizprompt/providers/internal';
import {
  type MessagePart,
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
} from './conversation.ts';
import { readPiece } from './content.ts';
import { withDocuments } from './documents.ts';
import { firstId, idAt, listAt, spelled, textAt, timeAt } from './fields.ts';
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
  const parts = listAt(message, 'content').flatMap((block) => readPiece(block));
  const text = textAt(message, 'text') ?? '';
  const isSaid = parts.some((part) => part.type === 'text' && part.text !== '');
  return isSaid || (text === '' && parts.length > 0) ? parts : [...parts, { type: 'text', text }];
}

function readFiles(message: JsonObject): MessagePart[] {
  return ['files', 'files_v2', 'attachments'].flatMap((key) =>
    listAt(message, key).flatMap((file) => readAttached(file, 'claude-file')),
  );
}
