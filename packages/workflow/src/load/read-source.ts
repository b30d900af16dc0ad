import { messageOf } from '@vizprompt/providers';
import { decodeUtf8, JsonSyntaxError, parseJsonText } from '@vizprompt/providers/config';
import { guardYaml, repeatedKey } from '@vizprompt/providers/config/internal';
import {
  exportsOf,
  isDeeperThan,
  isError,
  readNamedFile,
  whyUnreadable,
} from '@vizprompt/providers/internal';
import type { WorkflowSource } from '../definition/workflow-file.ts';
import type { Finding, Source } from '../problems/finding.ts';
import { MAX_DEPTH, readFastYaml } from './fast-yaml.ts';

const MULTIPLE = new Error("a second document begins here ('---'), and a file holds one");

/** The result of reading a file: the source, and why it has no value. */
interface ReadSource {
  readonly source: Source;
  readonly findings: readonly Finding[];
}

/** How a file is read. */
interface ReadOptions {
  /** The name of the object in messages. */
  readonly name: string;
  /** True if to look for what a quick reading lets pass: a key that an object has twice. */
  readonly isThorough: boolean;
  /** Bytes of the largest file. Default: 4 MiB. */
  readonly maxFileBytes?: number | undefined;
}

/** The default of `maxFileBytes`. */
const MAX_FILE_BYTES: number = 4 << 20;

/** Reads a file; what is not a path is taken as it is. */
export async function readSource(
  given: WorkflowSource,
  { name, isThorough, maxFileBytes = MAX_FILE_BYTES }: ReadOptions,
): Promise<ReadSource> {
  if (typeof given !== 'string' && !(given instanceof URL)) {
    return { source: { name, value: given, format: 'object' }, findings: [] };
  }
  const file = String(given);
  let bytes: Uint8Array;
  try {
    bytes = await readNamedFile(given, { maxBytes: maxFileBytes });
  } catch (error) {
    const source: Source = { name: file, value: undefined, format: 'object' };
    const words = { problem: whyUnreadable((isError(error) && error.cause) || error) };
    return { source, findings: [{ code: 'unreadable', source, path: [], words }] };
  }
  const { text, problem } = decodeUtf8(bytes);
  if (problem === undefined) return parseSource(file, text, isThorough);
  const source: Source = { name: file, text, value: undefined, format: 'yaml' };
  const words = { problem };
  return { source, findings: [{ code: 'syntax', source, path: [], offset: text.length, words }] };
}

