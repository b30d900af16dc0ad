import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type JsonValue, messageOf } from '@vizprompt/providers';
import {
  isDeeperThan,
  isJsonObject,
  jsonEncoding,
  jsonOf,
  streamPlainFile,
  whyUnreadable,
} from '@vizprompt/providers/internal';
import { isWithin } from '@vizprompt/providers/trust/internal';
import { VizPromptError } from '../errors.ts';
import type { ImportLimits } from '../limits.ts';
import { readCsv } from './csv.ts';
import { isServerEvents, readServerEvents } from './event-streams.ts';
import { gatherRecords, type SourceEntry } from './gather-records.ts';
import { findList } from './list-messages.ts';
import { readLlmLogs } from './llm-logs.ts';
import { dataInPage, isPage } from './pages.ts';
import { readPlainText } from './plain-text.ts';
import { isProjectFolder, readProjectFolder } from './read-project-folder.ts';
import { openSource, openSources, type SourceFile } from './source-files.ts';
import { type EntryText, splitJson, splitLines } from './split-entries.ts';
import {
  DamagedFile,
  gunzip,
  type PackedFile,
  type ReadOptions,
  unreadable,
} from './zip-archive.ts';

/** A source of an import: a path to a file or a folder, or an export that was parsed already. */
export type ImportSource = string | URL | object;

const NO_UTF8 = 'bytes that are no UTF-8 became U+FFFD, here or in the entry before';

/**
 * Reads the entries of a source one after the other.
 *
 * @throws VizPromptError with the code `import-unreadable` if there is nothing to read.
 */
export async function* readSource(
  source: ImportSource,
  options: ReadOptions,
): AsyncGenerator<SourceEntry> {
  const { limits } = options;
  if (typeof source !== 'string' && !(source instanceof URL)) {
    yield* gatherRecords('entry 1', readParsed(source, limits), limits);
    return;
  }
  const path = pathOf(source);
  const stats = await stat(path).catch((cause: unknown) => {
    throw unreadable(`cannot read ${String(source)}: ${whyUnreadable(cause)}`, cause);
  });
  const isFolder = stats.isDirectory();
  const names = isFolder ? await listFolder(path) : [];
  if (isFolder && isProjectFolder(names)) {
    yield* readProjectFolder(path, names, limits);
    return;
  }
  if (!isFolder && /\.(?:db|sqlite3?)$/i.test(path)) {
    const name = path.replace(/^.*[/\\]/, '');
    yield* gatherRecords(name, readLlmLogs(path, name), limits);
    return;
  }
  const files = isFolder
    ? openSources(filesOf(path, names), path, options)
    : openSource(path.replace(/^.*[/\\]/, ''), path, options);
  for await (const file of files) {
    const { isSide, find, copy, head, error } = file;
    if (error !== undefined) {
      yield { name: file.name, error };
      continue;
    }
    const left = copy === undefined ? {} : { error: `${copy} holds its conversation` };
    for await (const entry of gatherRecords(file.name, readEntries(file, options), limits)) {
      const { value } = entry;
      const about = head && isJsonObject(value) ? { value: { head, ...value } } : {};
      yield { ...(isSide ? { isSide } : {}), ...entry, ...about, find, ...left };
    }
  }
}

function pathOf(source: string | URL): string {
  if (typeof source === 'string') return source;
  if (source.protocol === 'file:') return fileURLToPath(source);
  throw unreadable(`${source.href} is no file: download it first`);
}

function* readParsed(source: object, { depth }: ImportLimits): Generator<SourceEntry> {
  const holds = 'conversations' in source && Array.isArray(source.conversations);
  const listed: unknown = 'conversations' in source ? source.conversations : source;
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  for (const [at, value] of entries.entries()) {
    const name = `entry ${at + 1}`;
    yield isDeeperThan(value, depth) ? { name, error: tooDeep(depth) } : { name, value };
  }
  if (holds) {
    const value = { ...source, conversations: [] };
    if (!isDeeperThan(value, depth)) yield { name: 'the rest', value, isRest: true };
  }
}

function tooDeep(depth: number): string {
  return `it is nested deeper than ${depth} levels`;
}

