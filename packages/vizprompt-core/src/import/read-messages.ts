import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  objectOf,
  omitUndefined as defined,
  type Role,
} from '@vizprompt/providers/internal';
import { readContent, textOfParts } from './content.ts';
import { conversationId } from './conversation-id.ts';
import {
  BrokenEntry,
  type ImportedConversation,
  type ImportedMessage,
  type ImportFormat,
  type MessagePart,
} from './conversation.ts';
import {
  firstId,
  firstOf,
  firstText,
  firstTime,
  idOf,
  spelled,
  squash,
  type Spelled,
} from './fields.ts';
import { chainOf, findParents, linkMessages, type Links, type Parents } from './link-messages.ts';
import { listMessages, type ListedMessage, type MessageList, unwrapped } from './list-messages.ts';
import {
  type MessageContext,
  type MessageFields,
  modelIn,
  readMessage,
  readTurn,
  type SaidMessage,
  timeIn,
} from './read-message.ts';
import { isNewestFirst } from './plain-rows.ts';
import { NAMES, roleIn, strangerIn } from './spellings.ts';

/** Paths and spellings that only one source uses. Everything else is found by the usual spellings. */
export interface SourceFields extends MessageFields {
  /** Paths to the messages, such as `chat.messages` or `candidates.*.content`. Default: found by their form. */
  readonly messages?: readonly string[];
  /** Path to the object that has the id and the title. Default: the entry. */
  readonly conversation?: string;
  /** Path to the object that says the model. Default: the entry. */
  readonly settings?: string;
  /** Each message is a question with its answer that begins a tree of its own. */
  readonly isApart?: boolean;
  /** The messages are in a row: the parent of each is the question that it helps to answer. */
  readonly isRow?: boolean;
}

/** Objects next to the messages that say what the conversation is called. */
const ABOUT = ['head', 'info', 'chat_session', 'session'];

/** The messages of an item of the source, with its links. */
interface Group {
  readonly drafts: readonly {
    readonly id: string;
    readonly message: SaidMessage;
  }[];
  readonly isTurn: boolean;
  readonly parents: Parents;
  /** It begins a tree; see {@link Links}. */
  readonly isRoot: boolean;
  readonly asked: string | undefined;
  /** The message that the next one in a row follows; `undefined`: none of these. */
  readonly next: string | undefined;
}

/**
 * Reads a conversation in any of the usual spellings: messages with a role and a content, in a row or in a
 * tree by their parents.
 *
 * A conversation that has no id gets one from its content, so that the same messages are the same conversation,
 * and one that continues from it can be recognised.
 *
 * @throws BrokenEntry if there are no messages.
 */
export function readMessages(
  format: ImportFormat,
  entry: JsonObject,
  source: SourceFields = {},
): ImportedConversation {
  const list = inOrder(entry, listMessages(entry, source.messages), source.isApart === true);
  const { messages: listed, passed } = list;
  if (listed.length === 0) throw new BrokenEntry('it holds no messages');
  const strangers = roleOfStrangers(listed);
  const head = objectOf(valueAt(entry, source.conversation ?? ''));
  const about = spelled(head, entry, ...ABOUT.map((name) => objectOf(entry[name])));
  const warnings: string[] = [];
  const [first] = listed;
  const scene = readScene(entry, first?.isTurn ? first.raw : {});
  const chain = chainOf(
    listed.map(({ raw }) => raw),
    scene.tools?.parts.map((part) => (part.type === 'data' ? [part.kind, part.value] : null)),
  );
  const given = conversationId(about, listed);
  const settings = spelled(objectOf(valueAt(entry, source.settings ?? '')), entry);
  const model = modelIn(settings);
  const ids = listed.map(({ id }, index) => id ?? chain[index] ?? '');
  const links: Links = source.isRow ? { parents: [], isRoot: [] } : findParents(entry, list, ids);
  const groups = listed.map((each, index) => ({
    ...groupOf(each, ids[index] ?? '', links.parents[index] ?? [], { source, model, strangers }),
    isRoot: links.isRoot[index] ?? false,
  }));
  const messages = linked(scene.messages, groups, source.isApart === true);
  const named =
    first && firstText(first.fields, ['threadtitle', 'conversationname', 'conversation']);
  const title = firstText(about, NAMES.title) ?? named ?? '';
  if (strangers === 'system') warnOfStrangers(listed, warnings);
  return {
    format,
    id: given ?? chain.at(-1) ?? '',
    ...(given === undefined ? { earlier: earlierIds(chain, messages.slice(-chain.length)) } : {}),
    title,
    ...defined({
      created: firstTime(about, NAMES.created) ?? messages.find(({ time }) => time)?.time,
      updated: firstTime(about, NAMES.updated) ?? messages.findLast(({ time }) => time)?.time,
      head: firstId(about, NAMES.head),
    }),
    messages: linkMessages(nameTools(messages), warnings, passed),
    warnings,
  };
}

