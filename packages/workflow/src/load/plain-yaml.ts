import { FlowReader, plainScalar, Unusual } from './plain-yaml-flow.ts';

const KEY = /^[A-Za-z_$\u3041-\u30ff\u3400-\u9fff][\w$.\u3041-\u30ff\u3400-\u9fff-]*$/;
/** What other readers take for something else than a text. */
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
export function readPlainYaml(text: string): unknown {
  if (ELSEWHERE.some((sign) => text.includes(sign))) return undefined;
  try {
    return new BlockReader(text).document();
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

class BlockReader {
  readonly #lines: string[];
  readonly #endsWithLine: boolean;
  /** Keys that were looked at: most of them come again. */
  readonly #keys = new Set<string>();
  #at = 0;
  /** The line that `#next` found last, and its indentation. */
  #found = -1;
  #indent = -1;

  constructor(text: string) {
    const plain = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
    if (plain.includes('\r')) throw new Unusual();
    this.#endsWithLine = plain.endsWith('\n');
    this.#lines = plain.split('\n');
  }

  document(): unknown {
    if (this.#next() !== 0) throw new Unusual();
    const value = this.#block(0);
    if (this.#next() >= 0) throw new Unusual();
    return value;
  }

  /** Goes to the next line that holds something; its indentation, or -1 at the end. */
  #next(): number {
    if (this.#found === this.#at) return this.#indent;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const indent = indentOf(line);
      if (indent === line.length || line[indent] === '#') continue;
      if (indent === 0 && MARK.test(line)) throw new Unusual();
      this.#found = this.#at;
      this.#indent = indent;
      return indent;
    }
    return -1;
  }

  #block(indent: number): unknown {
    return this.#isItem(indent) ? this.#list(indent) : this.#map(indent);
  }

  #isItem(indent: number): boolean {
    const line = this.#lines[this.#at] ?? '';
    return line[indent] === '-' && (line[indent + 1] === ' ' || line.length === indent + 1);
  }

  /** The key that stands there, with a colon and a space or nothing behind it. */
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
      if (key === undefined || Object.hasOwn(result, key)) throw new Unusual();
      this.#at += 1;
      const start = indent + key.length + 1;
      result[key] = this.#value(line.slice(start + indentOf(line, start)), indent, true);
    }
    if (this.#next() > indent) throw new Unusual();
    return result;
  }

  #list(indent: number): unknown {
    const result: unknown[] = [];
    while (this.#next() === indent && this.#isItem(indent)) {
      const line = this.#lines[this.#at] ?? '';
      const start = indent + 1 + indentOf(line, indent + 1);
      if (this.#key(line, start) !== undefined || line.startsWith('- ', start)) {
        // The item goes on below its first line, as if the dash were not there.
        this.#lines[this.#at] = ' '.repeat(start) + line.slice(start);
        this.#indent = start;
        result.push(this.#block(start));
        continue;
      }
      this.#at += 1;
      result.push(this.#value(line.slice(start), indent, false));
    }
    if (this.#next() > indent) throw new Unusual();
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
    // What is indented further would belong to it.
    if (this.#next() > indent) throw new Unusual();
    return value;
  }

  #literal(parent: number, endsWithLine: boolean): string {
    const indent = indentOf(this.#lines[this.#at] ?? '');
    if (indent <= parent || this.#lines[this.#at] === ' '.repeat(indent)) throw new Unusual();
    const content: string[] = [];
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#lines[this.#at] ?? '';
      const own = indentOf(line);
      if (own === line.length && own > indent) throw new Unusual();
      if (own < indent && own < line.length) {
        if (own > parent || line[own] === '#') throw new Unusual();
        break;
      }
      content.push(line.slice(indent));
    }
    if (this.#at === this.#lines.length && !this.#endsWithLine) throw new Unusual();
    while (content.at(-1) === '') content.pop();
    return content.join('\n') + (endsWithLine ? '\n' : '');
  }
}

/** A value that stands on one line, with a comment behind it perhaps. */
function inlineValue(rest: string): unknown {
  const first = rest[0] ?? '';
  if ('{["\''.includes(first)) return new FlowReader(rest).whole();
  const comment = rest.indexOf(' #');
  const text = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
  if (text.includes(': ') || text.endsWith(':')) throw new Unusual();
  return plainScalar(text);
}

function indentOf(line: string, start = 0): number {
  let indent = start;
  while (line.charCodeAt(indent) === 32) indent += 1;
  return indent - start;
}
