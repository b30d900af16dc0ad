import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectOf,
  textAt,
} from '@vizprompt/providers/internal';
import { idAt, idOf, isBlank, parseNested, spelled, squash } from './fields.ts';
import { isMessage, saysSomething } from './list-messages.ts';
import { withRoles } from './plain-rows.ts';
import { NAMES, roleIn } from './spellings.ts';

/** The conversations of an entry in a usual form. */
export interface Expanded {
  readonly conversations: readonly JsonObject[];
  /** The entry with them in it: all of its texts, each in the message that it belongs to. */
  readonly account: JsonObject;
}

/** Returns the topics of a backup of Cherry Studio, whose messages name the blocks that hold their texts. */
export function expandCherryStudio(entry: JsonObject): Expanded | undefined {
  const tables = objectAt(entry, 'indexedDB');
  const topics = listAt(tables, 'topics').filter(isJsonObject);
  if (topics.length === 0) return undefined;
  const blocks = new Map(
    listAt(tables, 'message_blocks')
      .filter(isJsonObject)
      .map((block) => [idAt(block, 'id') ?? '', block] as const),
  );
  const names = namesOf(objectAt(entry, 'localStorage'));
  const used = new Set<JsonValue>();
  const conversations = topics.map((topic): JsonObject => {
    const messages = listAt(topic, 'messages').map((message): JsonValue => {
      if (!isJsonObject(message)) return message;
      const own = listAt(message, 'blocks').map((block): JsonValue => {
        const found = blocks.get(idOf(block) ?? '') ?? block;
        used.add(found);
        return found;
      });
      return { ...message, blocks: own };
    });
    const title = textAt(topic, 'name') ?? names.get(idAt(topic, 'id') ?? '') ?? '';
    return { ...topic, title, messages };
  });
  const unused = listAt(tables, 'message_blocks').filter((block) => !used.has(block));
  const isList = Array.isArray(tables['message_blocks']);
  const others = listAt(tables, 'topics').filter((topic) => !isJsonObject(topic));
  const own = {
    ...tables,
    topics: [...conversations, ...others],
    ...(isList ? { message_blocks: unused } : {}),
  };
  return { conversations, account: { ...entry, indexedDB: own } };
}

