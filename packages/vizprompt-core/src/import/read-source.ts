import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { decodeText, type Damage } from './decode-text.ts';
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

/**
 * Reads the entries of a source one after the other.
 *
 * @throws VizPromptError with the code `import-unreadable` if there is nothing to read.
 */
export async function* readSource(source: ImportSource): AsyncGenerator<SourceEntry> {
  if (typeof source !== 'string' && !(source instanceof URL)) {
    yield* gatherRecords('entry 1', readParsed(source));
    return;
  }
  const path = pathOf(source);
  const stats = await stat(path).catch((cause: unknown) => {
    throw unreadable(`cannot read ${String(source)}: ${messageOf(cause)}`, cause);
  });
  const isFolder = stats.isDirectory();
  const names = isFolder ? await listFolder(path) : [];
  if (isFolder && isProjectFolder(names)) {
    yield* readProjectFolder(path, names);
    return;
  }
  for await (const file of isFolder ? openAll(path, names) : openFile(path)) {
    yield* gatherRecords(file.name, readEntries(file));
  }
}

function pathOf(source: string | URL): string {
  if (typeof source === 'string') return source;
  if (source.protocol === 'file:') return fileURLToPath(source);
  throw unreadable(`${source.href} is no file: download it first`);
}

function* readParsed(source: object): Generator<SourceEntry> {
  const listed = 'conversations' in source ? source.conversations : source;
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  for (const [at, value] of entries.entries()) yield { name: `entry ${at + 1}`, value };
}

async function* readEntries(file: SourceFile): AsyncGenerator<SourceEntry> {
  const damage: Damage = { isFound: false };
  for await (const entry of parseEntries(file, damage)) {
    yield damage.isFound ? { ...entry, warnings: [NO_UTF8] } : entry;
    damage.isFound = false;
  }
}

async function* parseEntries(
  { name, content }: SourceFile,
  damage: Damage,
): AsyncGenerator<SourceEntry> {
  const chunks = decodeText(readable(content, name), damage);
  const { value: first = '' } = await chunks.next();
  const text = prepend(first, chunks);
  if (isLines(name, first)) {
    for await (const line of splitLines(text)) {
      yield parseEntry(`${name}, line ${line.number}`, line.text);
    }
    return;
  }
  let count = 0;
  for await (const entry of splitJson(text)) yield parseEntry(`${name}, entry ${++count}`, entry);
}

/** Whether each line is an entry, by the name of the file or by its first line. */
function isLines(name: string, start: string): boolean {
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return true;
  const [, line, next = ''] = /^\s*(\{.*\})\s*\n\s*(.)/.exec(start) ?? [];
  return line !== undefined && next === '{' && parseEntry('', line).error === undefined;
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function parseEntry(name: string, text: string): SourceEntry {
  try {
    return { name, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { name, error: `it is no JSON: ${messageOf(error)}` };
  }
}

async function* openFile(path: string): AsyncGenerator<SourceFile> {
  if (/\.zip$/i.test(path)) yield* readZip(path, (name) => CONVERSATIONS.test(name));
  else yield { name: path.replace(/^.*[/\\]/, ''), content: createReadStream(path) };
}

/** What is below a folder. Without the types of entries, Node would follow links to folders, in circles too. */
async function listFolder(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .toSorted();
}

async function* openAll(folder: string, all: readonly string[]): AsyncGenerator<SourceFile> {
  const conversations = all.filter((name) => CONVERSATIONS.test(name));
  const names = conversations.length > 0 ? conversations : all.filter((name) => OTHERS.test(name));
  if (names.length === 0) {
    throw unreadable(
      `there is no conversations.json in ${folder}, nor another file .json or .jsonl: unpack the export there, or name the file`,
    );
  }
  for (const name of names) yield { name, content: createReadStream(join(folder, name)) };
}

async function* readable(content: Readable, name: string): AsyncGenerator {
  try {
    yield* content;
  } catch (cause) {
    throw unreadable(`${name}: ${messageOf(cause)}`, cause);
  }
}

function unreadable(message: string, cause?: unknown): VizPromptError {
  return new VizPromptError('import-unreadable', message, { cause });
}