/** Returns the messages in the order in which they were said, where a source lists the newest first. */
function inOrder(entry: JsonObject, list: MessageList, isApart: boolean): MessageList {
  const { messages } = list;
  if (isApart || !isNewestFirst(messages.map(({ fields }) => timeIn(fields)))) return list;
  const ids = messages.map(({ id = '' }) => id);
  const isLinked = findParents(entry, list, ids).parents.some((parents) => parents.length > 0);
  return isLinked ? list : { ...list, messages: messages.toReversed() };
}

/** Returns the role of speakers whose names mean none: where only the user is known, they answer. */
function roleOfStrangers(listed: readonly ListedMessage[]): Role {
  const strange = listed.map(({ fields }) => strangerIn(fields) !== undefined);
  const known = listed.filter((_, at) => strange[at] === false);
  const roles = new Set(known.map(({ fields }) => roleIn(fields)));
  const isTurns = listed.some(({ isTurn }) => isTurn);
  if (listed.length > 0 && known.length === 0 && !isTurns) {
    throw new BrokenEntry(`none of its speakers is known (${strangersIn(listed)})`);
  }
  const isAnswer = listed.some((_, at) => {
    const before = listed[at - 1];
    return strange[at] === true && before !== undefined && roleIn(before.fields) === 'user';
  });
  return isAnswer && !roles.has('assistant') ? 'assistant' : 'system';
}

function strangersIn(listed: readonly ListedMessage[]): string {
  const names = new Set(listed.map(({ fields }) => strangerIn(fields)));
  return [...names].slice(0, 3).join(', ');
}

function valueAt(entry: JsonObject, path: string): JsonValue | undefined {
  if (path === '') return entry;
  let value: JsonValue | undefined = entry;
  for (const step of path.split('.')) value = objectOf(value)[step];
  return value;
}

/** Returns the ids of the conversation when it was shorter, the latest first: each had a question and an answer. */
function earlierIds(
  chain: readonly string[],
  messages: readonly Pick<ImportedMessage, 'role'>[],
): readonly string[] {
  if (messages.length !== chain.length) return [];
  const asked = messages.findIndex(({ role }) => role === 'user');
  const answered = messages.findIndex(({ role }, index) => index > asked && role === 'assistant');
  if (asked < 0 || answered < 0) return [];
  return chain.slice(answered, -1).toReversed();
}

interface Scene {
  readonly tools?: ImportedMessage;
  readonly messages: readonly ImportedMessage[];
}

/**
 * Reads the instructions and the tools that a source stores next to the messages.
 *
 * @param turn - The first question with its answer, which may have the instructions in it.
 */
function readScene(entry: JsonObject, turn: JsonObject): Scene {
  const own = spelled(entry, objectOf(entry['options']));
  const fields = new Map([...spelled(turn), ...own]);
  const told = NAMES.scene.flatMap((name): ImportedMessage[] => {
    const parts = readContent(fields.get(name)).filter(
      (part) => part.type === 'text' && part.text.trim() !== '',
    );
    return parts.length > 0 ? [{ id: name, role: 'system', parts }] : [];
  });
  const parts = NAMES.tools.flatMap((kind): MessagePart[] => {
    const value = own.get(kind);
    return Array.isArray(value) ? [{ type: 'data', kind, value }] : [];
  });
  const tools: ImportedMessage | undefined =
    parts.length > 0 ? { id: 'tools', role: 'system', parts } : undefined;
  return { ...defined({ tools }), messages: [...(tools ? [tools] : []), ...told] };
}

