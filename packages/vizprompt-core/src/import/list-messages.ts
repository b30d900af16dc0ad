import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, objectOf, textAt } from '@vizprompt/providers/internal';
import { isPieceType, readContent, textOfParts } from './content.ts';
import { firstId, firstOf, isBlank, parseNested, spelled, type Spelled, squash } from './fields.ts';
import { knownRole, NAMES, roleIn, SEVERAL, statedRole } from './spellings.ts';

/** A message in the form of its source. */
export interface ListedMessage {
  /** The whole of it. */
  readonly raw: JsonObject;
  /** The object that has its links: it, or what wraps it. */
  readonly outer: JsonObject;
  /** Its fields, and those of what wraps it. */
  readonly fields: Spelled;
  readonly id: string | undefined;
  /** The message that holds it among its children. */
  readonly above: string | undefined;
  /** It is a question with its answer. */
  readonly isTurn: boolean;
}

/** Objects that wrap a message, or the one that has its facts. */
const WRAPPED = ['message', 'response', 'info', 'data', 'kwargs', 'node', 'payload'];

/** The greatest depth of a list of messages in an entry. */
const MAX_DEPTH = 6;

/** The items that are looked at to find out what a list holds. */
const SAMPLE = 50;

/**
 * Lists the messages of an entry in their order, those in `children` after the one that holds them.
 *
 * @param paths - The paths of their lists. Default: the list in the entry that holds the most.
 */
export function listMessages(entry: JsonObject, paths?: readonly string[]): MessageList {
  const lists = paths
    ? paths.flatMap((path) => valuesAt(entry, path.split('.')))
    : [findList(entry)];
  const found: FoundList = { messages: [], passed: new Map() };
  for (const list of lists) flatten(list, found);
  return found;
}

/** The messages of an entry. */
export interface MessageList {
  readonly messages: readonly ListedMessage[];
  /** The parents of objects that are not messages, by id: their children belong to the message above. */
  readonly passed: ReadonlyMap<string, string | undefined>;
}

interface FoundList extends MessageList {
  readonly messages: ListedMessage[];
  readonly passed: Map<string, string | undefined>;
}

