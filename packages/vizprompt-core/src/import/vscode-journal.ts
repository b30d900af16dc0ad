import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt } from '@vizprompt/providers/internal';

/** The kinds of lines: all of the chat, a value, items for a list, a value to delete. */
const [WHOLE, SET, APPEND, DELETE] = [0, 1, 2, 3];

/**
 * Checks whether a line is one of the journal in which VS Code stores a chat since 2026: `kind` says what it does, `k`
 * is the path to the place, and `v` the value.
 */
export function isJournalLine(value: JsonObject): boolean {
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
