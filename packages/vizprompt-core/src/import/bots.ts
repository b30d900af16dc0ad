import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, textAt } from '@vizprompt/providers/internal';
import type { Expanded } from './containers.ts';
import { idAt, listAt, objectAt, objectOf, parseNested } from './fields.ts';

/**
 * Returns a conversation of a platform whose messages say in a field of their own who speaks: trackers of Rasa, activities
 * of the Bot Framework (transcripts of Copilot Studio), items of Monica, and the chat room of OpenRouter.
 */
export function expandBots(entry: JsonObject): Expanded | undefined {
  const conversation =
    fromRasa(entry) ?? fromActivities(entry) ?? fromMonica(entry) ?? fromOpenRouter(entry);
  return conversation && { conversations: [conversation], account: conversation };
}

/** The kinds of events of Rasa that were said. */
const SAID: ReadonlySet<unknown> = new Set(['user', 'bot']);

/** Source: `Tracker` and `Event` in the API of Rasa. */
function fromRasa(entry: JsonObject): JsonObject | undefined {
  const { events, sender_id: sender, ...rest } = entry;
  const isTracker = sender !== undefined && Array.isArray(events);
  if (!isTracker || !events.some((each: JsonValue) => SAID.has(objectOf(each)['event'])))
    return undefined;
  const read = events.map((each: JsonValue): JsonObject => {
    const { message_id: id = null, event = null, ...said } = objectOf(each);
    // The values of slots are no messages.
    return SAID.has(event) ? { ...said, id, role: event } : { event: each };
  });
  // Many trackers have the same sender, `default`: it is no id of a conversation.
  return { ...rest, sender: sender ?? null, events: read };
}

/** The roles of speakers of activities: transcripts have numbers, the protocol has words. */
const SPEAKERS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [0, 'bot'],
  [1, 'user'],
  ['bot', 'bot'],
  ['user', 'user'],
]);

/** Source: `Activity` of the Bot Framework; the column `content` of the table `conversationtranscript`. */
function fromActivities(entry: JsonObject): JsonObject | undefined {
  const content = 'conversationtranscriptid' in entry ? textAt(entry, 'content') : undefined;
  const packed = content === undefined ? undefined : parseNested(content);
  const held = isJsonObject(packed) ? { ...entry, content: null, ...packed } : entry;
  const name = ['activities', 'records'].find((each) => Array.isArray(held[each])) ?? '';
  const activities = listAt(held, name);
  const isActivity = (each: JsonValue): boolean =>
    typeof objectOf(each)['type'] === 'string' && isJsonObject(objectOf(each)['from']);
  if (!activities.some(isSaid) || !activities.every(isActivity)) return undefined;
  const read = activities.map((each): JsonObject => {
    const { from = null, ...activity } = objectOf(each);
    const role = SPEAKERS.get(objectOf(from)['role']);
    return isSaid(each) && role !== undefined
      ? { ...activity, role, by: from }
      : { activity: each };
  });
  const { [name]: _, ...rest } = held;
  const id = idAt(objectAt(objectOf(activities.find(isSaid)), 'conversation'), 'id');
  return { ...(id === undefined ? {} : { id }), ...rest, activities: read };
}

function isSaid(activity: JsonValue): boolean {
  const { type, from, channelId, channelData } = objectOf(activity);
  const isOfChannel = channelId !== undefined || channelData !== undefined;
  return type === 'message' && SPEAKERS.has(objectOf(from)['role']) && isOfChannel;
}

/** The text of a bot that has only greeted. */
const GREETING = '__RENDER_BOT_WELCOME_MSG__';

const ITEMS: ReadonlyMap<unknown, string> = new Map([
  ['question', 'user'],
  ['reply', 'assistant'],
]);

/** Source: requests of Monica that clients of others write. */
function fromMonica(entry: JsonObject): JsonObject | undefined {
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
  return { id: held['conversation_id'] ?? null, ...held, items: read };
}

/** Source: files of the versions `orpg.1` to `orpg.3`; those of version 3 have the texts of messages in `items`. */
function fromOpenRouter(entry: JsonObject): JsonObject | undefined {
  const { items, messages, characters, ...rest } = entry;
  if (textAt(entry, 'version')?.startsWith('orpg.') !== true || !isJsonObject(messages)) {
    return undefined;
  }
  const open = new Map(Object.entries(objectOf(items)));
  const read = Object.entries(messages).map(([id, each]): [string, JsonValue] => {
    const { items: named, ...message } = objectOf(each);
    const character = textAt(message, 'characterId') ?? '';
    const role = character === 'USER' ? 'user' : 'assistant';
    const model = textAt(objectOf(objectOf(characters)[character]), 'model');
    const pieces = (Array.isArray(named) ? named : []).flatMap((item: JsonValue): JsonValue[] => {
      const itemId = idAt(objectOf(item), 'id') ?? '';
      const data = objectAt(objectOf(open.get(itemId)), 'data');
      open.delete(itemId);
      return Array.isArray(data['content']) ? [...data['content']] : [data];
    });
    const content = pieces.length > 0 ? { content: pieces } : {};
    return [id, { ...message, ...(model === undefined ? {} : { model }), role, ...content }];
  });
  const others = Object.fromEntries(open);
  return { ...rest, messages: Object.fromEntries(read), items: others };
}
