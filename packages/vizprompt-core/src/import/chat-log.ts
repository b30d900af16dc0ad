import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  objectAt,
  objectOf,
  omitUndefined as defined,
  type Role,
  textAt,
} from '@vizprompt/providers/internal';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { firstTime, idAt, spelled } from './fields.ts';
import { readAttached } from './files.ts';
import { chainOf, linkMessages } from './link-messages.ts';
import { hasFields, isNewestFirst } from './plain-rows.ts';

/** A messenger: how its messages are known, and who speaks in one. */
interface Messenger {
  readonly is: (message: JsonValue | undefined) => boolean;
  readonly speaker: (message: JsonObject, chat: JsonObject) => Speaker;
}

interface Speaker {
  readonly role: Role;
  readonly name?: string | undefined;
}

const person = (name: string | undefined): Speaker => ({ role: 'user', name });

/** The messengers whose exports are read. A bot is the assistant; every person is a user with a name. */
const MESSENGERS: readonly Messenger[] = [
  {
    // Discord, as DiscordChatExporter writes it.
    is: (message) => hasFields(message, 'author', 'content', 'timestamp', 'isPinned'),
    speaker: ({ author }) => {
      const { isBot } = objectOf(author);
      const name = textAt(objectOf(author), 'nickname', 'name');
      return isBot === true ? { role: 'assistant', name } : person(name);
    },
  },
  {
    // Telegram Desktop. In a chat with a bot, the chat has its name.
    is: (message) => hasFields(message, 'from_id', 'date'),
    speaker: (message, chat) => {
      const name = textAt(message, 'from', 'actor');
      const isBot = chat['type'] === 'bot_chat' && name === textAt(chat, 'name');
      const isBotHere = chat['type'] === 'bot_chat' && name !== undefined && /bot$/i.test(name);
      return isBot || isBotHere ? { role: 'assistant', name } : person(name);
    },
  },
  {
    // Matrix, as Element writes it.
    is: (message) => hasFields(message, 'sender', 'content', 'event_id'),
    speaker: (message) => person(textAt(message, 'sender')),
  },
  {
    // Slack: a list for each day.
    is: (message) => hasFields(message, 'ts', 'type', 'text') && !hasFields(message, 'say'),
    speaker: (message) => {
      const profile = objectAt(message, 'user_profile');
      const name =
        textAt(profile, 'real_name', 'display_name') ?? textAt(message, 'username', 'user');
      return 'bot_id' in message ? { role: 'assistant', name } : person(name);
    },
  },
  {
    // Lines of WhatsApp and LINE.
    is: (message) => hasFields(message, 'saidBy', 'saidAt'),
    speaker: ({ saidBy }) => {
      // Lines without a name are notes of the messenger.
      return typeof saidBy === 'string' && saidBy !== '' ? person(saidBy) : { role: 'system' };
    },
  },
];

function messagesIn(entry: JsonObject): readonly JsonObject[] {
  const list = 'records' in entry ? listAt(entry, 'records') : listAt(entry, 'messages');
  return list.filter(isJsonObject);
}

function messengerOf(messages: readonly JsonObject[]): Messenger | undefined {
  const sample = messages.slice(0, 20);
  return MESSENGERS.find(({ is }) => sample.some(is));
}

/** Checks whether an entry is a chat between people, as a messenger exports it. */
export function isChatLog(entry: JsonObject): boolean {
  return messengerOf(messagesIn(entry)) !== undefined;
}

/** Reads a chat between people, in which a bot may take part, as a row of messages with the names of the speakers. */
export function readChatLog(entry: JsonObject): ImportedConversation {
  const all = messagesIn(entry);
  const messenger = messengerOf(all);
  const times = all.map(timeOf);
  const order = isNewestFirst(times) ? all.toReversed() : all;
  const chain = chainOf(order, undefined);
  const messages: ImportedMessage[] = [];
  for (const [at, raw] of order.entries()) {
    const parts = partsOf(raw);
    if (parts.length === 0 || !messenger) continue;
    const { role, name } = messenger.speaker(raw, entry);
    const id = idAt(raw, 'id', 'event_id', 'ts') ?? chain[at] ?? `${at}`;
    const rewritten = [textOf(raw['text']) ?? ''];
    const about = defined({ parent: messages.at(-1)?.id, name, time: timeOf(raw) });
    messages.push({ id, role, ...about, parts, raw, rewritten });
  }
  if (messages.length === 0) throw new BrokenEntry('it holds no messages');
  const channel = objectAt(entry, 'channel');
  const warnings: string[] = [];
  return {
    format: 'chat-log',
    id: idAt(channel, 'id') ?? idAt(entry, 'id', 'room_id') ?? chain[0] ?? '',
    title: textAt(channel, 'name') ?? textAt(entry, 'name', 'room_name', 'title') ?? '',
    messages: linkMessages(messages, warnings),
    warnings,
  };
}

function timeOf(message: JsonObject): string | undefined {
  const names = ['timestamp', 'dateunixtime', 'date', 'originserverts', 'ts', 'saidat'];
  return firstTime(spelled(message), names);
}

function partsOf(message: JsonObject): MessagePart[] {
  const body = isJsonObject(message['content']) ? message['content']['body'] : message['content'];
  const text = textOf(message['text']) ?? textOf(body) ?? '';
  const files = ['attachments', 'files'].flatMap((key) => listAt(message, key));
  const named = ['photo', 'file'].flatMap((key) => textAt(message, key) ?? []);
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ...[...files, ...named].flatMap((file) => readAttached(file)),
  ];
}

/** Returns a text, or the pieces of one, which are strings and objects with marks. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const pieces = value.map((piece: JsonValue) => {
    return typeof piece === 'string' ? piece : (textAt(objectOf(piece), 'text') ?? '');
  });
  return pieces.join('');
}
