import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isDeeperThan, messageOf } from '@vizprompt/providers';
import { streamPlainFile } from '@vizprompt/providers/internal';
import { isWithin } from '@vizprompt/providers/trust';
import { VizPromptError } from '../errors.ts';
import type { ImportLimits } from '../limits.ts';
import { decodeText, type Damage } from './decode-text.ts';
import type { EntryText } from './entry-pieces.ts';
import { gatherRecords, type SourceEntry } from './gather-records.ts';
import { isProjectFolder, readProjectFolder } from './read-project-folder.ts';
import { readZip } from './read-zip.ts';
import type { SourceFile } from './source-file.ts';
import { splitJson } from './split-json.ts';
import { splitLines } from './split-lines.ts';

/** What can be imported: a path to a file or a folder, or an export that was parsed already. */
export type ImportSource = string | URL | object;

/** The files of an export that hold conversations: one, or many with numbers. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/;

const NO_UTF8 = 'bytes that are no UTF-8 stand as U+FFFD, here or in the entry before';

/** Files that each hold a conversation, where there is none of the above. */
const OTHERS = /\.(?:json|jsonl|ndjson)$/i;

/** How a source is read. */
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
