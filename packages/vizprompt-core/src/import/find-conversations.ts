import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  objectOf,
  omitUndefined as defined,
} from '@vizprompt/providers/internal';
import type { ImportFormat } from './conversation.ts';
import { withAnswersBeside } from './alternatives.ts';
import { expandBots, expandBotsWithin } from './bots.ts';
import {
  expandAiStudio,
  expandChatBox,
  expandCherryStudio,
  expandDeepSeek,
  type Expanded,
  expandGeminiRequest,
  expandRow,
  expandTypingMind,
  expandZed,
} from './containers.ts';
import { firstId, firstText, idOf, spelled, squash } from './fields.ts';
import { findList, isHead, isMessage, unwrapped } from './list-messages.ts';
import { withSpeakers } from './speakers-beside.ts';
import { isConversation, sourceOf } from './sources.ts';
import { withRoles } from './plain-rows.ts';
import { expandSpans } from './spans.ts';
import { fromSteps } from './steps.ts';
import { NAMES, roleIn } from './spellings.ts';

/** The greatest depth of a conversation in an object that holds several. */
const MAX_DEPTH = 6;

/** The programs whose conversations are in a form of their own, the first that fits wins. */
const EXPANDERS: readonly ((entry: JsonObject) => Expanded | undefined)[] = [
  expandCherryStudio,
  expandChatBox,
  expandAiStudio,
  expandTypingMind,
  expandDeepSeek,
  expandGeminiRequest,
  expandZed,
  expandBots,
];

/** The conversations of an entry. */
interface FoundConversations extends Expanded {
  readonly warnings?: readonly string[];
}

/**
 * Finds the conversations of an entry: it alone, those that it holds, or those whose messages are mixed in a list.
 *
 * @param format - The format to take it for, without detection.
 */
export function findConversations(entry: JsonObject, format?: ImportFormat): FoundConversations {
  for (const expand of EXPANDERS) {
    const expanded = expand(entry);
    if (expanded) return expanded;
  }
  const spans = expandSpans(entry);
  if (!spans) return findOthers(entry, format);
  const { conversations, account } = findConversations(spans.rest, format);
  const others = conversations.filter((each) => sourceOf(each) !== undefined);
  let name = 'spans';
  while (Object.hasOwn(account, name)) name += '*';
  return {
    conversations: [...others, ...spans.conversations],
    account: { ...account, [name]: [...spans.conversations, ...spans.left] },
    warnings: spans.warnings,
  };
}

function findOthers(entry: JsonObject, format: ImportFormat | undefined): Expanded {
  const conversations = conversationsIn(entry, format);
  const [only] = conversations;
  if (only !== entry || sourceOf(entry) !== undefined) return { conversations, account: entry };
  const row = expandRow(entry);
  if (row && sourceOf(row.account)) {
    const exchange = withAnswersBeside(row.account);
    return exchange ? { conversations: [exchange], account: row.account } : row;
  }
  const bots = expandBotsWithin(entry, MAX_DEPTH);
  if (bots) return bots;
  // Last, as fields next to a text name its owner or its kind, too.
  const named = withSpeakers(entry, MAX_DEPTH);
  return named ? findOthers(named, format) : { conversations, account: entry };
}

function conversationsIn(entry: JsonObject, format?: ImportFormat): readonly JsonObject[] {
  if ('records' in entry) return bySession(entry);
  const row = withAnswersBeside(entry) ?? withRoles(entry);
  if (row) return [row];
  if (format !== undefined) return wholesOf(entry);
  const named = byName(entry, MAX_NAMED);
  if (named.length > 0) return named;
  if (isOwn(entry)) return wholesOf(entry);
  const found: JsonObject[] = [];
  let level: JsonValue[] = [entry];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: JsonValue[] = [];
    for (const each of level) {
      if (each !== entry && isJsonObject(each) && !isMessage(each) && isOwn(each))
        found.push(...wholesOf(each));
      else if (typeof each === 'object' && each !== null) next.push(...Object.values(each));
    }
    level = next;
  }
  return found.length > 0 ? found : [entry];
}

/** Matches the names of fields of one conversation, such as `new_messages`. */
const LISTS =
  /^(?:new|all|old|past|previous|prior|current|recent|chat|message|conversation|input|output|prompt)?(?:messages?|history|chats?|conversations?|turns|inputs?|outputs?|prompts?|completions?|contents?|items|records|responses?)$/;

/** The greatest depth of lists of messages by names. */
const MAX_NAMED = 3;

/**
 * Returns the conversations of an object that has a list of messages for each user or chat, such as a store of LlamaIndex;
 * none if any of its fields is something else, if one has no user, or if another object or list of messages is next to the one that holds them.
 */
function byName(entry: JsonObject, depth: number): readonly JsonObject[] {
  if (sourceOf(entry)?.read !== undefined) return [];
  const lists = Object.entries(entry);
  const isChat = (value: JsonValue): boolean =>
    Array.isArray(value) &&
    value.every((each: JsonValue) => isMessage(each)) &&
    value.some((each: JsonValue) => roleIn(spelled(objectOf(each))) === 'user');
  const areNames = lists.length > 1 && !lists.some(([name]) => LISTS.test(squash(name)));
  if (areNames && lists.every(([, value]) => isChat(value))) {
    return areViews(Object.values(entry)) ? [] : lists.map(([id, messages]) => ({ id, messages }));
  }
  const [only, ...others] = Object.values(entry).filter(
    (each) => isJsonObject(each) || (Array.isArray(each) && findList(each) !== undefined),
  );
  if (depth === 1 || !isJsonObject(only) || others.length > 0) return [];
  return EXPANDERS.some((expand) => expand(only)) ? [] : byName(only, depth - 1);
}