/** Returns the messages of one item: it alone, alternatives side by side, or a question with its answer. */
function groupOf(
  listed: ListedMessage,
  id: string,
  parents: Parents,
  context: MessageContext,
): Omit<Group, 'isRoot'> {
  const { fields, raw } = listed;
  const links = { parents, asked: firstId(fields, NAMES.asked), isTurn: listed.isTurn };
  if (listed.isTurn) {
    const said = readTurn(listed, context);
    const drafts = said.map((message, at) => ({
      id: at === 0 ? id : at === 1 ? `${id}/answer` : `${id}/answer/${at}`,
      message,
    }));
    return { ...links, drafts, next: drafts[1]?.id ?? id };
  }
  const said = { ...readMessage(listed, context), raw };
  // The conversation has abandoned the folded ones of the answers to a question.
  const next = fields.get('foldselected') === false ? undefined : id;
  const others = versionsOf(fields, said.parts);
  if (!Array.isArray(others)) return { ...links, drafts: [{ id, message: said }], next };
  const wanted = firstOf(fields, NAMES.selected);
  const named = others.findIndex((other) => {
    return idOf(wanted) === firstId(spelled(objectOf(other)), [...NAMES.id, 'candidateid']);
  });
  const isAt = typeof wanted === 'number' && wanted in others;
  const selected = isAt ? wanted : wanted !== undefined && named >= 0 ? named : others.length - 1;
  const drafts = others.map((other, at) => {
    const isSelected = at === selected;
    const inner = objectOf(other);
    const own = isJsonObject(other)
      ? readMessage({ ...listed, raw: inner, fields: versionFields(inner, raw) }, context)
      : { ...said, parts: swiped(said.parts, other, isSelected) };
    const { raw: _, ...message } = own;
    // The selected one answers for all that they share.
    return {
      id: isSelected ? id : `${id}/${at + 1}`,
      message: isSelected ? { ...message, raw } : message,
    };
  });
  return { ...links, drafts, next };
}

/** Returns the versions of a message, and its own text after them where they are only the others. */
function versionsOf(fields: Spelled, parts: readonly MessagePart[]): JsonValue | undefined {
  const said = textOfParts(parts);
  const name = NAMES.alternatives.find((each) => isVersions(each, fields, parts));
  const others = name === undefined ? undefined : fields.get(name);
  const own = firstText(fields, ['content', 'text', 'message']);
  const isSelected = firstOf(fields, NAMES.selected) !== undefined;
  if (!Array.isArray(others) || own === undefined || isSelected) return others;
  const texts = others.map((other: JsonValue) => textOfVersion(other));
  const isOthers = name === 'regenerations' || others.every((other) => isJsonObject(other));
  const isWhole = texts.includes('') || texts.includes(own.trim()) || texts.includes(said);
  return isWhole || !isOthers ? others : [...others, own];
}

/** Checks whether a field has versions of a message: variants are also those of what a page shows, such as its styles. */
function isVersions(name: string, fields: Spelled, parts: readonly MessagePart[]): boolean {
  const value = fields.get(name);
  if (name !== 'variants' && name !== 'regenerations') return value !== undefined;
  if (!Array.isArray(value)) return false;
  const texts = value.map((each: JsonValue) => textOfVersion(each));
  const isOfObjects = value.every((each: JsonValue) => isJsonObject(each) && !('value' in each));
  const isLike =
    isOfObjects ||
    name === 'regenerations' ||
    parts.length === 0 ||
    texts.includes(textOfParts(parts));
  return isLike && !texts.includes('');
}

function textOfVersion(version: JsonValue): string {
  const fields = isJsonObject(version) ? unwrapped(version, spelled(version)) : undefined;
  return textOfParts(readContent(fields ? firstOf(fields, NAMES.content) : version));
}

