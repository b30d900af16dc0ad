import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { firstId, firstOf, idOf, spelled, squash, type Spelled } from './fields.ts';
import type { ListedMessage, MessageList } from './list-messages.ts';
import { NAMES } from './spellings.ts';

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
