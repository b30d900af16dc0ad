import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { uuidFromName } from '../format/ids-and-times.ts';
import type { ImportedMessage } from './conversation.ts';
import { firstId, firstOf, idOf, spelled, type Spelled, squash } from './fields.ts';
import type { ListedMessage, MessageList } from './list-messages.ts';
import { NAMES } from './spellings.ts';

/**
 * Makes sure of the links between messages: every id occurs once, every parent is there.
 *
 * @param messages - In the order of the source.
 * @param warnings - Receives oddities.
 * @param passed - Entries of the source that are not messages, with their parents: a message that names one
 * as its parent hangs on the nearest message above it.
 */
export function linkMessages(
  messages: readonly ImportedMessage[],
  warnings: string[],
  passed: ReadonlyMap<string, string | undefined> = new Map(),
): ImportedMessage[] {
  const unique = withUniqueIds(messages, warnings);
  const parents = new Map(unique.map(({ id, parent }) => [id, parent]));
  const linked = unique.map((message) => {
    const parent = nearest(message.parent, parents, passed);
    if (parent === message.parent) return message;
    const { parent: named, ...rest } = message;
    if (parent !== undefined) return { ...rest, parent };
    if (named !== undefined && !passed.has(named)) warnings.push(missingParent(message.id));
    return rest;
  });
  const inCircles = countInCircles(linked);
  if (inCircles > 0) warnings.push(`${inCircles} messages go round in a circle`);
  return linked;
}

/** A message that comes twice counts once; where the two differ, both are kept. */
function withUniqueIds(
  messages: readonly ImportedMessage[],
  warnings: string[],
): readonly ImportedMessage[] {
  const known = new Map<string, ImportedMessage>();
  for (const message of messages) {
    const { id } = message;
    const first = known.get(id);
    if (!first) {
      known.set(id, message);
    } else if (JSON.stringify(first) === JSON.stringify(message)) {
      warnings.push(`message ${id} comes twice: it counts once`);
    } else {
      let other = 2;
      while (known.has(`${id}/${other}`)) other++;
      warnings.push(`two messages have the id ${id}: the later one is ${id}/${other}`);
      known.set(`${id}/${other}`, { ...message, id: `${id}/${other}` });
    }
  }
  return [...known.values()];
}

function nearest(
  start: string | undefined,
  messages: ReadonlyMap<string, unknown>,
  passed: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const seen = new Set<string>();
  for (let at = start; at !== undefined && !seen.has(at); at = passed.get(at)) {
    if (messages.has(at)) return at;
    seen.add(at);
  }
  return undefined;
}

/** Counts the messages that no path from a first message reaches. */
function countInCircles(messages: readonly ImportedMessage[]): number {
  const parents = new Map(messages.map(({ id, parent }) => [id, parent]));
  const isRooted = new Map<string, boolean>();
  let count = 0;
  for (const { id } of messages) {
    const way = new Set<string>();
    let at: string | undefined = id;
    while (at !== undefined && !way.has(at) && !isRooted.has(at)) {
      way.add(at);
      at = parents.get(at);
    }
    const rooted = at === undefined || (isRooted.get(at) ?? false);
    for (const other of way) isRooted.set(other, rooted);
    if (!isRooted.get(id)) count++;
  }
  return count;
}

/** Messages by their ids, as an export that lists children has them. */
export interface ListedTree {
  readonly ids: readonly string[];
  parentOf(id: string): string | undefined;
  /** Returns the children as the message itself lists them; those that name another parent do not count. */
  childrenOf(id: string): readonly JsonValue[];
}

/**
 * Returns the messages as the tree has them: roots first, children in the order of their parent's list, and
 * after them those that the list forgot. Messages that only go round in circles come last.
 *
 * @param warnings - Takes what was odd.
 */
export function treeOrder({ ids, parentOf, childrenOf }: ListedTree, warnings: string[]): string[] {
  const children = new Map<string, Set<string>>();
  const roots: string[] = [];
  const known = new Set(ids);
  for (const id of ids) {
    const listed = childrenOf(id).filter((child): child is string => {
      return typeof child === 'string' && known.has(child) && parentOf(child) === id;
    });
    children.set(id, new Set(listed));
  }
  for (const id of ids) {
    const parent = parentOf(id);
    const siblings = parent === undefined ? undefined : children.get(parent);
    if (siblings) siblings.add(id);
    else roots.push(id);
    if (parent !== undefined && !siblings) warnings.push(missingParent(id));
  }
  const order = walk(roots, children);
  const reached = new Set(order);
  const circle = ids.filter((id) => !reached.has(id));
  if (circle.length > 0) warnings.push(`${circle.length} messages go round in a circle`);
  return [...order, ...circle];
}

/** Returns the warning for a message whose parent is not there. */
function missingParent(id: string): string {
  return `the parent of message ${id} is missing: it begins a tree of its own`;
}

function walk(roots: readonly string[], children: ReadonlyMap<string, Set<string>>): string[] {
  const order: string[] = [];
  const open = roots.toReversed();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.push(id);
    open.push(...[...(children.get(id) ?? [])].toReversed());
  }
  return order;
}

/**
 * Names for the messages of a list that has none: each by its content and that of all before it, so that
 * two lists that begin alike have the same names until they differ.
 *
 * @param scene - The content next to the messages that belongs to the conversation; `undefined`: nothing.
 */
