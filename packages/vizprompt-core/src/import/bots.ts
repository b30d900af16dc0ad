import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  objectAt,
  objectOf,
  omitUndefined as defined,
  textAt,
} from '@vizprompt/providers/internal';
import type { Expanded } from './containers.ts';
import { fromEvents } from './event-streams.ts';
import { idAt, idOf, isBlank, parseNested } from './fields.ts';
import { isMessage } from './list-messages.ts';
import { knownRole } from './spellings.ts';
import { fromSteps } from './steps.ts';

/**
 * Returns a conversation of a platform whose messages say in a field of their own who speaks: trackers of Rasa, activities
 * of the Bot Framework (transcripts of Copilot Studio), items of Monica, the chat room of OpenRouter, steps, and events.
 */
export function expandBots(entry: JsonObject): Expanded | undefined {
  const conversation =
    fromRasa(entry) ?? fromOpenRouter(entry) ?? fromPydanticAi(entry) ?? fromSteps(entry);
  if (conversation) return { conversations: [conversation], account: conversation };
  return fromEvents(entry) ?? fromActivities(entry) ?? fromMonica(entry);
}

/** Returns the conversations of bots in an object that holds several; see {@link expandBots}. */
export function expandBotsWithin(entry: JsonObject, depth: number): Expanded | undefined {
  const conversations: JsonObject[] = [];
  const visit = (value: JsonValue, left: number): JsonValue => {
    if (left === 0 || typeof value !== 'object' || value === null) return value;
    if (!isJsonObject(value)) return Array.from(value, (each) => visit(each, left - 1));
    const own = expandBots(value);
    if (own) {
      conversations.push(...own.conversations);
      return own.account;
    }
    const members = Object.entries(value).map(([key, each]) => [key, visit(each, left - 1)]);
    return Object.fromEntries(members);
  };
  const account = visit(entry, depth);
  return conversations.length > 0 && isJsonObject(account) ? { conversations, account } : undefined;
}

/**
 * Returns the conversations of a list of messages that name theirs; those that name none belong to the one before.
 *
 * @param name - The name of the list.
 * @param nameOf - Returns the conversation that a message names.
 */
function byConversation(
  { id = null, ...about }: JsonObject,
  name: string,
  messages: readonly JsonObject[],
  nameOf: (message: JsonObject) => string | undefined,
): Expanded {
  const names = messages.map(nameOf);
  const first = names.find((each) => each !== undefined) ?? idOf(id);
  const groups = new Map<string | undefined, JsonObject[]>();
  let last = first;
  for (const [at, message] of messages.entries()) {
    last = names[at] ?? last;
    const group = groups.get(last);
    if (group) group.push(message);
    else groups.set(last, [message]);
  }
  if (groups.size < 2) {
    const whole = { ...defined({ id: idOf(id) ?? first }), ...about, [name]: [...messages] };
    return { conversations: [whole], account: whole };
  }
  const conversations = [...groups].map(([own = null, group]): JsonObject => ({
    id: own,
    [name]: group,
  }));
  return { conversations, account: { ...about, [name]: conversations } };
}

/** The kinds of events of Rasa that were said. */
const SAID: ReadonlySet<unknown> = new Set(['user', 'bot']);

/** The answer of a person to whom a bot handed over; alone, it is no sign of Rasa. */
const AGENT = 'agent';

/** Source: `Tracker` and `Event` in the API of Rasa. */
function fromRasa(entry: JsonObject): JsonObject | undefined {
  const { events, sender_id: sender, ...rest } = entry;
  const isTracker = sender !== undefined && Array.isArray(events);
  if (!isTracker || !events.some((each: JsonValue) => SAID.has(objectOf(each)['event'])))
    return undefined;
  const read = events.map((each: JsonValue): JsonObject => {
    if (isMessage(each)) return each;
    const { message_id: id = null, event = null, ...said } = objectOf(each);
    // The values of slots are no messages.
    const isOfSpeaker = SAID.has(event) || event === AGENT;
    return isOfSpeaker && !isSilent(said) ? { ...said, id, role: event } : { event: each };
  });
  // Many trackers have the same sender, `default`: it is no id of a conversation.
  return { ...rest, sender: sender ?? null, events: read };
}

