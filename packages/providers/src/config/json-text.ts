import { CodedError, hasErrorMark } from '../errors.ts';
import type { JsonValue } from '../json/json-value.ts';
import { checkArgument } from '../input/check-input.ts';
import { TEXT } from '../input/kinds.ts';

/** A place in a text, both from 1. */
export interface TextPlace {
  readonly line: number;
  /** In UTF-16 code units. */
  readonly column: number;
}

/** A JSON text with the places of its keys and values. */
export interface JsonText {
  readonly value: JsonValue;
  /** Returns the place of the value at a path, or of its key, or of the nearest value around it that is there. */
  placeOf(path: readonly PropertyKey[], isKey?: boolean): TextPlace;
  /** As `placeOf`, in UTF-16 code units from the beginning; of the key itself where `isKey` is set. */
  offsetOf(path: readonly PropertyKey[], isKey?: boolean): number;
}

/** The mistake in a text that is not JSON, and its place. */
export class JsonSyntaxError extends CodedError<'json-invalid'> {
  readonly place: TextPlace;

  constructor(problem: string, place: TextPlace) {
    super('JsonSyntaxError', 'json-invalid', problem, { context: { ...place } });
    this.place = place;
  }

  /** Checks whether a value is a `JsonSyntaxError`, from this or any other installed copy of the package. */
  static isInstance(value: unknown): value is JsonSyntaxError {
    return hasErrorMark(value, 'JsonSyntaxError');
  }
}

/** Objects and arrays within each other, at most. */
const MAX_DEPTH = 64;
const BLANKS = /[ \t\r\n]*/y;
// oxlint-disable-next-line no-control-regex
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d\d*)?(?:[eE][+-]?\d\d*)?|true|false|null/y;

/**
 * Reads JSON as `JSON.parse` does, keeps the places of all values, and refuses a key that an
 * object has twice: in a settings file one of the two would be ignored in silence.
 *
 * @throws JsonSyntaxError with the place.
 */
export function parseJsonText(text: string): JsonText {
  checkArgument('the argument of parseJsonText', text, TEXT);
  const reader = new Reader(text);
  const value = reader.document();
  const offsetOf = (path: readonly PropertyKey[], isKey = false): number => {
    const ofKey = isKey ? reader.keys.get(keyOf(path)) : undefined;
    if (ofKey !== undefined) return ofKey;
    for (let length = path.length; length > 0; length -= 1) {
      const offset = reader.places.get(keyOf(path.slice(0, length)));
      if (offset !== undefined) return offset;
    }
    return reader.start;
  };
  const placeOf: JsonText['placeOf'] = (path, isKey) => placeAt(text, offsetOf(path, isKey));
  return { value, offsetOf, placeOf };
}

class Reader {
  readonly places = new Map<string, number>();
  readonly keys = new Map<string, number>();
  readonly start: number;
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
    this.#skip();
    this.start = this.#at;
  }

  document(): JsonValue {
    const value = this.#value([]);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#problem('nothing may follow the value');
    return value;
  }

  #value(path: readonly PropertyKey[]): JsonValue {
    if (path.length > MAX_DEPTH) throw this.#problem(`nested deeper than ${MAX_DEPTH}`);
    if (path.length > 0) this.places.set(keyOf(path), this.#at);
    const first = this.#text[this.#at];
    if (first === '{') return this.#object(path);
    if (first === '[') return this.#array(path);
    if (first === '"') return this.#string();
    const scalar = this.#match(SCALAR);
    if (scalar === undefined) throw this.#problem(`${this.#found()}, where a value is expected`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the pattern lets through
    return JSON.parse(scalar) as JsonValue;
  }

  #object(path: readonly PropertyKey[]): JsonValue {
    const entries = new Map<string, JsonValue>();
    this.#list('}', () => {
      if (this.#text[this.#at] !== '"') {
        throw this.#problem(`${this.#found()}, where a key in double quotes is expected`);
      }
      const keyAt = this.#at;
      const key = this.#string();
      if (entries.has(key)) {
        this.#at = keyAt;
        throw this.#problem(`the key "${key}" is there twice`);
      }
      this.keys.set(keyOf([...path, key]), keyAt);
      this.#skip();
      this.#expect(':');
      entries.set(key, this.#value([...path, key]));
    });
    return Object.fromEntries(entries);
  }

  #array(path: readonly PropertyKey[]): JsonValue {
    const items: JsonValue[] = [];
    this.#list(']', () => items.push(this.#value([...path, items.length])));
    return items;
  }

  #list(end: string, readItem: () => unknown): void {
    this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      readItem();
      this.#skip();
      if (this.#text[this.#at] === end) break;
      this.#expect(',', `'${end}'`);
    }
    this.#at += 1;
  }

  #string(): string {
    const quoted = this.#match(STRING);
    if (quoted === undefined)
      throw this.#problem('a string that is not closed or not well written');
    return String(JSON.parse(quoted));
  }

  #expect(character: string, other?: string): void {
    if (this.#text[this.#at] !== character) {
      const wanted = [`'${character}'`, ...(other === undefined ? [] : [other])].join(' or ');
      throw this.#problem(`${this.#found()}, where ${wanted} is expected`);
    }
    this.#at += 1;
    this.#skip();
  }

  #skip(): void {
    this.#match(BLANKS);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #found(): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return 'the text ends';
    if (this.#text.startsWith('//', this.#at)) return 'a comment, which JSON does not have';
    return `'${String.fromCodePoint(code)}'`;
  }

  #problem(problem: string): JsonSyntaxError {
    return new JsonSyntaxError(problem, placeAt(this.#text, this.#at));
  }
}

function keyOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}

/** Returns the place of an offset in a text. */
export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
