/** YAML that the fast reader does not support. */
class UnsupportedYamlError extends Error {}

/**
 * Levels of nesting that files may have; as those of `guardYaml`. No reader may come near the end of the stack: where a
 * regular expression is compiled there, the process dies.
 */
export const MAX_DEPTH = 100;

/** Characters that mean something at the beginning of a scalar. */
const INDICATOR = /^(?:[,[\]{}#&*!|>'"%@`]|[?:-](?: |$))/;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

/** Numbers in other forms, and what is not a text for other reasons. */
const NO_TEXT =
  /^(?:~|null|true|false|0o[0-7]+|0x[0-9a-f]+|[-+]?\.(?:inf)|\.nan|[-+]?\d+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;

/** Begins with a letter that no number and no other name of a value begins with. */
const WORD = /^[A-EG-MO-SU-Za-eg-mo-su-z]/;

/** Returns the value of a scalar without quotes. */
function plainScalar(text: string): unknown {
  if (WORD.test(text)) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (NUMBER.test(text) && text !== '-0') return Number(text);
  if (text === '' || NO_TEXT.test(text) || INDICATOR.test(text)) throw new UnsupportedYamlError();
  return text;
}

const SINGLE = /'((?:[^']|'')*)'/y;
const DOUBLE = /"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN = /[^\s,[\]{}#:'"&*!|>%@`?](?:[^,[\]{}#:]|:(?=[^\s,[\]{}]))*/y;

/** Reads a quoted scalar, `{...}` or `[...]` on one line. */
class FlowReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the value, after which there may be nothing but a comment. */
  whole(): unknown {
    const value = this.#value();
    const rest = this.#text.slice(this.#at);
    if (/^(?: *| +#.*)$/.test(rest)) return value;
    throw new UnsupportedYamlError();
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
      if (plainScalar(key) !== key || key === '__proto__') throw new UnsupportedYamlError();
      if (Object.hasOwn(result, key)) throw new UnsupportedYamlError();
      if (this.#text[this.#at] !== ':' || this.#text[this.#at + 1] !== ' ')
        throw new UnsupportedYamlError();
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
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedYamlError();
    this.#at += 1;
    this.#skip();
    while (this.#text[this.#at] !== end) {
      read();
      this.#skip();
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== end) throw new UnsupportedYamlError();
      this.#skip();
    }
    this.#at += 1;
    this.#depth--;
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
      throw new UnsupportedYamlError();
    }
  }

  #match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) throw new UnsupportedYamlError();
    this.#at += found[0].length;
    return found;
  }

  #skip(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}

const KEY = /^[A-Za-z_$\u3041-\u30ff\u3400-\u9fff][\w$.\u3041-\u30ff\u3400-\u9fff-]*$/;

/** Words that other readers take for something else than a text. */
const NO_KEY = /^(?:null|true|false|__proto__)$/i;

/** Tabs, and characters that end a line in some versions of YAML. */
const ELSEWHERE = ['\t', '\uFEFF', '\u0085', '\u2028', '\u2029'];

/** Several documents, and directives. */
const MARK = /^(?:---|\.\.\.|%)/;

/**
 * Reads YAML as people write it in files of workflows: block maps and lists, flow ones on one line, plain and
 * quoted scalars, `|` blocks. It takes a tenth of the time of the whole language, and gives `undefined` for
 * whatever it does not know, mistakes among it.
 */
export function readFastYaml(text: string): unknown {
  if (ELSEWHERE.some((sign) => text.includes(sign))) return undefined;
  try {
    return new BlockReader(text).document();
  } catch (error) {
    if (error instanceof UnsupportedYamlError) return undefined;
    throw error;
  }
}

class BlockReader {
  readonly #lines: string[];
  readonly #endsWithLine: boolean;
  /** Keys that were looked at: most of them come again. */
  readonly #keys = new Set<string>();
  #at = 0;
  #depth = 0;
  /** The line that `#next` found last, and its indentation. */
  #found = -1;
  #indent = -1;

  constructor(text: string) {
    const plain = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
    if (plain.includes('\r')) throw new UnsupportedYamlError();
    this.#endsWithLine = plain.endsWith('\n');
    this.#lines = plain.split('\n');
  }

  document(): unknown {
    if (this.#next() !== 0) throw new UnsupportedYamlError();
    const value = this.#block(0);
    if (this.#next() >= 0) throw new UnsupportedYamlError();
    return value;
  }

  /** Goes to the next line that holds something; its indentation, or -1 at the end. */
  #next(): number {
    if (this.#found === this.#at) return this.#indent;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const indent = indentOf(line);
      if (indent === line.length || line[indent] === '#') continue;
      if (indent === 0 && MARK.test(line)) throw new UnsupportedYamlError();
      this.#found = this.#at;
      this.#indent = indent;
      return indent;
    }
    return -1;
  }

  #block(indent: number): unknown {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedYamlError();
    const value = this.#isItem(indent) ? this.#list(indent) : this.#map(indent);
    this.#depth--;
    return value;
  }

  #isItem(indent: number): boolean {
    const line = this.#lines[this.#at] ?? '';
    return line[indent] === '-' && (line[indent + 1] === ' ' || line.length === indent + 1);
  }

  /** Returns the key there, with a colon and a space or nothing after it. */
  #key(line: string, start: number): string | undefined {
    const colon = line.indexOf(':', start);
    if (colon < 0 || (colon + 1 < line.length && line[colon + 1] !== ' ')) return undefined;
    const key = line.slice(start, colon);
    if (this.#keys.has(key)) return key;
    if (!KEY.test(key) || NO_KEY.test(key)) return undefined;
    this.#keys.add(key);
    return key;
  }

  #map(indent: number): unknown {
    const result: Record<string, unknown> = {};
    while (this.#next() === indent && !this.#isItem(indent)) {
      const line = this.#lines[this.#at] ?? '';
      const key = this.#key(line, indent);
      if (key === undefined || Object.hasOwn(result, key)) throw new UnsupportedYamlError();
      this.#at += 1;
      const start = indent + key.length + 1;
      result[key] = this.#value(line.slice(start + indentOf(line, start)), indent, true);
    }
    if (this.#next() > indent) throw new UnsupportedYamlError();
    return result;
  }

  #list(indent: number): unknown {
    const result: unknown[] = [];
    while (this.#next() === indent && this.#isItem(indent)) {
      const line = this.#lines[this.#at] ?? '';
      const start = indent + 1 + indentOf(line, indent + 1);
      if (this.#key(line, start) !== undefined || line.startsWith('- ', start)) {
        // The item continues below its first line, as if the dash were not there.
        this.#lines[this.#at] = ' '.repeat(start) + line.slice(start);
        this.#indent = start;
        result.push(this.#block(start));
        continue;
      }
      this.#at += 1;
      result.push(this.#value(line.slice(start), indent, false));
    }
    if (this.#next() > indent) throw new UnsupportedYamlError();
    return result;
  }

  #value(rest: string, indent: number, isInMap: boolean): unknown {
    if (rest === '' || rest.startsWith('#')) {
      const next = this.#next();
      if (next > indent) return this.#block(next);
      return isInMap && next === indent && this.#isItem(indent) ? this.#list(indent) : null;
    }
    if (rest === '|' || rest === '|-') return this.#literal(indent, rest === '|');
    const value = inlineValue(rest);
    // A line that is indented further would belong to it.
    if (this.#next() > indent) throw new UnsupportedYamlError();
    return value;
  }

  #literal(parent: number, endsWithLine: boolean): string {
    const indent = indentOf(this.#lines[this.#at] ?? '');
    if (indent <= parent || this.#lines[this.#at] === ' '.repeat(indent))
      throw new UnsupportedYamlError();
    const content: string[] = [];
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const own = indentOf(line);
      if (own === line.length && own > indent) throw new UnsupportedYamlError();
      if (own < indent && own < line.length) {
        if (own > parent || line[own] === '#') throw new UnsupportedYamlError();
        break;
      }
      content.push(line.slice(indent));
    }
    if (this.#at === this.#lines.length && !this.#endsWithLine) throw new UnsupportedYamlError();
    while (content.at(-1) === '') content.pop();
    return content.join('\n') + (endsWithLine ? '\n' : '');
  }
}

/** Returns a value on one line, with a comment after it perhaps. */
function inlineValue(rest: string): unknown {
  const first = rest[0] ?? '';
  if ('{["\''.includes(first)) return new FlowReader(rest).whole();
  const comment = rest.indexOf(' #');
  const text = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  if (text.includes(': ') || text.endsWith(':')) throw new UnsupportedYamlError();
  return plainScalar(text);
}

function indentOf(line: string, start = 0): number {
  let indent = start;
  while (line.charCodeAt(indent) === 32) indent += 1;
  return indent - start;
}
