import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vizprompt/providers';
import { streamPlainFile, isDeeperThan } from '@vizprompt/providers/internal';
import { isWithin } from '@vizprompt/providers/trust/internal';
import type { Entry, ZipFile } from 'yauzl';
import { VizPromptError } from '../errors.ts';
import type { ImportLimits } from '../limits.ts';
import { gatherRecords, type SourceEntry } from './gather-records.ts';
import { isProjectFolder, readProjectFolder } from './read-project-folder.ts';
import { type EntryText, splitJson, splitLines } from './split-entries.ts';

/** A source of an import: a path to a file or a folder, or an export that was parsed already. */
export type ImportSource = string | URL | object;

/** The files of an export that hold conversations: one, or many with numbers. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/;

const NO_UTF8 = 'bytes that are no UTF-8 stand as U+FFFD, here or in the entry before';

/** Files that each hold a conversation, where there is none of the above. */
const OTHERS = /\.(?:json|jsonl|ndjson)$/i;

/** Options for reading a source. */
export interface ReadOptions {
  readonly limits: ImportLimits;
  /** Stops between two pieces of a file. */
  readonly signal?: AbortSignal | undefined;
}

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
    throw unreadable(`cannot read ${String(source)}: ${messageOf(cause)}`, cause);
  });
  const isFolder = stats.isDirectory();
  const names = isFolder ? await listFolder(path) : [];
  if (isFolder && isProjectFolder(names)) {
    yield* readProjectFolder(path, names, limits);
    return;
  }
  for await (const file of isFolder ? openAll(path, names) : openFile(path, limits)) {
    yield* gatherRecords(file.name, readEntries(file, options), limits);
  }
}

function pathOf(source: string | URL): string {
  if (typeof source === 'string') return source;
  if (source.protocol === 'file:') return fileURLToPath(source);
  throw unreadable(`${source.href} is no file: download it first`);
}

function* readParsed(source: object, { depth }: ImportLimits): Generator<SourceEntry> {
  const listed = 'conversations' in source ? source.conversations : source;
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  for (const [at, value] of entries.entries()) {
    const name = `entry ${at + 1}`;
    yield isDeeperThan(value, depth) ? { name, error: tooDeep(depth) } : { name, value };
  }
}

function tooDeep(depth: number): string {
  return `it is nested deeper than ${depth} levels`;
}

async function* readEntries(file: SourceFile, options: ReadOptions): AsyncGenerator<SourceEntry> {
  const damage: Damage = { isFound: false };
  for await (const entry of parseEntries(file, damage, options)) {
    yield damage.isFound ? { ...entry, warnings: [NO_UTF8] } : entry;
    damage.isFound = false;
  }
}

async function* parseEntries(
  { name, content }: SourceFile,
  damage: Damage,
  { limits, signal }: ReadOptions,
): AsyncGenerator<SourceEntry> {
  const chunks = decodeText(readable(content, name, signal), damage);
  const { value: first = '' } = await chunks.next();
  const text = prepend(first, chunks);
  if (isLines(name, first)) {
    for await (const line of splitLines(text, limits)) {
      yield parseEntry(`${name}, line ${line.number}`, line, limits);
    }
    return;
  }
  let count = 0;
  for await (const entry of splitJson(text, limits)) {
    yield parseEntry(`${name}, entry ${++count}`, entry, limits);
  }
}

/** Whether each line is an entry, by the name of the file or by its first line. */
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

function parseEntry(name: string, { text, problem }: EntryText, limits: ImportLimits): SourceEntry {
  if (text === undefined) return { name, error: problem };
  try {
    const value = JSON.parse(text) as unknown;
    const { depth } = limits;
    if (isDeeperThan(value, depth)) return { name, error: tooDeep(depth) };
    return { name, value, characters: text.length };
  } catch (error) {
    return { name, error: `it is no JSON: ${messageOf(error)}` };
  }
}

async function* openFile(path: string, limits: ImportLimits): AsyncGenerator<SourceFile> {
  if (/\.zip$/i.test(path)) yield* readZip(path, (name) => CONVERSATIONS.test(name), limits);
  else yield { name: path.replace(/^.*[/\\]/, ''), content: createReadStream(path) };
}

/** What is below a folder. Without the types of entries, Node would follow links to folders, in circles too. */
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

async function* openAll(folder: string, all: readonly string[]): AsyncGenerator<SourceFile> {
  const conversations = all.filter((name) => CONVERSATIONS.test(name));
  const names = conversations.length > 0 ? conversations : all.filter((name) => OTHERS.test(name));
  if (names.length === 0) {
    throw unreadable(
      `there is no conversations.json in ${folder}, nor another file .json or .jsonl: unpack the export there, or name the file`,
    );
  }
  for (const name of names) yield { name, content: openFound(folder, name) };
}

