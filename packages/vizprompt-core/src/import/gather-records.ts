import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt } from '@vizprompt/providers/internal';
import { detectAgent } from '@vizprompt/providers/transcripts';
import type { ImportLimits } from '../limits.ts';
import { isExchange } from './alternatives.ts';
import type { FileFinder } from './find-files.ts';
import { isMessage } from './list-messages.ts';
import { beginsSession, isConversation } from './sources.ts';
import { holdsSpans } from './spans.ts';

/**
 * Checks whether an entry is a piece of a conversation and no conversation: a message, a line of a session, or
 * spans.
 */
function isRecord(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  if (isJournalLine(value) || holdsSpans(value)) return true;
  if (isConversation(value) || isExchange(value)) return false;
  const isLine = typeof value['type'] === 'string' || detectAgent(value) !== undefined;
  return isLine || isMessage(value) || isHead(value);
}

/** The line before the messages of a chat of SillyTavern or llama.cpp. */
function isHead(value: JsonObject): boolean {
  return (
    'chat_metadata' in value ||
    'currNode' in value ||
    ('user_name' in value && 'character_name' in value)
  );
}

/** An entry of a source, parsed or with the reason why not. */
export interface SourceEntry {
  /** The place of the entry, for reports: `conversations.json, entry 3`. */
  readonly name: string;
  readonly value?: unknown;
  readonly error?: string;
  /** The length of its text, where it was read from one. */
  readonly characters?: number;
  /** Problems in the source of the entry. */
  readonly warnings?: readonly string[];
  /** `true`: the rest of a document, without its conversations. */
  readonly isRest?: boolean;
  /** `true`: from a file next to those of the conversations; only conversations in it are imported. */
  readonly isSide?: boolean;
  /** Finds the files that it names, in the folder or the archive. */
  readonly find?: FileFinder | undefined;
  /** Reads a file next to the entry, by the path that a node uses for it. */
  readonly open?: (path: string) => Promise<Uint8Array | undefined>;
}

/** Warnings of one session that are listed. */
const MAX_WARNINGS = 1000;

/**
 * Makes one entry, `{ records: [...] }`, of the messages or lines of sessions among the entries of a
 * file. A line of a session that is not JSON, such as one that was being written, is a warning.
 *
 * @param name - The name of the file.
 */
export async function* gatherRecords(
  name: string,
  entries: AsyncIterable<SourceEntry> | Iterable<SourceEntry>,
  { entryCharacters: max }: ImportLimits,
): AsyncGenerator<SourceEntry> {
  let records: JsonObject[] = [];
  let warnings: string[] = [];
  let characters = 0;
  const take = (about: JsonObject = {}): SourceEntry => {
    const isTooLarge = characters > max;
    const error = `its records have more than ${max} characters: split it, or raise limits.entryCharacters`;
    const taken = isTooLarge
      ? { name, error }
      : { name, value: replayJournal(records) ?? { ...about, records }, warnings };
    [records, warnings, characters] = [[], [], 0];
    return taken;
  };
  const warn = (warning: string): void => {
    if (warnings.length < MAX_WARNINGS) warnings.push(warning);
  };
  for await (const entry of entries) {
    const { value, error } = entry;
    if (entry.isRest && records.length > 0 && isJsonObject(value)) {
      // The fields next to messages are about their conversation.
      const { conversations: _, ...about } = value;
      yield take(about);
    } else if (error !== undefined && records.length > 0) {
      warn(`${entry.name}: ${error}`);
    } else if (Array.isArray(value)) {
      yield { ...entry, value: { records: value } };
    } else if (isRecord(value)) {
      if (beginsSession(value) && (records.length > 0 || characters > 0)) yield take();
      characters += entry.characters ?? 0;
      if (characters > max) records = [];
      else records.push(value);
      for (const warning of entry.warnings ?? []) warn(warning);
    } else {
      yield entry;
    }
  }
  if (records.length > 0 || characters > 0) yield take();
}