/** Parses the text of a file: JSON, with comments perhaps, where it is called so or begins so, else YAML. */
export async function parseSource(
  file: string,
  text: string,
  isThorough: boolean,
): Promise<ReadSource> {
  const isJson = /\.jsonc?$/i.test(file);
  if (isJson || /^\uFEFF?\s*(?:\{|\/[/*])/.test(text)) {
    const value = isThorough ? undefined : quickly(() => JSON.parse(text));
    if (value !== undefined)
      return { source: { name: file, text, value, format: 'json' }, findings: [] };
    const json = parseJson(file, blankComments(text));
    if (isJson || json.findings.length === 0) return json;
  }
  const value = isThorough ? undefined : quickly(() => readFastYaml(text));
  if (value !== undefined)
    return { source: { name: file, text, value, format: 'yaml' }, findings: [] };
  return parseYaml(file, text);
}

/** Reads texts that a quick reader can take. All others, and deep ones, are left to the thorough readers. */
function quickly(read: () => unknown): unknown {
  try {
    const value = read();
    return isDeeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

function parseJson(file: string, text: string): ReadSource {
  try {
    const { value } = parseJsonText(text);
    if (isDeeperThan(value, MAX_DEPTH)) throw new Error(`nested deeper than ${MAX_DEPTH} levels`);
    return { source: { name: file, text, value, format: 'json' }, findings: [] };
  } catch (error) {
    const source: Source = { name: file, text, value: undefined, format: 'json' };
    if (!(error instanceof JsonSyntaxError)) {
      return { source, findings: [syntaxFinding(source, 0, error)] };
    }
    const lines = text.split('\n').slice(0, error.place.line - 1);
    const offset = lines.reduce((sum, line) => sum + line.length + 1, error.place.column - 1);
    return { source, findings: [syntaxFinding(source, offset, error)] };
  }
}

async function parseYaml(file: string, text: string): Promise<ReadSource> {
  const { Lexer, parseDocument } = exportsOf(await import('yaml'));
  const broken: Source = { name: file, text, value: undefined, format: 'yaml' };
  const excess = guardYaml(new Lexer(), text, { maxCharacters: Infinity });
  if (excess) {
    return { source: broken, findings: [syntaxFinding(broken, excess.offset, excess.problem)] };
  }
  const document = parseDocument(text, {
    prettyErrors: false,
    uniqueKeys: false,
    // Not of YAML 1.2, but of the files of many tools.
    merge: true,
  });
  const repeated = repeatedKey(document);
  if (document.errors.length === 0 && repeated !== undefined) {
    const problem = 'Map keys must be unique';
    return { source: broken, findings: [syntaxFinding(broken, repeated, problem)] };
  }
  if (document.errors.length > 0) {
    return {
      source: broken,
      findings: document.errors.map((error) =>
        syntaxFinding(broken, error.pos[0], error.code === 'MULTIPLE_DOCS' ? MULTIPLE : error),
      ),
    };
  }
  try {
    const value: unknown = document.toJS() ?? {};
    return { source: { ...broken, value }, findings: [] };
  } catch (error) {
    const offset = Math.max(0, text.search(/(?<=[\s[{,])\*[^\s,[\]{}]/));
    return { source: broken, findings: [syntaxFinding(broken, offset, error)] };
  }
}

function syntaxFinding(source: Source, offset: number, error: unknown): Finding {
  return { code: 'syntax', source, path: [], offset, words: { problem: messageOf(error) } };
}

/** A part of a text that becomes spaces. */
interface Blank {
  readonly from: number;
  to: number;
}

/**
 * Replaces the comments of a JSON text, and commas before a closing bracket, by spaces: as editors and `tsconfig.json` allow
 * them. The rest has its old places. Reads each character once: an expression would look for the end of each comment that
 * has none.
 */
export function blankComments(text: string): string {
  if (!/\/[/*]|,\s*[\]}]/.test(text)) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of blanksOf(text)) {
    pieces.push(text.slice(done, from), text.slice(from, to).replaceAll(/[^\n\r]/g, ' '));
    done = to;
  }
  return pieces.join('') + text.slice(done);
}

function blanksOf(text: string): readonly Blank[] {
  const blanks: Blank[] = [];
  const lastClose = text.lastIndexOf('*/');
  /** After it there are comments and white space only. */
  let comma: Blank | undefined;
  for (let at = 0; at < text.length;) {
    const end = endOfComment(text, at, lastClose);
    if (end > at) {
      blanks.push({ from: at, to: end });
      at = end;
      continue;
    }
    const character = text.charAt(at);
    if (character === ',') {
      comma = /[[{,:]/.test(text.charAt(at - 1)) ? undefined : { from: at, to: at };
      if (comma) blanks.push(comma);
    } else if (!/\s/.test(character)) {
      if (comma && (character === ']' || character === '}')) comma.to++;
      comma = undefined;
    }
    at = character === '"' ? endOfString(text, at) : at + 1;
  }
  return blanks;
}

/** Returns the offset after a comment, or the same offset if none begins there. */
function endOfComment(text: string, at: number, lastClose: number): number {
  if (text.startsWith('//', at)) {
    END_OF_LINE.lastIndex = at;
    return END_OF_LINE.exec(text)?.index ?? text.length;
  }
  const isClosed = lastClose >= at + 2 && text.startsWith('/*', at);
  return isClosed ? text.indexOf('*/', at + 2) + 2 : at;
}

const END_OF_LINE = /[\n\r]/g;

/** Returns the offset after a string, which ends with its line at the latest. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character === '\n') return at;
    if (character !== '\\') continue;
    at++;
    if (/[\n\r\u2028\u2029]/.test(text.charAt(at))) return at;
  }
  return text.length;
}
