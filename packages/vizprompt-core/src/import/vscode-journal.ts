import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { listAt } from './fields.ts';

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
  let chat: JsonValue | undefined;
  const unplaced: JsonValue[] = [];
  for (const line of lines) {
    const value = line['v'];
    const path = line['kind'] === WHOLE ? [] : listAt(line, 'k');
    let isPlaced: boolean = false;
    chat = changed(chat, path, (old) => {
      isPlaced = true;
      if (line['kind'] === DELETE) return undefined;
      if (line['kind'] !== APPEND || !Array.isArray(old)) return value ?? old;
      const from = line['i'];
      const kept = typeof from === 'number' && from >= 0 ? old.slice(0, from) : old;
      return [...kept, ...listAt(line, 'v')];
    });
    if (!isPlaced && value !== undefined) unplaced.push(value);
  }
  if (!isJsonObject(chat)) return undefined;
  return unplaced.length > 0 ? { ...chat, unplaced } : chat;
}

/** Returns a value with another one at a path; `change` is not called for a path to nowhere. */
function changed(
  value: JsonValue | undefined,
  [step, ...rest]: readonly JsonValue[],
  change: (old: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return change(value);
  if (Array.isArray(value) && typeof step === 'number' && step <= value.length) {
    return value.toSpliced(step, 1, changed(value[step], rest, change) ?? null);
  }
  if (!isJsonObject(value) || typeof step !== 'string') return value;
  const fields = new Map(Object.entries(value));
  const next = changed(fields.get(step), rest, change);
  if (next === undefined) fields.delete(step);
  else fields.set(step, next);
  return Object.fromEntries(fields);
}
