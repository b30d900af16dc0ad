/** What a quick reading does not know. */
export class Unusual extends Error {}

/** Characters that mean something at the beginning of a scalar. */
const INDICATOR = /^(?:[,[\]{}#&*!|>'"%@`]|[?:-](?: |$))/;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;
/** Numbers in other forms, and what is not a text for other reasons. */
const NO_TEXT =
  /^(?:~|null|true|false|0o[0-7]+|0x[0-9a-f]+|[-+]?\.(?:inf)|\.nan|[-+]?\d+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;

/** Begins with a letter that no number and no other name of a value begins with. */
const WORD = /^[A-EG-MO-SU-Za-eg-mo-su-z]/;

/** The value of a scalar without quotes. */
export function plainScalar(text: string): unknown {
  if (WORD.test(text)) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (NUMBER.test(text) && text !== '-0') return Number(text);
  if (text === '' || NO_TEXT.test(text) || INDICATOR.test(text)) throw new Unusual();
  return text;
}

const SINGLE = /'((?:[^']|'')*)'/y;
const DOUBLE = /"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN = /[^\s,[\]{}#:'"&*!|>%@`?](?:[^,[\]{}#:]|:(?=[^\s,[\]{}]))*/y;

/** Reads a quoted scalar, `{...}` or `[...]` on one line. */
export class FlowReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value, behind which there may be nothing but a comment. */
  whole(): unknown {
    const value = this.#value();
    const rest = this.#text.slice(this.#at);
    if (/^(?: *| +#.*)$/.test(rest)) return value;
    throw new Unusual();
  }

  #value(): unknown {
    this.#skip();
    const first = this.#text[this.#at];
    if (first === '{') return this.#map();
    if (first === '[') return this.#list();
    return first === '"' || first === "'" ? this.#quoted() : plainScalar(this.#plain());
  }

  #map(): unknown {
    const result: Record<string, unknown> = {};
    this.#items('}', () => {
      const key = this.#plain();
      if (plainScalar(key) !== key || key === '__proto__') throw new Unusual();
      if (Object.hasOwn(result, key)) throw new Unusual();
      if (this.#text[this.#at] !== ':' || this.#text[this.#at + 1] !== ' ') throw new Unusual();
      this.#at += 1;
      result[key] = this.#value();
    });
    return result;
  }

  #list(): unknown {
    const result: unknown[] = [];
    this.#items(']', () => result.push(this.#value()));
    return result;
  }

  #items(end: string, read: () => void): void {
    this.#at += 1;
    this.#skip();
    while (this.#text[this.#at] !== end) {
      read();
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== end) throw new Unusual();
      this.#skip();
    }
    this.#at += 1;
  }

  #plain(): string {
    return this.#match(PLAIN)[0].trimEnd();
  }

  #quoted(): string {
    if (this.#text[this.#at] === "'") return (this.#match(SINGLE)[1] ?? '').replaceAll("''", "'");
    const [quoted] = this.#match(DOUBLE);
    try {
      return String(JSON.parse(quoted));
    } catch {
      throw new Unusual();
    }
  }

  #match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) throw new Unusual();
    this.#at += found[0].length;
    return found;
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}