/** The kinds of lines: all of the chat, a value, items for a list, a value to delete. */
const [WHOLE, SET, APPEND, DELETE] = [0, 1, 2, 3];

/**
 * Checks whether a line is one of the journal in which VS Code stores a chat since 2026: `kind` says what it does, `k`
 * is the path to the place, and `v` the value.
 */
function isJournalLine(value: JsonObject): boolean {
  const { kind, k: path, v } = value;
  if (kind === WHOLE) return isJsonObject(v) && Array.isArray(v['requests']) && path === undefined;
  return (kind === SET || kind === APPEND || kind === DELETE) && Array.isArray(path);
}

/**
 * Returns the chat that a journal ends with; `undefined` if the lines are no journal. Values that a later line replaced are
 * not in it, and those without a place are in `unplaced`.
 *
 * Source: files of VS Code 1.109 and newer, as described by several programs that read them.
 */
export function replayJournal(lines: readonly JsonObject[]): JsonObject | undefined {
  if (lines[0]?.['kind'] !== WHOLE || !lines.every(isJournalLine)) return undefined;
  const root: Branch = new Map();
  const unplaced: JsonValue[] = [];
  for (const line of lines) {
    const path = line['kind'] === WHOLE ? [] : listAt(line, 'k');
    const place = placeOf(root, path);
    if (place) change(place, line);
    else if (line['v'] !== undefined) unplaced.push(line['v']);
  }
  const chat = valueOf(root.get(CHAT) ?? null);
  if (!isJsonObject(chat)) return undefined;
  return unplaced.length > 0 ? { ...chat, unplaced } : chat;
}

/** A chat that lines change in place: copies of it for each line would take the square of their number. */
type Tree = string | number | boolean | null | Tree[] | Branch;
type Branch = Map<string, Tree>;

/** The key of the chat in a root, so that a line can replace all of it. */
const CHAT = 'chat';

/** Where a value is, or where there is room for one. */
interface Place {
  readonly old: Tree | undefined;
  readonly set: (next: Tree) => void;
  readonly remove: () => void;
}

/** Returns the place at the end of a path; `undefined` for a path to nowhere. */
function placeOf(root: Branch, path: readonly JsonValue[]): Place | undefined {
  let place: Place | undefined = placeIn(root, CHAT);
  for (const step of path) place = placeIn(place?.old, step);
  return place;
}

function placeIn(holder: Tree | undefined, step: JsonValue): Place | undefined {
  if (Array.isArray(holder) && typeof step === 'number') {
    if (!Number.isInteger(step) || step < 0 || step > holder.length) return undefined;
    const set = (next: Tree): void => void holder.splice(step, 1, next);
    return { old: holder[step], set, remove: () => set(null) };
  }
  if (!(holder instanceof Map) || typeof step !== 'string') return undefined;
  return {
    old: holder.get(step),
    set: (next) => void holder.set(step, next),
    remove: () => void holder.delete(step),
  };
}

function change({ old, set, remove }: Place, line: JsonObject): void {
  const { kind, v: value, i: from } = line;
  if (kind === DELETE) remove();
  else if (kind === APPEND && Array.isArray(old)) {
    if (typeof from === 'number' && from >= 0) old.splice(from);
    for (const item of listAt(line, 'v')) old.push(treeOf(item));
  } else if (value !== undefined && value !== null) set(treeOf(value));
}

function treeOf(value: JsonValue): Tree {
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonObject(value)) {
    return new Map(Object.entries(value).map(([key, each]) => [key, treeOf(each)]));
  }
  return value.map((each) => treeOf(each));
}

function valueOf(tree: Tree): JsonValue {
  if (tree instanceof Map) {
    return Object.fromEntries(Array.from(tree, ([key, each]) => [key, valueOf(each)]));
  }
  return Array.isArray(tree) ? tree.map((each) => valueOf(each)) : tree;
}