function openFound(folder: string, name: string): Readable {
  try {
    return streamPlainFile(join(folder, name));
  } catch (cause) {
    throw unreadable(`${name}: ${messageOf(cause)}`, cause);
  }
}

/** The pieces of a file. The loop of events turns for each, so that a signal is noticed within a file. */
async function* readable(
  content: Readable,
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
    throw unreadable(`${name}: ${messageOf(cause)}`, cause);
  }
}

function unreadable(message: string, cause?: unknown): VizPromptError {
  return new VizPromptError('import-unreadable', message, { cause });
}

/** A file with conversations. */
interface SourceFile {
  readonly name: string;
  readonly content: Readable;
}

/** Smaller files may be compressed as much as they like: they do no harm. */
const HARMLESS_BYTES = 32 << 20;

/**
 * Opens the files of a zip archive whose names fit, one after the other, as streams.
 *
 * @throws VizPromptError with the code `import-unreadable` if it is no zip archive, or one of those files
 * unpacks to more than `limits.zipRatio` times its size.
 */
async function* readZip(
  source: string | URL,
  fits: (name: string) => boolean,
  limits: ImportLimits,
): AsyncGenerator<SourceFile> {
  const path = source instanceof URL ? fileURLToPath(source) : source;
  const { openPromise } = await import('yauzl');
  const zip: ZipFile = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw unreadable(`${path} is no zip archive: ${messageOf(cause)}`, cause);
  });
  try {
    let isEmpty = true;
    const total = { compressedSize: zip.fileSize, uncompressedSize: 0 };
    for await (const entry of entriesOf(zip, path)) {
      const { fileName, uncompressedSize } = entry;
      if (!fits(fileName)) continue;
      isEmpty = false;
      assertRatio(fileName, entry, limits);
      // Entries may share their bytes.
      total.uncompressedSize += uncompressedSize;
      assertRatio(path, total, limits);
      yield { name: fileName, content: await openEntry(zip, entry) };
    }
    if (!isEmpty) return;
    throw unreadable(`there is no conversations.json in ${path}`);
  } finally {
    zip.close();
  }
}

async function* entriesOf(zip: ZipFile, path: string): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (cause) {
    throw unreadable(`${path} is damaged: ${messageOf(cause)}`, cause);
  }
}

async function openEntry(zip: ZipFile, entry: Entry): Promise<SourceFile['content']> {
  const { fileName } = entry;
  if (entry.isEncrypted()) throw unreadable(`${fileName} is encrypted: unpack it yourself`);
  return zip.openReadStreamPromise(entry).catch((cause: unknown) => {
    throw unreadable(`${fileName} cannot be unpacked: ${messageOf(cause)}`, cause);
  });
}

/** The size is that of the archive's directory; a stream that gives more than it says fails. */
function assertRatio(
  fileName: string,
  { compressedSize, uncompressedSize }: Pick<Entry, 'compressedSize' | 'uncompressedSize'>,
  { zipRatio }: ImportLimits,
): void {
  if (uncompressedSize <= Math.max(HARMLESS_BYTES, compressedSize * zipRatio)) return;
  throw unreadable(
    `${fileName} unpacks from ${compressedSize} to ${uncompressedSize} bytes, more than ${zipRatio} times: ` +
      'unpack it yourself if you trust it, or raise limits.zipRatio',
  );
}

/** What was odd about the bytes of a text, since it was asked for last. */
interface Damage {
  /** Some were no UTF-8. */
  isFound: boolean;
}

const REPLACED = '\ufffd';
const REPLACED_BYTES = Buffer.byteLength(REPLACED);

/** Reads bytes as UTF-8; what is none becomes U+FFFD, so that the rest can be read. */
async function* decodeText(chunks: AsyncIterable<unknown>, damage: Damage): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let end: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) continue;
    const text = decoder.decode(chunk, { stream: true });
    if (text.includes(REPLACED)) {
      // The source may hold that character itself.
      const own = countOf(Buffer.concat([end, chunk]), REPLACED_BYTES);
      damage.isFound ||= countOf(text, REPLACED.length) > own;
    }
    end = chunk.subarray(-2);
    yield text;
  }
  const rest = decoder.decode();
  damage.isFound ||= rest !== '';
  yield rest;
}

function countOf(whole: string | Buffer, step: number): number {
  let found = 0;
  for (let at = whole.indexOf(REPLACED); at >= 0; at = whole.indexOf(REPLACED, at + step)) found++;
  return found;
}