/** Returns the fields of a version of a message, and what the message says of all of them. */
function versionFields(version: JsonObject, message: JsonObject): Spelled {
  const own = unwrapped(version, spelled(version));
  return new Map([...spelled(withoutContent(message)), ...own]);
}

function withoutContent(raw: JsonObject): JsonObject {
  const own: ReadonlySet<string> = new Set([...NAMES.content, ...NAMES.files]);
  return Object.fromEntries(Object.entries(raw).filter(([key]) => !own.has(squash(key))));
}

/** Returns the parts of a message with another text. */
function swiped(
  parts: readonly MessagePart[],
  other: JsonValue,
  isSelected: boolean,
): readonly MessagePart[] {
  if (isSelected && parts.some(({ type }) => type === 'text')) return parts;
  return readContent(other);
}

function isQuestion({ drafts: [first], isTurn }: Group): boolean {
  return isTurn || first?.message.role === 'user';
}

function isAnswerGroup({ drafts: [first], isTurn }: Group): boolean {
  return !isTurn && first?.message.role === 'assistant';
}

function namesParent({ drafts: [first], parents: [named] }: Group): boolean {
  return named !== undefined && named !== first?.id;
}

/**
 * Gives each message its parent: as named, or the one before it. A question may begin a tree. Where no question names
 * one, and not all that answers is linked, what answers name is their question, and the next question follows them.
 */
function linked(
  scene: readonly ImportedMessage[],
  groups: readonly Group[],
  isApart: boolean,
): ImportedMessage[] {
  const ids = new Set(groups.flatMap(({ drafts }) => drafts.map(({ id }) => id)));
  const isTree =
    groups.some((group) => isQuestion(group) && namesParent(group)) ||
    (groups.some((group) => isQuestion(group) && group.isRoot) &&
      groups.every((group) => namesParent(group) || !isAnswerGroup(group)));
  // Messages that name a question with its answer follow the answer.
  const ends = new Map(
    groups.flatMap(({ drafts, isTurn, next }) => {
      const id = drafts[0]?.id;
      return isTurn && id !== undefined && next !== undefined ? [[id, next] as const] : [];
    }),
  );
  const messages = scene.map((message, at): ImportedMessage => {
    return { ...message, ...defined({ parent: scene[at - 1]?.id }) };
  });
  const top = messages.at(-1)?.id;
  let last = top;
  for (const group of groups) {
    const { drafts, parents, asked, next, isTurn } = group;
    const [named, ...merged] = parents.map((parent) => ends.get(parent) ?? parent);
    const question = asked ?? named;
    const isReply = question !== undefined && ids.has(question) && question !== drafts[0]?.id;
    const inRow = isApart ? top : isReply ? question : last;
    const parent = isTree ? (named ?? (isQuestion(group) ? top : last)) : inRow;
    for (const [at, { id, message }] of drafts.entries()) {
      const above = isTurn && at > 0 ? drafts[0]?.id : parent;
      const alsoAfter = merged.length > 0 && above === named ? { alsoAfter: merged } : {};
      messages.push({ id, ...defined({ parent: above }), ...alsoAfter, ...message });
    }
    last = next ?? last;
  }
  return messages;
}

/** Results name the call, and the call the tool. */
export function nameTools(messages: readonly ImportedMessage[]): ImportedMessage[] {
  const tools = new Map<string, string>();
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'tool-call') tools.set(part.id, part.tool);
      if (part.type !== 'tool-result' || part.tool !== '') return part;
      return { ...part, tool: tools.get(part.id) ?? '' };
    }),
  }));
}

/** Reports roles that are not known: what they say sets the scene. */
function warnOfStrangers(listed: readonly ListedMessage[], warnings: string[]): void {
  const strangers = new Map<string, number>();
  for (const { fields } of listed) {
    const word = strangerIn(fields);
    if (word !== undefined) strangers.set(word, (strangers.get(word) ?? 0) + 1);
  }
  for (const [word, count] of strangers) {
    warnings.push(`${count} messages are of the unknown role '${word}': they set the scene`);
  }
}
