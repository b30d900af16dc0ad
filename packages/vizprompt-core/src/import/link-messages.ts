import type { ImportedMessage } from './conversation.ts';
import { missingParent } from './tree-order.ts';

/**
 * Makes sure of the links between messages: every id stands once, every parent is there.
 *
 * @param messages - In the order of the source.
 * @param warnings - Takes what was odd.
 * @param passed - Entries of the source that are no messages, with their parents: whoever names one
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

/** How many messages no way from a first message leads to. */
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
