import type { JsonValue } from '@vizprompt/providers';
import { jsonOf } from '@vizprompt/providers/internal';
import { findList } from './list-messages.ts';

/** Escapes, the quotes of strings, and numbers of Python: a string of millions of escapes is too much for one match. */
const TOKENS = /(?:\\[^][^"\\]*){1,1000}|"|-?\b(?:NaN|Infinity)\b/g;

/** Parses JSON; `NaN` and the like, as Python writes them, are null. */
export function parseLoosely(text: string): JsonValue {
  try {
    return jsonOf(JSON.parse(text));
  } catch (error) {
    if (!/\b(?:NaN|Infinity)\b/.test(text)) throw error;
    let isInString = false;
    const plain = text.replaceAll(TOKENS, (token) => {
      if (token === '"') isInString = !isInString;
      return isInString || /^["\\]/.test(token) ? token : 'null';
    });
    return jsonOf(JSON.parse(plain));
  }
}

/**
 * Parses what there is of a JSON text that was cut off, without the message that was cut: reading the whole text
 * later adds it. Returns `undefined` where the text has another fault.
 */
export function parseCut(
  text: string,
): { readonly value: JsonValue; readonly left: number } | undefined {
  const { end, open } = lastClosed(text);
  if (open.length === 0) return undefined;
  const closing = open.toReversed().map((bracket) => (bracket === '{' ? '}' : ']'));
  try {
    const value = jsonOf(JSON.parse(text.slice(0, end) + closing.join('')));
    dropCut(value, open.length);
    return { value, left: text.length - end };
  } catch {
    return undefined;
  }
}

/** Returns the last place at which an object or a list ends, and the brackets that are open there. */
function lastClosed(text: string): { readonly end: number; readonly open: readonly string[] } {
  const open: string[] = [];
  let end = 0;
  let before: readonly string[] = [];
  let isInString = false;
  for (const { 0: token, index } of text.matchAll(/["[\]{}]|\\[^]/g)) {
    if (token === '"') isInString = !isInString;
    else if (isInString || token.startsWith('\\')) continue;
    else if (token === '{' || token === '[') open.push(token);
    else {
      open.pop();
      end = index + 1;
      before = [...open];
    }
  }
  return { end, open: open.length === 0 ? [] : before };
}

/** Drops the last message, unless it ends where the text was cut. */
function dropCut(value: JsonValue, depth: number): void {
  const list = findList(value);
  if (typeof list !== 'object' || list === null || depthOf(list, value) === depth) return;
  if (Array.isArray(list)) list.pop();
  else Reflect.deleteProperty(list, Object.keys(list).at(-1) ?? '');
}

/** Returns the number of open brackets within a list, if it is the last thing in a value. */
function depthOf(list: JsonValue, value: JsonValue): number | undefined {
  let depth = 1;
  for (let at: JsonValue | undefined = value; at !== list; depth++) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Object.values(at).at(-1);
  }
  return depth;
}
