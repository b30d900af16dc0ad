import { messageOf } from '@vizprompt/providers';
import { decodeUtf8, JsonSyntaxError, parseJsonText } from '@vizprompt/providers/config';
import { readNamedFile } from '@vizprompt/providers/internal';
import { guardYaml, repeatedKey } from '@vizprompt/providers/config/internal';
import type { WorkflowSource } from '../definition/workflow-file.ts';
import type { Finding, Source } from '../problems/finding.ts';
import { readFastYaml } from './fast-yaml.ts';

const MULTIPLE = new Error("a second document begins here ('---'), and a file holds one");

/** What came of reading a file: the source, and why it has no value. */
interface ReadSource {
  readonly source: Source;
  readonly findings: readonly Finding[];
}

/** How a file is read. */
interface ReadOptions {
  /** What an object is called in messages. */
  readonly name: string;
  /** Whether to look for what a quick reading lets pass: a key that an object has twice. */
  readonly isThorough: boolean;
}

/** The largest file of a workflow. */
const MAX_BYTES: number = 4 << 20;

/** Reads a file; what is no path is taken as it is. */
export async function readSource(
  given: WorkflowSource,
  { name, isThorough }: ReadOptions,
): Promise<ReadSource> {
  if (typeof given !== 'string' && !(given instanceof URL)) {
    return { source: { name, value: given, format: 'object' }, findings: [] };
  }
  const file = String(given);
  let bytes: Uint8Array;
  try {
    bytes = await readNamedFile(given, { maxBytes: MAX_BYTES });
  } catch (error) {
    const source: Source = { name: file, value: undefined, format: 'object' };
    const words = { problem: messageOf((error instanceof Error && error.cause) || error) };
    return { source, findings: [{ code: 'unreadable', source, path: [], words }] };
  }
  const { text, problem } = decodeUtf8(bytes);
  if (problem === undefined) return parseSource(file, text, isThorough);
  const source: Source = { name: file, text, value: undefined, format: 'yaml' };
  const words = { problem };
  return { source, findings: [{ code: 'syntax', source, path: [], offset: text.length, words }] };
}

/** Parses the text of a file: JSON where it is called so or begins so, else YAML. */
export async function parseSource(
  file: string,
  text: string,
  isThorough: boolean,
): Promise<ReadSource> {
  const isJson = /\.json$/i.test(file);
  if (isJson || /^\uFEFF?\s*\{/.test(text)) {
    const value = isThorough ? undefined : jsonValue(text);
    if (value !== undefined)
      return { source: { name: file, text, value, format: 'json' }, findings: [] };
    const json = parseJson(file, text);
    if (isJson || json.findings.length === 0) return json;
  }
  const value = isThorough ? undefined : readFastYaml(text);
  if (value !== undefined)
    return { source: { name: file, text, value, format: 'yaml' }, findings: [] };
  return parseYaml(file, text);
}

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseJson(file: string, text: string): ReadSource {
  try {
    const { value } = parseJsonText(text);
    return { source: { name: file, text, value, format: 'json' }, findings: [] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const source: Source = { name: file, text, value: undefined, format: 'json' };
    const lines = text.split('\n').slice(0, error.place.line - 1);
    const offset = lines.reduce((sum, line) => sum + line.length + 1, error.place.column - 1);
    return { source, findings: [syntaxFinding(source, offset, error)] };
  }
}

async function parseYaml(file: string, text: string): Promise<ReadSource> {
  const { Lexer, parseDocument } = await import('yaml');
  const broken: Source = { name: file, text, value: undefined, format: 'yaml' };
  const excess = guardYaml(new Lexer(), text, { maxCharacters: MAX_BYTES });
  if (excess) {
    return { source: broken, findings: [syntaxFinding(broken, excess.offset, excess.problem)] };
  }
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
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
