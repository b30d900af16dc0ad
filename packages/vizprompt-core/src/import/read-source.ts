import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { messageOf } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { splitJson } from './split-json.ts';
import { readZip } from './read-zip.ts';
import type { SourceFile } from './source-file.ts';

/** What can be imported: a path to a file or a folder, or an export that was parsed already. */
export type ImportSource = string | URL | object;

/** An entry of a source, parsed or with the reason why not. */
export interface SourceEntry {
  /** Where it stands, for reports: `conversations.json, entry 3`. */
  readonly name: string;
  readonly value?: unknown;
  readonly error?: string;
}

/** The files of an export that hold conversations: one, or many with numbers. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/;

/**
 * Reads the entries of a source one after the other.
 *
 * @throws VizPromptError with the code `import-unreadable` if there is nothing to read.
 */
export async function* readSource(source: ImportSource): AsyncGenerator<SourceEntry> {
  if (typeof source !== 'string' && !(source instanceof URL)) {
    yield* readParsed(source);
    return;
  }
  for await (const { name, content } of openFiles(source)) {
    let count = 0;
    for await (const text of splitJson(toText(content, name))) {
      count++;
      yield parseEntry(`${name}, entry ${count}`, text);
    }
  }
}

function* readParsed(source: object): Generator<SourceEntry> {
  const listed = 'conversations' in source ? source.conversations : source;
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  for (const [at, value] of entries.entries()) yield { name: `entry ${at + 1}`, value };
}

function parseEntry(name: string, text: string): SourceEntry {
  try {
    return { name, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { name, error: `it is no JSON: ${messageOf(error)}` };
  }
}

async function* openFiles(source: string | URL): AsyncGenerator<SourceFile> {
  const shown = String(source);
  const stats = await stat(source).catch((cause: unknown) => {
    throw new VizPromptError('import-unreadable', `cannot read ${shown}: ${messageOf(cause)}`, {
      cause,
    });
  });
  if (stats.isDirectory()) yield* openFolder(source instanceof URL ? source.pathname : source);
  else if (/\.zip$/i.test(shown)) yield* readZip(source, (name) => CONVERSATIONS.test(name));
  else yield { name: shown.replace(/^.*[/\\]/, ''), content: createReadStream(source) };
}

async function* openFolder(folder: string): AsyncGenerator<SourceFile> {
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => CONVERSATIONS.test(name))
    .toSorted();
  if (names.length === 0) {
    throw new VizPromptError(
      'import-unreadable',
      `there is no conversations.json in ${folder}: unpack the export there, or name the file`,
    );
  }
  for (const name of names) yield { name, content: createReadStream(join(folder, name)) };
}

async function* toText(content: Readable, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of content) {
      if (chunk instanceof Uint8Array) yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (cause) {
    throw new VizPromptError('import-unreadable', `${name}: ${messageOf(cause)}`, { cause });
  }
}