async function* readEntries(file: SourceFile, options: ReadOptions): AsyncGenerator<SourceEntry> {
  const damage: Damage = { isFound: false };
  try {
    for await (const entry of parseEntries(file, damage, options)) {
      yield damage.isFound ? { ...entry, warnings: [...(entry.warnings ?? []), NO_UTF8] } : entry;
      damage.isFound = false;
    }
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    // Reported also next to conversations, where what is no conversation is not.
    yield { name: file.name, error: error.message, isSide: false };
  }
}

async function* parseEntries(
  { name: file, content }: SourceFile,
  damage: Damage,
  { limits, signal }: ReadOptions,
): AsyncGenerator<SourceEntry> {
  const name = file.replace(/\.gz$/i, '');
  const bytes = /\.gz$/i.test(file) ? gunzip(content, file, limits) : content;
  const chunks = decodeText(readable(bytes, name, signal), damage);
  const { value: first = '' } = await chunks.next();
  const text = prepend(first, chunks);
  if (isServerEvents(first)) {
    yield* readDocument(name, text, limits);
    return;
  }
  if (isLines(name, first)) {
    for await (const line of splitLines(text, limits)) {
      // The last line of a session may be one that is being written: the next import has it.
      yield parseEntry(`${name}, line ${line.number}`, line, limits, true);
    }
    return;
  }
  if (/\.[ct]sv$/i.test(name)) {
    yield* readCsv(name, text, limits);
    return;
  }
  if (isPage(first) || TEXT_FILE.test(name)) {
    yield* readDocument(name, text, limits);
    return;
  }
  yield* readJson(name, text, limits);
}

/** Files that may hold a chat as plain text. */
const TEXT_FILE = /\.(?:txt|md|markdown|log)$/i;

/** Reads the conversations of a page or a plain text; JSON may be in a file of any name. */
async function* readDocument(
  name: string,
  chunks: AsyncIterable<string>,
  limits: ImportLimits,
): AsyncGenerator<SourceEntry> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > limits.entryCharacters) {
      yield { name, error: `it has more than ${limits.entryCharacters} characters: split it` };
      return;
    }
  }
  const isHtml = isPage(text);
  const data = isHtml ? dataInPage(text) : (readServerEvents(text) ?? readPlainText(text));
  const holdsJson = !isHtml && /^\s*[[{]/.test(text) && data === undefined;
  if (holdsJson || typeof data === 'string') {
    yield* readJson(name, inOne(typeof data === 'string' ? data : text), limits);
  } else if (data === undefined) {
    const form = isHtml ? 'page' : 'text';
    yield {
      name,
      value: { [form]: text },
      error: `it is a ${form} in which no chat of a known form is found`,
    };
  } else {
    for (const value of Array.isArray(data) ? data : [data]) {
      yield { name, value, characters: text.length };
    }
  }
}

async function* inOne(text: string): AsyncGenerator<string> {
  yield text;
}

async function* readJson(
  name: string,
  text: AsyncIterable<string>,
  limits: ImportLimits,
): AsyncGenerator<SourceEntry> {
  let count = 0;
  for await (const entry of splitJson(text, limits)) {
    const { isRest } = entry;
    const parsed = parseEntry(isRest ? name : `${name}, entry ${++count}`, entry, limits);
    yield isRest ? { ...parsed, isRest } : parsed;
  }
}

/** Checks whether each line is an entry, by the name of the file or by its first line. */
function isLines(name: string, start: string): boolean {
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return true;
  const text = start.trimStart();
  const end = text.indexOf('\n');
  const line = text.slice(0, Math.max(0, end)).trimEnd();
  if (!line.startsWith('{') || !line.endsWith('}')) return false;
  return text.slice(end).trimStart().startsWith('{') && isJson(line);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function parseEntry(
  name: string,
  { text, problem }: EntryText,
  limits: ImportLimits,
  isLine = false,
): SourceEntry {
  if (text === undefined) return { name, error: problem };
  try {
    const value = parseLoosely(text);
    const { depth } = limits;
    if (isDeeperThan(value, depth)) return { name, error: tooDeep(depth) };
    return { name, value, characters: text.length };
  } catch (error) {
    const cut = isLine ? undefined : parseCut(text);
    if (cut && !isDeeperThan(cut.value, limits.depth)) {
      const warnings = [`it is cut off: its last ${cut.left} characters were not read`];
      return { name, value: cut.value, characters: text.length, warnings };
    }
    return { name, error: `it is no JSON: ${messageOf(error)}` };
  }
}

/** Lists the files below a folder. Without the types of entries, Node would follow links to folders, in circles too. */
async function listFolder(folder: string): Promise<readonly string[]> {
  const root = await realpath(folder);
  const names: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isRead = entry.isFile() || (entry.isSymbolicLink() && (await isFileWithin(root, path)));
    if (isRead) names.push(relative(folder, path).replaceAll('\\', '/'));
  }
  return names.toSorted();
}

/** Checks whether a link leads to a plain file that is inside a folder, and not to a file of its user. */
async function isFileWithin(root: string, path: string): Promise<boolean> {
  try {
    const target = await realpath(path);
    return isWithin(root, target) && (await stat(target)).isFile();
  } catch {
    // It leads nowhere, or in a circle.
    return false;
  }
}

function filesOf(folder: string, names: readonly string[]): PackedFile[] {
  return names.map((name) => ({ name, open: async () => openFound(folder, name) }));
}

function openFound(folder: string, name: string): Readable {
  try {
    return streamPlainFile(join(folder, name));
  } catch (cause) {
    throw unreadable(`${name}: ${messageOf(cause)}`, cause);
  }
}

/** Returns the pieces of a file. The loop of events turns for each, so that a signal is noticed within a file. */
async function* readable(
  content: AsyncIterable<unknown>,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator {
  try {
    for await (const chunk of content) {
      signal?.throwIfAborted();
      yield chunk;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof VizPromptError) throw cause;
    throw unreadable(`${name}: ${messageOf(cause)}`, cause);
  }
}

/** Problems in the bytes of a text since the last check. */
interface Damage {
  /** `true`: some bytes are invalid in its encoding. */
  isFound: boolean;
}

const REPLACED = '\ufffd';
const REPLACED_BYTES = Buffer.byteLength(REPLACED);

/**
 * Reads bytes as UTF-8, or as UTF-16 where the first ones show that; what is neither becomes U+FFFD, so that the
 * rest can be read.
 */
async function* decodeText(chunks: AsyncIterable<unknown>, damage: Damage): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let end: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) continue;
    decoder ??= new TextDecoder(jsonEncoding(chunk));
    const text = decoder.decode(chunk, { stream: true });
    if (text.includes(REPLACED)) {
      // The source may hold that character itself.
      const isUtf8 = decoder.encoding === 'utf-8';
      const own = isUtf8 ? countOf(Buffer.concat([end, chunk]), REPLACED_BYTES) : 0;
      damage.isFound ||= countOf(text, REPLACED.length) > own;
    }
    end = chunk.subarray(-2);
    yield text;
  }
  const rest = decoder?.decode() ?? '';
  damage.isFound ||= rest !== '';
  yield rest;
}