function valuesAt(value: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonValue[] {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  if (step === '*') return membersOf(value).flatMap(([, each]) => valuesAt(each, rest));
  return valuesAt(objectOf(value)[step], rest);
}

/** Returns the members of a list or a map, with their keys in a map. */
function membersOf(value: JsonValue | undefined): (readonly [string | undefined, JsonValue])[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- isArray forgets what the items are
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => [undefined, each]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function flatten(list: JsonValue | undefined, { messages, passed }: FoundList): void {
  type Open = {
    readonly key: string | undefined;
    readonly value: JsonValue;
    readonly above: string | undefined;
  };
  const isSingle = isJsonObject(list) && isMessage(list);
  const members = isSingle ? [[undefined, list] as const] : membersOf(list);
  const open: Open[] = members
    .map(([key, value]) => ({ key, value, above: undefined }))
    .toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { key, value, above } = next;
    if (!isJsonObject(value)) continue;
    const message = listed(value, key, above, messages.length);
    if (!message) {
      const own = spelled(value);
      const id = key ?? firstId(own, NAMES.id);
      if (id !== undefined) passed.set(id, firstId(own, NAMES.parent));
      continue;
    }
    messages.push(message);
    const children = firstOf(message.fields, NAMES.children);
    const held = Array.isArray(children) ? children.filter(isJsonObject) : [];
    for (const child of held.toReversed())
      open.push({ key: undefined, value: child, above: message.id });
  }
}

function listed(
  outer: JsonObject,
  key: string | undefined,
  above: string | undefined,
  count: number,
): ListedMessage | undefined {
  const own = spelled(outer);
  const isTurn = statedRole(own) === undefined && isTurnOf(own);
  const fields = isTurn ? own : unwrapped(outer, own);
  const isSaid = statedRole(fields) !== undefined || hasContent(fields) || hasVersions(fields);
  if (!isTurn && !isSaid && (!fields.has('type') || isHead(fields))) return undefined;
  const holds = Array.isArray(firstOf(fields, NAMES.children)) || above !== undefined;
  // The id of a row of MongoDB, where the program has none of its own.
  const row = textAt(objectOf(own.get('id')), '$oid');
  const id = key ?? firstId(own, NAMES.id) ?? firstId(fields, NAMES.id) ?? row;
  return {
    raw: outer,
    outer,
    fields,
    id: id === undefined ? (holds ? `message/${count}` : undefined) : versionOf(id, fields),
    above,
    isTurn,
  };
}

/** Checks whether a line is about the conversation that it begins. */
export function isHead(fields: Spelled): boolean {
  const type = fields.get('type');
  return typeof type === 'string' && HEADS.has(squash(type));
}

const HEADS: ReadonlySet<string> = new Set(
  'conversation session sessionstart sessionmeta sessioninfo thread header meta metadata summary title'.split(
    ' ',
  ),
);

/** Names the later versions of a message of Le Chat, which share its id. */
function versionOf(id: string, fields: Spelled): string {
  const version = fields.has('chatid') ? fields.get('version') : undefined;
  return typeof version === 'number' && version > 0 ? `${id}/${version + 1}` : id;
}

/** Returns the fields of a message, where it is wrapped in another object. */
export function unwrapped(outer: JsonObject, own: Spelled): Spelled {
  const tagged = taggedByRole(outer);
  if (tagged) return tagged;
  const inner = WRAPPED.map((name) => own.get(name)).filter(isJsonObject);
  if (inner.length === 0 && statedRole(own) === undefined) return packedIn(outer) ?? own;
  const isWrapped =
    inner.length > 0 && (statedRole(own) === undefined || !hasContent(withoutWrapped(own)));
  return isWrapped ? spelled(...inner, withoutKeys(outer)) : own;
}

/** Columns of tables with a message as JSON. */
const PACKED: ReadonlySet<string> = new Set(['messagedata', 'message', 'data', 'item', 'payload']);

/** Returns the fields of the message that a row of a table holds as JSON in one string, where it says nothing else. */
function packedIn(outer: JsonObject): Spelled | undefined {
  let packed: Spelled | undefined;
  for (const [key, text] of Object.entries(outer)) {
    if (typeof text !== 'string' || !PACKED.has(squash(key)) || !/^\s*\{/.test(text)) continue;
    const value = parseNested(text);
    if (!isJsonObject(value)) continue;
    const fields = unwrapped(value, spelled(value));
    if (statedRole(fields) === undefined) continue;
    const { [key]: _, ...about } = outer;
    if (packed || NAMES.content.some((name) => !isBlank(spelled(about).get(name))))
      return undefined;
    packed = spelled(Object.fromEntries(fields), about);
  }
  return packed;
}

/** Reads `{ User: { … } }`, as programs in Rust write a message of a user. */
function taggedByRole(outer: JsonObject): Spelled | undefined {
  const [only, ...others] = Object.entries(outer);
  if (!only || others.length > 0) return undefined;
  const [role, inner] = only;
  if (!isJsonObject(inner) || !knownRole(role) || WRAPPED.includes(role)) return undefined;
  return isHolder(role, inner) ? undefined : spelled({ role }, inner);
}

/** Checks whether an object is called after what it is in a tree, or who it is about, and not after who speaks. */
function isHolder(name: string, value: JsonObject): boolean {
  if (squash(name) === 'char') return true;
  const fields = spelled(value);
  const isRoot = statedRole(fields) !== undefined || fields.has('children');
  return squash(name) === 'root' && isRoot;
}

function withoutWrapped(own: Spelled): Spelled {
  return new Map(
    [...own].filter(([name, value]) => !WRAPPED.includes(name) || !isJsonObject(value)),
  );
}

function withoutKeys(outer: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(outer).filter(([key, value]) => !WRAPPED.includes(key) || !isJsonObject(value)),
  );
}

function hasContent(fields: Spelled): boolean {
  const names = [...NAMES.content, ...NAMES.reasoning, ...NAMES.calls, ...NAMES.files];
  return names.some((name) => !isBlank(fields.get(name)));
}

/** Checks whether a message is a list of its versions. */
function hasVersions(fields: Spelled): boolean {
  const versions = firstOf(fields, NAMES.alternatives);
  return Array.isArray(versions) && versions.some((each: JsonValue) => isMessage(each));
}

/** The fields of a question and its answer that are named after those who speak. */
const SPEAKERS = [
  ['user', 'assistant'],
  ['human', 'assistant'],
  ['user', 'bot'],
  ['human', 'bot'],
  ['user', 'ai'],
  ['human', 'ai'],
  ['human', 'gpt'],
  ['humanmessage', 'assistantmessage'],
] as const;

/** Returns the fields of a question and of its answer. */
export function turnFields(fields: Spelled): readonly [string | undefined, string | undefined] {
  // The activity of Google has what was asked in its title.
  if (isActivity(fields)) return ['title', 'safehtmlitem'];
  const spoken = SPEAKERS.find((names) => names.every((name) => fields.has(name)));
  if (spoken) return spoken;
  // As names of anything else, they hold no texts.
  if (['q', 'a'].every((name) => typeof fields.get(name) === 'string')) return ['q', 'a'];
  const asked = NAMES.prompt.find(
    (name) =>
      fields.has(name) && (name !== 'message' || fields.has('response') || isRequest(fields)),
  );
  const answered = NAMES.answer.find(
    (name) => fields.has(name) && (!SEVERAL.includes(name) || hasWords(fields.get(name))),
  );
  return [asked, answered];
}

/** Checks whether a value may hold texts: no number, which is how many there are, nor a list of them. */
function hasWords(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.some((each: JsonValue) => hasWords(each));
  return typeof value === 'string' ? value.trim() !== '' : isJsonObject(value);
}

function isActivity(fields: Spelled): boolean {
  // The activity of other products has the same form.
  const products = JSON.stringify(fields.get('products') ?? '');
  const isOfModel = /gemini|bard|assistant/i.test(products);
  return typeof fields.get('title') === 'string' && fields.has('header') && isOfModel;
}

function isTurnOf(fields: Spelled): boolean {
  if (isRequest(fields)) return true;
  return turnFields(fields).every((name) => name !== undefined) && !isWhole(fields);
}

/**
 * Checks whether an object is a log of an evaluation: next to its question and the response of an API, which is no text, it
 * has all messages from that question to the answer.
 */
function isWhole(fields: Spelled): boolean {
  const messages = fields.get('messages');
  const [asked, answered] = turnFields(fields).map((name) => fields.get(name ?? ''));
  if (!Array.isArray(messages) || !Array.isArray(objectOf(answered)['choices'])) return false;
  const said = messages.map((each: JsonValue) => {
    const { role, content } = objectOf(each);
    return { role: knownRole(role), text: textOfParts(readContent(content)) };
  });
  const question = textOfParts(readContent(Array.isArray(asked) ? asked.at(-1) : asked));
  const at = said.findLastIndex(({ role, text }) => role === 'user' && text.includes(question));
  return at >= 0 && said.slice(at).some(({ role }) => role === 'assistant');
}

/** Checks whether fields are a request of VS Code, which may have no response yet. */
function isRequest(fields: Spelled): boolean {
  return fields.has('requestid') && isJsonObject(fields.get('message'));
}

/** Checks whether an object is a message, or holds one and its links. */
export function isMessage(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const own = spelled(value);
  if (statedRole(own) !== undefined) return hasContent(own) || own.has('role') || own.has('type');
  if (isTurnOf(own) || hasVersions(own)) return true;
  const inner = unwrapped(value, own);
  return statedRole(inner) !== undefined || (roleIn(inner) !== undefined && hasContent(inner));
}

/** Checks whether an object is a message that has a content, and not only a role or a type. */
export function saysSomething(value: JsonObject): boolean {
  if (!isMessage(value)) return false;
  const own = spelled(value);
  const isTurn = statedRole(own) === undefined && isTurnOf(own);
  const said = isTurn ? turnFields(own).map((name) => own.get(name ?? '')) : [];
  return (
    said.some((each) => !isBlank(each)) || hasVersions(own) || hasContent(unwrapped(value, own))
  );
}

/**
 * Returns the list or map in a value that holds the most messages, the outermost of several; where its messages say nothing
 * and name those of a map, the map in this order, as Cursor has both.
 */
export function findList(value: JsonValue): JsonValue | undefined {
  let first: FoundMessages | undefined;
  let best: FoundMessages | undefined;
  let silent: JsonValue | undefined;
  let level: JsonValue[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const isOutermost = first === undefined;
    const next: JsonValue[] = [];
    for (const each of level) {
      const members = membersOf(each);
      if (each !== value && holdsReplies(each)) return each;
      const { count, others } = countMessages(members);
      const isList = count > 0 && (count + others) * 2 >= Math.min(members.length, SAMPLE);
      if (isList && isOutermost && count > (first?.count ?? 0)) first = { list: each, count };
      if (isList && count > (best?.count ?? 0)) {
        const isSilent = !members.some(
          ([, member]) => isJsonObject(member) && saysSomething(member),
        );
        if (isSilent) {
          silent ??= each;
          // Members of messages that say nothing are their pieces.
          if (first?.list === each) continue;
        } else best = { list: each, count };
      }
      for (const [, member] of members.slice(0, SAMPLE)) {
        if (typeof member === 'object' && member !== null) next.push(member);
      }
    }
    // The pieces of messages may look like messages.
    if (best) break;
    level = next;
  }
  return (best && inOrderOf(silent, best.list)) ?? best?.list ?? first?.list;
}

/** A list or map of messages. */
interface FoundMessages {
  readonly list: JsonValue;
  readonly count: number;
}

/** Returns a map of messages in the order of a list that names them all, each with its key as its id. */
function inOrderOf(names: JsonValue | undefined, map: JsonValue): JsonValue | undefined {
  if (names === undefined || !isJsonObject(map)) return undefined;
  const ids = membersOf(names).map(([, each]) => firstId(spelled(objectOf(each)), NAMED));
  const places = new Map(ids.map((id, at) => [id, at]));
  const placed = Object.entries(map).flatMap(([id, value]) => {
    const place = places.get(id);
    const own = firstId(spelled(objectOf(value)), NAMES.id) ?? id;
    return place === undefined || own !== id ? [] : [{ place, value: { id, ...objectOf(value) } }];
  });
  if (placed.length < Object.keys(map).length) return undefined;
  return placed.toSorted((a, b) => a.place - b.place).map(({ value }) => value);
}

/** The fields by which a list names messages. */
const NAMED = [...NAMES.id, 'bubbleid'];

/** Checks whether a value is a message that holds those after it. */
function holdsReplies(value: JsonValue): boolean {
  if (!isMessage(value)) return false;
  const replies = firstOf(spelled(value), NAMES.children);
  return Array.isArray(replies) && replies.some((each: JsonValue) => isMessage(each));
}

/** Counts the members that are messages, and those that may appear among them: calls, results, thoughts. */
function countMessages(members: readonly (readonly [string | undefined, JsonValue])[]): {
  readonly count: number;
  readonly others: number;
} {
  let count = 0;
  let others = 0;
  for (const [, member] of members.slice(0, SAMPLE)) {
    if (isMessage(member)) count++;
    else if (isPieceType(textAt(objectOf(member), 'type') ?? '')) others++;
  }
  return { count, others };
}