export function chainOf(messages: readonly JsonObject[], scene: JsonValue | undefined): string[] {
  let name = scene === undefined ? '' : canonical(scene);
  return messages.map((message) => {
    name = uuidFromName(name, canonical(message));
    return name;
  });
}

/** JSON with the keys of all objects in one order. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, part: JsonValue) => {
    return isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  });
}

/** The messages that one answers: the first is its parent, the others were merged into it. */
export type Parents = readonly string[];

/** The links between messages. */
export interface Links {
  /** The parents of each message, in the order of the messages. */
  readonly parents: readonly Parents[];
  /**
   * True if a message without parents begins a tree: its own field says so, such as `parentId: null`, or the links are
   * not fields that it lacks.
   */
  readonly isRoot: readonly boolean[];
}

/** Other names of a link to the message before: they count where their value is the id of a message. */
const LINK = /^(?:parent|prev|ancestor|inresponseto|responseto|answerto|answers|follows|after$)/;

/** The names of lists of links, and of both ends of one. */
const LINKS = ['edges', 'links', 'connections'];
const STARTS = ['source', 'from', 'sourceid', 'fromid', 'fromnode', 'sourcenode', 'parent'];
const ENDS = ['target', 'to', 'targetid', 'toid', 'tonode', 'targetnode', 'child'];

/**
 * Finds the parents of messages, by a field of theirs in any spelling, by the lists of children that others
 * hold, or by a list of links next to the messages.
 *
 * @param ids - The ids of the messages, in their order.
 */
export function findParents(
  entry: JsonObject,
  { messages, passed }: MessageList,
  ids: readonly string[],
): Links {
  const known = new Set([...ids, ...passed.keys()]);
  const found = messages.map((message) => namedParents(message, ids, known));
  if (found.some(({ parents }) => parents.length > 0)) {
    const names = new Set(found.flatMap(({ parents, name }) => (parents.length > 0 ? [name] : [])));
    return {
      parents: found.map(({ parents }) => parents),
      isRoot: messages.map(
        (message, at) =>
          found[at]?.parents.length === 0 && (names.has(undefined) || saysRoot(message, names)),
      ),
    };
  }
  const above = new Map<string, string[]>();
  const add = (from: string | undefined, to: string | undefined): void => {
    if (from === undefined || to === undefined || from === to) return;
    if (!known.has(from) || !known.has(to)) return;
    above.set(to, [...(above.get(to) ?? []), from]);
  };
  for (const [at, { fields }] of messages.entries()) {
    const children = firstOf(fields, NAMES.children);
    if (!Array.isArray(children)) continue;
    for (const child of children) add(ids[at], idOf(child));
  }
  for (const link of linksIn(entry)) add(firstId(link, STARTS), firstId(link, ENDS));
  const parents = ids.map((id) => above.get(id) ?? []);
  return { parents, isRoot: parents.map((each) => above.size > 0 && each.length === 0) };
}

/** Parents with the name of the field that has them; none where the parent holds the message. */
interface NamedParents {
  readonly parents: Parents;
  readonly name?: string;
}

function namedParents(
  { outer, fields, above }: ListedMessage,
  ids: readonly string[],
  known: ReadonlySet<string>,
): NamedParents {
  if (above !== undefined) return { parents: [above] };
  for (const place of [spelled(outer), fields]) {
    for (const name of NAMES.parent) {
      const parents = idsIn(place.get(name)).filter((id) => known.has(id) || !isNoParent(id));
      if (parents.length === 0) continue;
      const version = place.get('parentversion');
      if (typeof version !== 'number' || version <= 0) return { parents, name };
      const versions = parents.map((id) => {
        const own = `${id}/${version + 1}`;
        return known.has(own) ? own : id;
      });
      return { parents: versions, name };
    }
  }
  for (const [name, value] of fields) {
    if (!LINK.test(name)) continue;
    if (name === 'parentindex' && typeof value === 'number')
      return { parents: ids.slice(value, value + 1), name };
    const parents = idsIn(value).filter((id) => known.has(id));
    // The last of all ancestors is the parent.
    if (parents.length > 0)
      return { parents: name.startsWith('ancestor') ? parents.slice(-1) : parents, name };
  }
  return { parents: [] };
}

/** Checks whether a message has one of the fields of a parent, and names none in it. */
function saysRoot({ outer }: ListedMessage, names: ReadonlySet<string | undefined>): boolean {
  return [outer, ...Object.values(outer).filter(isJsonObject)].some((place) =>
    Object.entries(place).some(([key, value]) => {
      return names.has(squash(key)) && idsIn(value).every((id) => isNoParent(id));
    }),
  );
}

/** Returns the ids in a value: it alone, within an object, or those of a list. */
function idsIn(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((each: JsonValue) => idsIn(each));
  const id = isJsonObject(value) ? firstId(spelled(value), [...NAMES.id, '$oid']) : idOf(value);
  return id === undefined ? [] : [id];
}

/** A parent of zeros, as some programs give to first messages. */
function isNoParent(parent: string): boolean {
  return /^[0-]*$|^-1$|^(?:client-created-root|none|null)$/.test(parent);
}

function linksIn(entry: JsonObject): Spelled[] {
  return Object.entries(entry).flatMap(([key, value]) => {
    if (!LINKS.includes(squash(key)) || typeof value !== 'object' || value === null) return [];
    return Object.values(value)
      .filter(isJsonObject)
      .map((link) => spelled(link));
  });
}
