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
import { plainOf } from './content.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type MessagePart,
} from './conversation.ts';
import { firstTime, idAt, idOf, spelled } from './fields.ts';
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
    // Messenger and Instagram. The assistant of Meta is a participant like others.
    is: (message) => hasFields(message, 'sender_name', 'timestamp_ms'),
    speaker: (message) => {
      const name = inUtf8(textAt(message, 'sender_name'));
      return name === 'Meta AI' ? { role: 'assistant', name } : person(name);
    },
  },
  {
    // Google Chat, of Takeout.
    is: (message) => hasFields(message, 'creator', 'created_date'),
    speaker: ({ creator }) => {
      const name = textAt(objectOf(creator), 'name', 'email');
      const isBot = textAt(objectOf(creator), 'user_type') === 'Bot';
      return isBot ? { role: 'assistant', name } : person(name);
    },
  },
  {
    // Teams, as Microsoft Graph gives it.
    is: (message) => hasFields(message, 'messageType', 'createdDateTime', 'body'),
    speaker: ({ from }) => {
      const sender = objectOf(from);
      const bot = textAt(objectAt(sender, 'application'), 'displayName');
      if (bot !== undefined) return { role: 'assistant', name: bot };
      return isJsonObject(sender['user'])
        ? person(textAt(sender['user'], 'displayName'))
        : { role: 'system' };
    },
  },
  {
    // Lines of WhatsApp, LINE and KakaoTalk.
    is: (message) => hasFields(message, 'saidBy', 'saidAt'),
    speaker: ({ saidBy }) => {
      // Lines without a name are notes of the messenger.
      return typeof saidBy === 'string' && saidBy !== '' ? person(saidBy) : { role: 'system' };
    },
  },
];

function messagesIn(entry: JsonObject): readonly JsonObject[] {
  const name = ['records', 'messages', 'value'].find((each) => Array.isArray(entry[each]));
  return name === undefined ? [] : listAt(entry, name).filter(isJsonObject);
}

/** Returns a text of Meta, which writes the bytes of UTF-8 as characters. */
function inUtf8(text: string | undefined): string | undefined {
  // oxlint-disable-next-line no-control-regex -- all that a byte can be
  if (text === undefined || !/^[\0-\xff]*$/.test(text) || !/[\x80-\xff]/.test(text)) return text;
  try {
    const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
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
  const order = byThread(isNewestFirst(times) ? all.toReversed() : all);
  const chain = chainOf(order, undefined);
  const messages: ImportedMessage[] = [];
  for (const [at, raw] of order.entries()) {
    const parts = partsOf(raw);
    if (parts.length === 0 || !messenger) continue;
    const { role, name } = messenger.speaker(raw, entry);
    const id = idAt(raw, 'id', 'event_id', 'ts') ?? chain[at] ?? `${at}`;
    const rewritten = [textOf(raw['text']) ?? saidIn(raw) ?? '', textAt(raw, 'sender_name') ?? ''];
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

/** Returns messages with the answers in a thread after the message that began it, as Slack and Teams show them. */
function byThread(messages: readonly JsonObject[]): readonly JsonObject[] {
  const places = new Map(
    messages.flatMap(({ ts, id }, at) => [ts, id].map((name) => [idOf(name), at] as const)),
  );
  const rootOf = ({ ts, thread_ts: slack, replyToId: teams }: JsonObject): string | undefined =>
    idOf(slack) === idOf(ts) ? idOf(teams) : idOf(slack);
  const placeOf = (message: JsonObject, at: number): number => {
    const root = rootOf(message);
    return (root === undefined ? undefined : places.get(root)) ?? at;
  };
  return messages
    .map((message, at) => ({ message, place: placeOf(message, at) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ message }) => message);
}

function timeOf(message: JsonObject): string | undefined {
  const names =
    'timestamp timestampms dateunixtime date originserverts ts saidat createddate createddatetime';
  return firstTime(spelled(message), names.split(' '));
}

function partsOf(message: JsonObject): MessagePart[] {
  const text = textOf(message['text']) ?? spoken(message) ?? '';
  const files = ['attachments', 'files'].flatMap((key) => listAt(message, key));
  const named = ['photo', 'file'].flatMap((key) => textAt(message, key) ?? []);
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ...[...files, ...named].flatMap((file) => readAttached(file)),
  ];
}

/** Returns what a message says where it has no `text`, as it is shown. */
function spoken(message: JsonObject): string | undefined {
  const said = saidIn(message);
  if (said === undefined) return undefined;
  if ('sender_name' in message) return inUtf8(said);
  const isHtml = objectAt(message, 'body')['contentType'] === 'html';
  return isHtml ? plainOf(said) : said;
}

function saidIn(message: JsonObject): string | undefined {
  const content = isJsonObject(message['content'])
    ? message['content']['body']
    : message['content'];
  return textOf(content) ?? textAt(objectAt(message, 'body'), 'content');
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