/** Checks whether lists are all the beginning or the end of the longest, and so one conversation. */
function areViews(values: readonly JsonValue[]): boolean {
  const lists = values.map((value) =>
    listAt({ value }, 'value').map((each) => JSON.stringify(each)),
  );
  const [longest = [], ...others] = lists.toSorted((a, b) => b.length - a.length);
  return others.every((list) =>
    [0, longest.length - list.length].some((from) =>
      list.every((each, at) => each === longest[from + at]),
    ),
  );
}

function wholesOf(entry: JsonObject): readonly JsonObject[] {
  const whole = withAnswersBeside(entry) ?? withRoles(entry) ?? fromSteps(entry);
  return whole ? [whole] : byTopic(entry);
}

/** Returns an entry, or the conversations whose messages are mixed in it, each with what the entry says of it. */
function byTopic(entry: JsonObject): readonly JsonObject[] {
  if (sourceOf(entry)?.read !== undefined) return [entry];
  const list = findList(entry);
  if (!Array.isArray(list)) return [entry];
  const topics = new Map<string | undefined, JsonValue[]>();
  for (const each of list.filter(isJsonObject)) {
    const name = conversationOf(each);
    const topic = topics.get(name);
    if (topic) topic.push(each);
    else topics.set(name, [each]);
  }
  if (topics.has(undefined) || isOneTree(topics)) return [entry];
  const about = objectsIn(entry).filter((each) => !isMessage(each));
  const titleOf = (name: string | undefined): string | undefined => {
    const head = about.find((each) => firstId(spelled(each), NAMES.conversationId) === name);
    return firstText(spelled(head ?? {}), NAMES.title);
  };
  if (topics.size < 2) return [{ ...defined({ title: titleOf([...topics.keys()][0]) }), ...entry }];
  return [...topics].map(([name, messages]): JsonObject => {
    const title = titleOf(name);
    return { ...defined({ id: name, title }), messages };
  });
}

/** Checks whether a message of a group has its parent in another. */
function isOneTree(groups: ReadonlyMap<unknown, readonly JsonValue[]>): boolean {
  const homes = new Map<string | undefined, unknown>();
  for (const [name, messages] of groups)
    for (const each of messages) homes.set(firstId(spelled(objectOf(each)), NAMES.id), name);
  return [...groups].some(([name, messages]) =>
    messages.some((each) => {
      const parent = firstId(spelled(objectOf(each)), NAMES.parent);
      return parent !== undefined && homes.has(parent) && homes.get(parent) !== name;
    }),
  );
}

/** Returns the objects in the lists of a value, and of the objects in it. */
function objectsIn(value: JsonObject): JsonObject[] {
  return Object.values(value).flatMap((each) => {
    if (Array.isArray(each)) return each.filter(isJsonObject);
    return isJsonObject(each) ? objectsIn(each) : [];
  });
}

/** Checks whether an object is a conversation itself, and does not only hold some. */
function isOwn(value: JsonObject): boolean {
  if (!isConversation(value)) return false;
  const source = sourceOf(value);
  // Its messages are in it, or one level below: deeper ones belong to something that it holds.
  return source?.format !== 'openai' || holdsMessages(value);
}

function holdsMessages(value: JsonObject): boolean {
  return Object.values(value).some((each) => {
    if (isMessage(each)) return !Array.isArray(each) && each !== null;
    const members = typeof each === 'object' && each !== null ? Object.values(each) : [];
    return members.some((member: JsonValue) => isMessage(member));
  });
}

/** Splits records by the conversation that they name; those that name none belong to the one before. */
function bySession(entry: JsonObject): readonly JsonObject[] {
  const records = listAt(entry, 'records');
  const names = records.map((record) => conversationOf(record));
  const known = new Set(names.filter((name) => name !== undefined));
  const isMixed = known.size > 1 && sourceOf(entry)?.format !== 'claude-code';
  if (!isMixed) return [withHead(entry, records, [...known][0])];
  const groups = new Map<string, JsonValue[]>([...known].map((name) => [name, []]));
  let last = [...known][0] ?? '';
  for (const [at, record] of records.entries()) {
    const own = names[at] ?? headOf(record, known);
    if (own !== undefined) last = own;
    groups.get(last)?.push(record);
  }
  return [...groups].map(([name, group]) => withHead({ records: group }, group, name));
}

/** Returns the line that says what the conversation of some records is called, if there is one. */
function withHead(
  entry: JsonObject,
  records: readonly JsonValue[],
  name: string | undefined,
): JsonObject {
  const head = records.find((record) => {
    if (!isJsonObject(record) || isMessage(record)) return false;
    const isNamed = name !== undefined && idOf(record['id']) === name;
    return isNamed || 'chat_metadata' in record || isHead(spelled(record));
  });
  return isJsonObject(head) ? { ...entry, head } : entry;
}

function headOf(record: JsonValue, known: ReadonlySet<string>): string | undefined {
  const id = idOf(objectOf(record)['id']);
  return id !== undefined && known.has(id) && !isMessage(record) ? id : undefined;
}

function conversationOf(record: JsonValue): string | undefined {
  if (!isMessage(record)) return undefined;
  const own = spelled(record);
  return firstId(unwrapped(record, own), [...NAMES.conversation, 'conversation']);
}