function countOf(whole: string | Buffer, step: number): number {
  let found = 0;
  for (let at = whole.indexOf(REPLACED); at >= 0; at = whole.indexOf(REPLACED, at + step)) found++;
  return found;
}

/** Escapes, the quotes of strings, and numbers of Python: a string of millions of escapes is too much for one match. */
const TOKENS = /(?:\\[^][^"\\]*){1,1000}|"|-?\b(?:NaN|Infinity)\b/g;

/** Text that programs write before JSON: a guard of Google, a variable, a comment. */
const BEFORE =
  /^\s*(?:\)\]\}'?,?|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/)){0,10000}\*\/|(?:export\s{1,9}default|(?:(?:var|let|const)\s{1,9})?[\w$.]{1,100}\s{0,9}=)(?=\s*[[{]))/;

/** Returns a text without what is around its JSON; `undefined` if there is nothing around it. */
function unwrapped(text: string): string | undefined {
  const before = BEFORE.exec(text)?.[0] ?? '';
  if (before === '') return undefined;
  const end = text.trimEnd();
  return text.slice(before.length, end.endsWith(';') ? end.length - 1 : end.length);
}

/** Returns a text without all that is around its JSON, such as many lines of comments. */
function withoutFrame(text: string): string {
  let inner = text;
  for (let next = unwrapped(text); next !== undefined; next = unwrapped(next)) inner = next;
  return inner;
}

/** Parses JSON; `NaN` and the like, as Python writes them, are null. */
export function parseLoosely(text: string): JsonValue {
  try {
    return jsonOf(JSON.parse(text));
  } catch (error) {
    const inner = withoutFrame(text);
    if (inner !== text) return parseLoosely(inner);
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
function parseCut(text: string): { readonly value: JsonValue; readonly left: number } | undefined {
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