/** Returns the names of topics, which are in the settings of their assistants: JSON within JSON. */
function namesOf(storage: JsonObject): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const visit = (value: JsonValue | undefined, depth: number): void => {
    if (depth > 8 || typeof value !== 'object' || value === null) {
      if (typeof value !== 'string' || !/^[[{]/.test(value)) return;
      visit(parseNested(value), depth + 1);
      return;
    }
    for (const each of Object.values(value)) visit(each, depth + 1);
    if (!isJsonObject(value)) return;
    for (const topic of listAt(value, 'topics').filter(isJsonObject)) {
      names.set(idAt(topic, 'id') ?? '', textAt(topic, 'name') ?? '');
    }
  };
  visit(storage, 0);
  return names;
}

/**
 * Returns the sessions of ChatBox with their forks as branches: of each fork, `messages` has the list that is
 * shown, and the others hang on the message before it.
 */
export function expandChatBox(entry: JsonObject): Expanded | undefined {
  const sessions = [entry, ...Object.values(entry), ...listAt(entry, 'chat-sessions')]
    .filter(isJsonObject)
    .filter((each) => isJsonObject(each['messageForksHash']) || hasThreads(each))
    .filter((each) => Array.isArray(each['messages']));
  if (sessions.length === 0) return undefined;
  const isOne = sessions[0] === entry;
  const plain = isOne
    ? []
    : Object.values(entry)
        .filter(isJsonObject)
        .filter((each) => Array.isArray(each['messages']) && !sessions.includes(each));
  const held = new Set<JsonValue>([...sessions, ...plain]);
  const conversations = [...sessions, ...plain].flatMap((session) => {
    const { threads, messageForksHash, ...rest } = session;
    const forks = new Map(Object.entries(objectOf(messageForksHash)));
    const own = {
      ...rest,
      ...(threads === undefined || Array.isArray(threads) ? {} : { threads }),
      messages: withForks(listAt(session, 'messages'), forks),
      // Forks of messages that are not there.
      ...(forks.size > 0 ? { messageForksHash: Object.fromEntries(forks) } : {}),
    };
    const others = (Array.isArray(threads) ? threads : []).filter(isJsonObject);
    return [
      own,
      ...others.map((thread): JsonObject => ({ ...thread, sessionName: rest['name'] ?? null })),
    ];
  });
  const rest = Object.entries(isOne ? {} : entry)
    .filter(([, value]) => !held.has(value))
    .map(([key, value]) => [
      key,
      Array.isArray(value) ? value.filter((each: JsonValue) => !held.has(each)) : value,
    ]);
  return { conversations, account: { ...Object.fromEntries(rest), sessions: [...conversations] } };
}

/** Checks whether a session has threads that hold their messages, and no table of threads next to one of messages. */
function hasThreads({ threads }: JsonObject): boolean {
  if (!Array.isArray(threads)) return false;
  return threads.length === 0 || threads.some((each: JsonValue) => 'messages' in objectOf(each));
}

/** Returns a prompt of AI Studio whose files belong to the text after them, without inputs that are blank. */
export function expandAiStudio(entry: JsonObject): Expanded | undefined {
  const prompt = entry['chunkedPrompt'];
  if (!isJsonObject(prompt) || !Array.isArray(prompt['chunks'])) return undefined;
  const messages: JsonObject[] = [];
  const open: JsonObject[] = [];
  const chunks = [...listAt(prompt, 'chunks'), ...listAt(prompt, 'pendingInputs')];
  for (const chunk of chunks.filter(isJsonObject)) {
    const { role = null, text } = chunk;
    const before = open[0];
    if (before && before['role'] !== role) messages.push(inOne(open.splice(0)));
    const isText = typeof text === 'string' && !('parts' in chunk && text === '');
    if (isText && open.length === 0) {
      if (text !== '' || Object.keys(chunk).length > 2) messages.push(chunk);
    } else if (isText) messages.push(inOne([...open.splice(0), chunk]));
    else open.push(chunk);
  }
  if (open.length > 0) messages.push(inOne(open));
  const unread = [...listAt(prompt, 'chunks'), ...listAt(prompt, 'pendingInputs')].filter(
    (chunk) => !isJsonObject(chunk),
  );
  const own = { ...prompt, chunks: messages, ...(unread.length > 0 ? { unread } : {}) };
  const pending = Array.isArray(prompt['pendingInputs']) ? { pendingInputs: [] } : {};
  return whole({ ...entry, chunkedPrompt: { ...own, ...pending } });
}

/** Returns a request of Gemini whose first contents name no role, or are strings: the user says them. */
export function expandGeminiRequest(entry: JsonObject): Expanded | undefined {
  const { contents: given, response, ...others } = entry;
  const contents = Array.isArray(given) ? given : [given ?? null];
  const isSaid = (each: JsonValue): boolean =>
    typeof each === 'string' || (isJsonObject(each) && each['parts'] !== undefined);
  if (isBlank(given) || !isBlank(response) || !contents.every(isSaid)) return undefined;
  const { candidates } = others;
  const isAnswered = Array.isArray(candidates) && candidates.every(isJsonObject);
  // Next to messages, contents are no request, but for those that were answered.
  if (!isAnswered && (holdsMessages(others) || withRoles(others))) return undefined;
  const isNamed = (each: JsonObject): boolean =>
    'role' in each || roleIn(spelled(each)) !== undefined;
  if (contents.every((each: JsonValue) => isJsonObject(each) && isNamed(each))) return undefined;
  const named = contents.map((each: JsonValue): JsonObject => {
    if (!isJsonObject(each)) return { role: 'user', parts: [each] };
    return isNamed(each) ? each : { role: 'user', ...each };
  });
  return whole({ ...entry, contents: named });
}

/** Fields of a request that look like messages and are none. */
const NO_MESSAGES: ReadonlySet<string> = new Set([
  'automaticfunctioncallinghistory',
  'candidates',
  'config',
  'metadata',
  ...NAMES.scene,
  ...NAMES.tools,
]);

/** Checks whether an object has a list or a map of messages in one of its fields, or a list in an object in it. */
function holdsMessages(value: JsonObject, depth = 0): boolean {
  return Object.entries(value).some(([key, each]) => {
    if (NO_MESSAGES.has(squash(key))) return false;
    if (Array.isArray(each)) return areMessages(each);
    if (depth > 0 || !isJsonObject(each)) return false;
    return areMessages(Object.values(each)) || holdsMessages(each, 1);
  });
}

/** Checks whether at least half of the objects among some values are messages that say something. */
function areMessages(values: readonly JsonValue[]): boolean {
  const objects = values.filter(isJsonObject);
  const count = objects.filter(saysSomething).length;
  return count > 0 && count * 2 >= objects.length;
}

/**
 * Returns a conversation of an older export of DeepSeek, whose messages have a content and no role: those of the user
 * and the answers take turns from the root on.
 */
export function expandDeepSeek(entry: JsonObject): Expanded | undefined {
  const mapping = objectAt(entry, 'mapping');
  const nodes = Object.values(mapping)
    .filter(isJsonObject)
    .filter(({ message }) => isJsonObject(message));
  const isOld = (node: JsonObject): boolean => {
    const message = objectAt(node, 'message');
    const isPlain =
      typeof message['content'] === 'string' && !('author' in message) && !('role' in message);
    // Any other spelling of a role is read as it is.
    return isPlain && !isMessage(node);
  };
  if (nodes.length === 0 || !nodes.every(isOld)) return undefined;
  const above = messagesAbove(new Map(Object.entries(mapping)));
  const read = Object.entries(mapping).map(([key, node]): [string, JsonValue] => {
    if (!isJsonObject(node) || !isJsonObject(node['message'])) return [key, node];
    const { content, reasoning_content: thought, ...message } = node['message'];
    const thoughts = isBlank(thought) ? [] : [{ type: 'THINK', content: thought ?? '' }];
    const type = (above.get(key) ?? 0) % 2 === 1 ? 'RESPONSE' : 'REQUEST';
    const said = { type, content: content ?? '' };
    return [key, { ...node, message: { ...message, fragments: [...thoughts, said] } }];
  });
  return whole({ ...entry, mapping: Object.fromEntries(read) });
}

/** Returns the number of messages above each node; parents may be missing, or form a circle. */
function messagesAbove(nodes: ReadonlyMap<string, JsonValue>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const parentOf = (key: string): string | undefined => idAt(objectOf(nodes.get(key)), 'parent');
  for (const key of nodes.keys()) {
    const path: string[] = [];
    let at: string | undefined = key;
    while (at !== undefined && !counts.has(at)) {
      counts.set(at, 0);
      path.push(at);
      at = parentOf(at);
    }
    for (const each of path.toReversed()) {
      const parent = parentOf(each) ?? '';
      const own = isJsonObject(objectOf(nodes.get(parent))['message']) ? 1 : 0;
      counts.set(each, (counts.get(parent) ?? 0) + own);
    }
  }
  return counts;
}

/** Returns a row of a database in which lists and objects are JSON in strings. */
export function expandRow(entry: JsonObject): Expanded | undefined {
  const read = Object.entries(entry).map(([key, value]): [string, JsonValue] => {
    const isPacked = typeof value === 'string' && /^\s*[[{]/.test(value);
    return [key, isPacked ? (parseNested(value) ?? value) : value];
  });
  const isRead = read.some(([key, value]) => value !== entry[key]);
  return isRead ? whole(Object.fromEntries(read)) : undefined;
}

function whole(conversation: JsonObject): Expanded {
  return { conversations: [conversation], account: conversation };
}

function inOne(chunks: readonly JsonObject[]): JsonObject {
  return { role: chunks[0]?.['role'] ?? null, parts: [...chunks] };
}

/** A place in a chat of TypingMind where several models answered one question. */
const SEVERAL = 'tm_multi_responses';

/** Returns the chats of TypingMind with the answers of several models as branches. */
export function expandTypingMind(entry: JsonObject): Expanded | undefined {
  const data = objectAt(entry, 'data');
  const listed = [listAt(data, 'chats'), listAt(entry, 'chats'), [entry]].find(
    (list) => list.length > 0,
  );
  const chats = (listed ?? []).filter(isJsonObject);
  const isSeveral = (each: JsonValue): boolean => objectOf(each)['type'] === SEVERAL;
  if (!chats.some((chat) => listAt(chat, 'messages').some(isSeveral))) return undefined;
  const conversations = chats.map((chat): JsonObject => {
    const messages = listAt(chat, 'messages');
    return messages.some(isSeveral) ? { ...chat, messages: withResponses(messages) } : chat;
  });
  const [only] = conversations;
  if (chats[0] === entry && only) return whole(only);
  const own = Array.isArray(data['chats'])
    ? { data: { ...data, chats: conversations } }
    : { chats: conversations };
  return { conversations, account: { ...entry, ...own } };
}

function withResponses(messages: readonly JsonValue[]): JsonValue[] {
  let last: string | null = null;
  const after = (message: JsonObject, parent: string | null, id: string): JsonObject => {
    return { ...message, id: idAt(message, 'uuid', 'id') ?? id, parentId: parent };
  };
  return messages.flatMap((message, at): JsonValue[] => {
    if (!isJsonObject(message)) return [message];
    if (message['type'] !== SEVERAL) {
      const linked = after(message, last, `message/${at}`);
      last = idAt(linked, 'id') ?? last;
      return [linked];
    }
    const { responses, ...about } = message;
    const asked = last;
    const all = Array.isArray(responses) ? responses.filter(isJsonObject) : [];
    const read = all.filter((response) => listAt(response, 'messages').every(isJsonObject));
    const rows = read.map((response, index) => {
      const { messages: said, ...rest } = response;
      let parent = asked;
      return (Array.isArray(said) ? said : []).filter(isJsonObject).map((each, place) => {
        const linked = after({ ...rest, ...each }, parent, `message/${at}/${index}/${place}`);
        parent = idAt(linked, 'id') ?? parent;
        return linked;
      });
    });
    // A form of answers that is not known: all of it is kept as it came.
    if (read.length === 0 || rows.some((row) => row.length === 0)) return [message];
    const kept = rows.find(([first]) => first?.['model'] === about['keepModel']) ?? rows[0] ?? [];
    last = idAt(kept.at(-1) ?? {}, 'id') ?? last;
    const [first, ...others] = rows.flat();
    const unread = Array.isArray(responses)
      ? responses.filter((each: JsonValue) => !read.some((response) => response === each))
      : [];
    return first ? [{ ...about, ...first, several: { ...about, unread } }, ...others] : [message];
  });
}

/** @param open - The forks by the ids of the messages before them; those that were read are removed. */
function withForks(messages: readonly JsonValue[], open: Map<string, JsonValue>): JsonValue[] {
  const row = (list: readonly JsonValue[], above: string | undefined): JsonValue[] => {
    let last = above;
    return list.flatMap((message): JsonValue[] => {
      if (!isJsonObject(message)) return [message];
      const id = idAt(message, 'id');
      const linked = { ...message, parentId: last ?? null };
      last = id ?? last;
      const fork = objectOf(open.get(id ?? ''));
      const isRead = listAt(fork, 'lists').every((each) => {
        const own = objectOf(each)['messages'];
        return Array.isArray(own) && own.every(isJsonObject);
      });
      if (isRead && Array.isArray(fork['lists'])) open.delete(id ?? '');
      const lists = listAt(fork, 'lists').flatMap((each) =>
        row(listAt(objectOf(each), 'messages'), id),
      );
      return [linked, ...lists];
    });
  };
  return row(messages, undefined);
}

/**
 * Returns a text thread of Zed with a text for each message: its file has one text, and where each message starts
 * in it, in bytes of UTF-8. Up to version 0.3 the roles are in a map by the numbers of the messages.
 *
 * Source: `SavedContext` and `SavedConversation` in the source code of Zed.
 */
export function expandZed(entry: JsonObject): Expanded | undefined {
  const { zed, text, messages: _, message_metadata: about, ...rest } = entry;
  const messages = listAt(entry, 'messages').filter(isJsonObject);
  const isThread = zed === 'context' || zed === 'conversation';
  const isWhole = messages.length > 0 && messages.length === listAt(entry, 'messages').length;
  if (!isThread || typeof text !== 'string' || !isWhole) return undefined;
  const bytes = Buffer.from(text);
  const starts = messages.map((message) => numberAt(message, 'start') ?? bytes.length);
  const isRow = starts.every(
    (start, at) => start >= (starts[at - 1] ?? 0) && start <= bytes.length,
  );
  // With other places than these, words would be lost.
  if (starts[0] !== 0 || !isRow) return undefined;
  const roles = new Map(Object.entries(isJsonObject(about) ? about : {}));
  const read = messages.map((message, at): JsonObject => {
    const { id, start: _start, metadata, ...own } = message;
    const number = (isJsonObject(id) ? Object.values(id) : [id ?? at])
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
      .join('.');
    const facts = isJsonObject(metadata) ? metadata : objectOf(roles.get(number));
    roles.delete(number);
    const said = bytes.subarray(starts[at], starts[at + 1]).toString('utf8');
    // A line break ends every message.
    const content = at + 1 < messages.length ? said.replace(/\n$/, '') : said.replace(/\n\n*$/, '');
    return { ...own, ...facts, role: textAt(facts, 'role') ?? 'user', id: number, content };
  });
  const others = Object.fromEntries(roles);
  const conversation: JsonObject = { ...rest, zed, messages: read, message_metadata: others };
  return { conversations: [conversation], account: conversation };
}
