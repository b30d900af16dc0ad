import { endOfValue, tidy } from '../adapter-kit/repair-json.ts';
import { ThinkTags } from '../adapter-kit/think-tags.ts';
import { messageOf } from '../errors.ts';
import { parseJson } from '../json/fields.ts';
import type { JsonValue } from '../json/json-value.ts';

/**
 * Returns the values that an answer may mean, the likeliest first: the whole text, the last block of code, the last object or
 * list in the text; each without thoughts, and with commas at the end and raw line breaks repaired.
 *
 * @returns The values, or why the text is not JSON.
 */
export function valuesIn(
  text: string,
): { readonly values: readonly JsonValue[] } | { readonly issue: string } {
  const plain = withoutThoughts(text.replace(/^\uFEFF/, ''));
  const blocks = Array.from(
    plain.matchAll(/```[a-z0-9]*[ \t]*\n?([^]*?)```/gi),
    ([, code = '']) => code,
  );
  // A block that was never closed.
  const open = /```[a-z0-9]*[ \t]*\n([^]*)$/i.exec(plain)?.[1];
  const candidates = [plain, text, ...blocks.toReversed(), ...(open === undefined ? [] : [open])];
  const whole = candidates.flatMap((candidate) => parsed(candidate.trim()));
  const values = [...whole, ...embedded(plain).toReversed()];
  if (values.length > 0) return { values: unique(values) };
  try {
    JSON.parse(text);
    return { values: [] };
  } catch (error) {
    return { issue: `it is not JSON: ${messageOf(error)}` };
  }
}

function withoutThoughts(text: string): string {
  const tags = new ThinkTags();
  const pieces = [...tags.add(text), ...tags.end()];
  return pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
}

function parsed(text: string): JsonValue[] {
  const value = parseJson(text) ?? parseJson(tidy(text));
  if (value === undefined) return [];
  // JSON in a string in JSON.
  const inner = typeof value === 'string' ? parseJson(value.trim()) : undefined;
  return inner === undefined ? [value] : [inner, value];
}

/** A text is looked through this many times at most: each bracket that opens nothing costs a look at the rest. */
const MAX_LOOKS = 50;

/** Returns the objects and lists that appear in a text. */
function embedded(text: string): JsonValue[] {
  const values: JsonValue[] = [];
  let left = MAX_LOOKS * text.length;
  for (let at = text.search(/[{[]/); at >= 0 && left > 0;) {
    const end = endOfValue(text, at);
    left -= (end ?? text.length) - at;
    const [value] = end === undefined ? [] : parsed(text.slice(at, end));
    if (value !== undefined) values.push(value);
    const from = value === undefined || end === undefined ? at + 1 : end;
    at = nextBracket(text, from);
  }
  return values;
}

function nextBracket(text: string, from: number): number {
  const places = [text.indexOf('{', from), text.indexOf('[', from)].filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

function unique(values: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const json = JSON.stringify(value);
    return !seen.has(json) && Boolean(seen.add(json));
  });
}