/** Checks whether an event has neither a text nor buttons, pictures or the like. */
function isSilent({ text = null, data = null }: JsonObject): boolean {
  const isBlankText = isBlank(typeof text === 'string' ? text.trim() : text);
  return isBlankText && Object.values(objectOf(data)).every(isBlank);
}

/** The speaker of each part of a request of Pydantic AI. */
const PARTS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['system-prompt', 'system'],
  ['user-prompt', 'user'],
  ['tool-return', 'tool'],
  ['retry-prompt', 'tool'],
]);

/** Returns messages of Pydantic AI: a request holds parts of several speakers. Source: `ModelMessagesTypeAdapter`. */
function fromPydanticAi(entry: JsonObject): JsonObject | undefined {
  const isOne = (each: JsonValue): boolean => {
    const { kind, parts } = objectOf(each);
    const isKind = kind === 'request' || kind === 'response';
    return isKind && Array.isArray(parts) && parts.some((part) => 'part_kind' in objectOf(part));
  };
  const [name, list] =
    Object.entries(entry).find(([, value]) => Array.isArray(value) && value.some(isOne)) ?? [];
  if (name === undefined || !Array.isArray(list)) return undefined;
  const messages = list.flatMap((each: JsonValue): JsonValue[] => {
    if (!isOne(each)) return [each];
    const { kind, parts, ...rest } = objectOf(each);
    if (kind === 'response') return [{ ...rest, role: 'assistant', parts: parts ?? null }];
    return listAt(objectOf(each), 'parts').map((part, at): JsonObject => {
      const role = PARTS.get(objectOf(part)['part_kind']) ?? 'system';
      const { timestamp = null } = objectOf(part);
      return { ...(at === 0 ? rest : {}), timestamp, role, parts: [part] };
    });
  });
  const { [name]: _, ...rest } = entry;
  return { ...rest, messages };
}

/** The roles of speakers of activities: transcripts have numbers, the protocol has words. */
const SPEAKERS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [0, 'bot'],
  [1, 'user'],
  ['bot', 'bot'],
  ['user', 'user'],
]);

/** Source: `Activity` of the Bot Framework; the column `content` of the table `conversationtranscript`. */
function fromActivities(entry: JsonObject): Expanded | undefined {
  const content = 'conversationtranscriptid' in entry ? textAt(entry, 'content') : undefined;
  const packed = content === undefined ? undefined : parseNested(content);
  const held = isJsonObject(packed) ? { ...entry, content: null, ...packed } : entry;
  const name = ['activities', 'records'].find((each) => Array.isArray(held[each])) ?? '';
  const activities = listAt(held, name);
  const isActivity = (each: JsonValue): boolean =>
    typeof objectOf(each)['type'] === 'string' && isJsonObject(objectOf(each)['from']);
  const isOfBots = activities.some((each) => isSaid(each) && isOfChannel(each));
  if (!isOfBots || !activities.every(isActivity)) return undefined;
  const known = new Set(activities.filter(isSaid).map(conversationOf));
  const read = activities.map((each): JsonObject => {
    const { from = null, ...activity } = objectOf(each);
    const role = SPEAKERS.get(objectOf(from)['role']);
    return isSaid(each) && role !== undefined
      ? { ...activity, role, by: from }
      : { activity: each };
  });
  const { [name]: _, ...rest } = held;
  return byConversation(rest, name, read, (each) => {
    const named = conversationOf(each['activity'] ?? each);
    return known.has(named) ? named : undefined;
  });
}

function conversationOf(activity: JsonValue): string | undefined {
  const own = objectOf(activity);
  return idAt(objectAt(own, 'conversation'), 'id') ?? idAt(own, 'conversationId');
}

