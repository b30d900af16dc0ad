import { parseJson } from '../json/fields.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';

/** Input of a tool, and whether it had to be repaired. */
export interface ReadInput {
  readonly value: JsonValue;
  readonly isRepaired: boolean;
}

/**
 * Reads the arguments of a tool call. Known additions of servers and models are removed: fences, a `{}` or the same
 * object before the whole one, JSON in a string, and what {@link tidy} knows. Nothing is added, as half a call must not be
 * made.
 *
 * Sources: vllm-project/vllm#21046, ogx#5462, ogx#5464, charmbracelet/crush#2776, dxos#12767.
 *
 * @returns `undefined` for what is not JSON.
 */
export function readToolInput(text: string): ReadInput | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return { value: {}, isRepaired: false };
  const plain = parseJson(trimmed);
  if (plain !== undefined) return unwrap(plain);
  for (const candidate of [bare(trimmed), tidy(bare(trimmed))]) {
    const value = parseJson(candidate) ?? lastOfSeveral(candidate);
    if (value !== undefined) return { value: unwrap(value).value, isRepaired: true };
  }
  return undefined;
}

/** JSON in a string in JSON. */
function unwrap(value: JsonValue): ReadInput {
  if (value === null) return { value: {}, isRepaired: true };
  if (typeof value !== 'string') return { value, isRepaired: false };
  const inner = parseJson(value.trim()) ?? parseJson(tidy(bare(value.trim())));
  const within = typeof inner === 'string' ? unwrap(inner).value : inner;
  return isJsonObject(within) ? { value: within, isRepaired: true } : { value, isRepaired: false };
}

/** Without fences, a byte order mark, and marks of a chat template. */
function bare(text: string): string {
  return withoutMarks(text.replace(/^\uFEFF/, '').trimEnd())
    .replace(/^```[\w-]*\s*/, '')
    .trimEnd()
    .replace(/```$/, '')
    .replace(/<\/?(?:tool_call|arguments|parameters)>/g, '')
    .trim();
}

/** The longest mark of a chat template, such as `<|im_end|>`. */
const LONGEST_MARK = 42;

/** Removes the marks of a chat template at the end, from the first one that follows a value or a space. */
function withoutMarks(text: string): string {
  let end = text.length;
  let from = end;
  for (;;) {
    const mark = /<[^<>\s"]{1,40}>$/.exec(text.slice(Math.max(0, end - LONGEST_MARK), end))?.[0];
    if (mark === undefined) return text.slice(0, from);
    end -= mark.length;
    if (/[}\]"`\s]/.test(text.charAt(end - 1))) from = end;
    while (/\s/.test(text.charAt(end - 1))) end--;
  }
}

/** Several values one after the other of which the last is the whole one. */
function lastOfSeveral(text: string): JsonValue | undefined {
  const values = valuesIn(text);
  const last = values?.at(-1);
  if (values && last !== undefined) {
    const whole = JSON.stringify(last);
    const isSame = values.slice(0, -1).every((value) => {
      const json = JSON.stringify(value);
      return json === '{}' || json === 'null' || json === '""' || json === whole;
    });
    return isSame ? last : undefined;
  }
  // The pieces of an object, and then the object as a whole.
  for (let at = text.indexOf('{', 1); at > 0; at = text.indexOf('{', at + 1)) {
    const rest = text.slice(at);
    const whole = rest.startsWith(text.slice(0, at))
      ? (parseJson(rest) ?? lastOfSeveral(rest))
      : undefined;
    if (whole !== undefined) return whole;
  }
  return undefined;
}

function valuesIn(text: string): JsonValue[] | undefined {
  const values: JsonValue[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfValue(text, at);
    const value = end === undefined ? undefined : parseJson(text.slice(at, end).trim());
    if (end === undefined || value === undefined) return undefined;
    values.push(value);
    at = end;
    while (/[\s,;]/.test(text.charAt(at))) at++;
  }
  return values;
}

/** The end of the value that begins at a place: of an object, a list, a string, or a word. */
export function endOfValue(text: string, from: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') {
        isInString = false;
        if (depth === 0) return at + 1;
      }
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
      if (depth < 0) return undefined;
    } else if (depth === 0 && /[a-z]/.test(character)) {
      const word = /^(?:null|true|false)/.exec(text.slice(at, at + 5))?.[0];
      return word === undefined ? undefined : at + word.length;
    }
  }
  return undefined;
}

/** Words of Python, and what they are in JSON. */
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** The quotes that end a string, by those that begin it. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”"', '”': '”"' };

const NAME = /[A-Za-z_$][\w$]*/y;
const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-f]{4})/iy;

/**
 * Writes what is nearly JSON as JSON: without comments and commas before a closing bracket, with names and strings in double
 * quotes, line breaks in strings escaped, and Python's words. Nothing is closed that was left open.
 */
export function tidy(text: string): string {
  let out = '';
  let at = 0;
  /** The place of a comma that nothing but space has followed. */
  let comma = -1;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    const character = text.charAt(at);
    const ends = QUOTES[character];
    if (ends !== undefined) {
      const string = tidyString(text, at, ends);
      out += string.text;
      at = string.end;
      comma = -1;
      continue;
    }
    const comment = character === '/' ? match(COMMENT) : undefined;
    const name = match(NAME);
    // A line break that was escaped outside of a string.
    const isBreak = character === '\\' && /[nrt]/.test(text.charAt(at + 1));
    if (comment !== undefined || isBreak) {
      out += ' ';
      at += comment?.length ?? 2;
    } else if (name !== undefined) {
      at += name.length;
      const isKey = /[{,]\s*$/.test(out.slice(-200)) && /^\s*:/.test(text.slice(at, at + 200));
      out += isKey ? `"${name}"` : (WORDS[name] ?? name);
      comma = -1;
    } else {
      at++;
      if (/\s/.test(character)) {
        out += ' ';
        continue;
      }
      const isLast = comma >= 0 && (character === '}' || character === ']');
      if (isLast) out = out.slice(0, comma) + out.slice(comma + 1);
      comma = character === ',' ? out.length : -1;
      out += character;
    }
  }
  return out;
}

function tidyString(
  text: string,
  from: number,
  ends: string,
): { readonly text: string; readonly end: number } {
  let out = '"';
  let at = from + 1;
  for (; at < text.length && !ends.includes(text.charAt(at)); at++) {
    const character = text.charAt(at);
    if (character === '\\') {
      ESCAPE.lastIndex = at;
      const escape = ESCAPE.exec(text)?.[0];
      const next = text.charAt(at + 1);
      // JSON has no escape for it: a quote of another kind, a path of Windows.
      const isQuote = next === "'" || ends.includes(next);
      out += escape ?? (isQuote ? next : '\\\\');
      at += escape === undefined ? Number(isQuote) : escape.length - 1;
    } else if (character === '"' || character < ' ') {
      out += JSON.stringify(character).slice(1, -1);
    } else out += character;
  }
  return { text: at < text.length ? `${out}"` : out, end: at + 1 };
}
