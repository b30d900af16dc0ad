import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, type Role } from '@vizprompt/providers/internal';
import { spelled, squash, type Spelled } from './fields.ts';
import { isMessage, saysSomething, unwrapped } from './list-messages.ts';
import { knownRole } from './spellings.ts';

/** Fields that name a speaker next to a text, and kinds elsewhere. */
const BESIDE = ['messagetype', 'sendertype', 'authortype', 'speakertype', 'usertype', 'obj'];

/** Fields that files, notes and calls have, too: they name a speaker only in a list that is named as messages are. */
const OWNERS = ['by', 'owner'];

/** The names of lists of messages. A history alone is one of edits, too, and threads are topics. */
const LISTS =
  /^(?:(?:messages?|msgs?|chats?|conversations?|dialog(?:ue)?s?|threads?)(?:history|log|list|items|records|messages|turns)?|turns|transcript|utterances)(?<!^threads)$/;

/** The way of a message, as platforms for bots see it. */
const WAYS: ReadonlyMap<string, Role> = new Map([
  ['incoming', 'user'],
  ['inbound', 'user'],
  ['outgoing', 'assistant'],
  ['outbound', 'assistant'],
]);

/** Assistants that are called by the name of their program there. */
const PROGRAMS: ReadonlySet<string> = new Set(['khoj']);

/**
 * Returns an entry whose messages have roles, where fields of other names say who speaks; `undefined` if it has none.
 * Only a list in which both a user and an assistant speak is one of messages.
 *
 * @param depth - The greatest depth of a list in it.
 */
export function withSpeakers(entry: JsonObject, depth: number): JsonObject | undefined {
  return withNamed(entry, depth, true) ?? withNamed(entry, depth, false);
}

/**
 * Returns an entry whose messages have roles; `undefined` if it has none.
 *
 * @param isList - Look only at lists that are named as messages are; else at the others.
 */
function withNamed(entry: JsonObject, depth: number, isList: boolean): JsonObject | undefined {
  const named = Object.entries(entry).map(
    ([key, value]) => [key, namedIn(key, value, depth, isList)] as const,
  );
  const isNamed = named.some(([key, value]) => value !== entry[key]);
  return isNamed ? Object.fromEntries(named) : undefined;
}

/** Returns a value with the roles of the messages in it; the same if there are none. */
function namedIn(name: string, value: JsonValue, depth: number, isList: boolean): JsonValue {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (!Array.isArray(value))
    return isJsonObject(value) ? (withNamed(value, depth - 1, isList) ?? value) : value;
  const list: readonly JsonValue[] = value;
  const roles = LISTS.test(squash(name)) === isList ? rolesOf(list, isList) : undefined;
  const read = roles ?? list.map((each) => namedIn(name, each, depth - 1, isList));
  return read.some((each, at) => each !== list[at]) ? [...read] : value;
}

/** Returns messages with their roles; `undefined` if a list holds none. */
function rolesOf(list: readonly JsonValue[], isList: boolean): readonly JsonValue[] | undefined {
  const roles = list.map((each) => (isJsonObject(each) ? roleOfUnnamed(each, isList) : undefined));
  const isTalk = roles.includes('user') && roles.includes('assistant');
  const count = roles.filter((role) => role !== undefined).length;
  if (!isTalk || count * 2 < list.length) return undefined;
  return list.map((each, at) => {
    const role = roles[at];
    return role !== undefined && isJsonObject(each) ? { ...each, role } : each;
  });
}

function roleOfUnnamed(value: JsonObject, isList: boolean): Role | undefined {
  const role = roleBeside(unwrapped(value, spelled(value)), isList);
  if (role === undefined) return undefined;
  const named = { ...value, role };
  return !isMessage(value) && saysSomething(named) ? role : undefined;
}

/** Returns who speaks, by fields that mean other things elsewhere. */
function roleBeside(fields: Spelled, isList: boolean): Role | undefined {
  for (const name of isList ? [...BESIDE, ...OWNERS] : BESIDE) {
    const word = fields.get(name);
    const isProgram = typeof word === 'string' && PROGRAMS.has(squash(word));
    const role = isProgram ? 'assistant' : knownRole(word);
    if (role) return role;
  }
  const way = fields.get('direction');
  if (isList && typeof way === 'string' && WAYS.has(way)) return WAYS.get(way);
  // A step of a trajectory (ATIF).
  const isStep = fields.has('stepid') && fields.has('message');
  return isStep ? knownRole(fields.get('source')) : undefined;
}