function isSaid(activity: JsonValue): boolean {
  const { type, from } = objectOf(activity);
  return type === 'message' && SPEAKERS.has(objectOf(from)['role']);
}

function isOfChannel(activity: JsonValue): boolean {
  const { channelId, channelData } = objectOf(activity);
  return channelId !== undefined || channelData !== undefined;
}

/** The text of a bot that has only greeted. */
const GREETING = '__RENDER_BOT_WELCOME_MSG__';

const ITEMS: ReadonlyMap<unknown, string> = new Map([
  ['question', 'user'],
  ['reply', 'assistant'],
]);

/** Source: requests of Monica that clients of others write. */
function fromMonica(entry: JsonObject): Expanded | undefined {
  const { data, ...rest } = entry;
  const held = Array.isArray(entry['items']) ? entry : { ...rest, ...objectOf(data) };
  const items = listAt(held, 'items').filter(isJsonObject);
  const isItem = (item: JsonObject): boolean =>
    ITEMS.has(item['item_type']) && isJsonObject(item['data']);
  if (items.length === 0 || !items.every(isItem)) return undefined;
  const read = items
    .filter((item) => textAt(objectAt(item, 'data'), 'content') !== GREETING)
    .map(({ data: said, summary: _, ...item }): JsonObject => {
      const id = item['item_id'] ?? null;
      return {
        ...objectOf(said),
        ...item,
        type: 'message',
        id,
        role: ITEMS.get(item['item_type']) ?? '',
      };
    });
  const about = { id: held['conversation_id'] ?? null, ...held };
  return byConversation(about, 'items', read, (item) => idAt(item, 'conversation_id'));
}

/** The messages that the text of one item is read for at most: a small file could become a large one by it. */
const MOST_READINGS = 8;

/** Source: files of the versions `orpg.1` to `orpg.3`; those of version 3 have the texts of messages in `items`. */
function fromOpenRouter(entry: JsonObject): JsonObject | undefined {
  const { items, messages, characters, ...rest } = entry;
  if (textAt(entry, 'version')?.startsWith('orpg.') !== true || !isJsonObject(messages)) {
    return undefined;
  }
  const all = new Map(Object.entries(objectOf(items)));
  const open = new Map(all);
  const readings = new Map<string, number>();
  const read = Object.entries(messages).map(([id, each]): [string, JsonValue] => {
    const { items: named, ...message } = objectOf(each);
    const character = textAt(message, 'characterId') ?? '';
    const role = character === 'USER' ? 'user' : 'assistant';
    const isNamed = knownRole(message['type']) !== undefined || !isBlank(message['role']);
    const model = textAt(objectOf(objectOf(characters)[character]), 'model');
    const about = { ...message, ...defined({ model }), ...(isNamed ? {} : { role }) };
    const pieces: JsonValue[] = [];
    const others: JsonValue[] = [];
    const own = new Set<string>();
    for (const item of Array.isArray(named) ? named : []) {
      const itemId = idAt(objectOf(item), 'id') ?? '';
      const count = readings.get(itemId) ?? 0;
      if (own.has(itemId) || count === MOST_READINGS) {
        others.push(item);
        continue;
      }
      own.add(itemId);
      readings.set(itemId, count + 1);
      const found = objectOf(all.get(itemId));
      const { content, ...data } = objectAt(found, 'data');
      if (Array.isArray(content) && content.length > 0) pieces.push(...content);
      else if (isJsonObject(found['data'])) pieces.push(found['data']);
      others.push(Object.hasOwn(found, 'data') ? { ...found, data } : item);
      open.delete(itemId);
    }
    const { content: text = null } = message;
    const said =
      pieces.length === 0 ? {} : { content: pieces, ...(isBlank(text) ? {} : { own: text }) };
    return [id, { ...about, ...said, ...(others.length > 0 ? { items: others } : {}) }];
  });
  return { ...rest, messages: Object.fromEntries(read), items: Object.fromEntries(open) };
}
