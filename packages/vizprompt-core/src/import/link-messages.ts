import { type JsonObject, type JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { uuidFromName } from '../format/ids-and-times.ts';
import type { ImportedMessage } from './conversation.ts';

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
