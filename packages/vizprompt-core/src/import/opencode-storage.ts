import { Readable } from 'node:stream';
import type { JsonObject } from '@vizprompt/providers';
import {
  isDeeperThan,
  isJsonObject,
  listAt,
  numberAt,
  textAt,
} from '@vizprompt/providers/internal';
import type { ImportLimits } from '../limits.ts';
import type { ImportedConversation } from './conversation.ts';
import { parseNested } from './fields.ts';
import { readMessages } from './read-messages.ts';
import { bytesOf, type PackedFile } from './zip-archive.ts';

/** A session of opencode before 1.2, which had a file for each message and for each of its parts. */
const SESSION = /^(.*\/)?session\/[^/]+\/(ses_\w+)\.json$/;

/** Where the folders of files about projects and sessions are, which hold no messages. */
const ABOUT = /(?<=^|\/)(?:project|session_diff|session_share|todo|migration)(?=\/|$)/g;

/** The files of a folder or an archive, with one for each session of opencode. */
export interface JoinedFiles {
  readonly files: readonly PackedFile[];
  /** The files next to these sessions, which hold no conversation. */
  readonly about: ReadonlySet<PackedFile>;
}

/** Makes one file, in the form of `opencode export`, of the files of each session that opencode stored. */
export function joinSessions(all: readonly PackedFile[], limits: ImportLimits): JoinedFiles {
  const sessions = all.flatMap((file) => {
    const [, root = '', id] = SESSION.exec(file.name) ?? [];
    return id === undefined ? [] : [{ file, root, id }];
  });
  if (sessions.length === 0) return { files: all, about: new Set() };
  const inFolder = new Map<string, PackedFile[]>();
  for (const file of all.filter(({ name }) => name.endsWith('.json'))) {
    const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
    const files = inFolder.get(folder) ?? [];
    files.push(file);
    inFolder.set(folder, files);
  }
  // The names ascend in the order in which the files were written; archives list them in any order.
  for (const files of inFolder.values()) files.sort(byName);
  const taken = new Set<PackedFile>();
  const take = (...folders: readonly string[]): readonly PackedFile[] => {
    const found = folders.flatMap((folder) => inFolder.get(folder) ?? []);
    for (const file of found) taken.add(file);
    return found;
  };
  const joined = new Map(
    sessions.map(({ file, root, id }) => {
      // The first versions had everything below `session`.
      const folders = [`${root}message/${id}/`, `${root}session/message/${id}/`];
      const messages = take(...folders).map((message) => {
        const name = nameOf(message);
        const parts = take(`${root}part/${name}/`, `${root}session/part/${id}/${name}/`);
        return { message, parts };
      });
      const open = async (): Promise<Readable> =>
        Readable.from(readSession(file, messages, limits));
      return [file, { name: file.name, open }] as const;
    }),
  );
  const roots = new Set(sessions.map(({ root }) => root));
  const files = all.filter((file) => !taken.has(file));
  const isAbout = ({ name }: PackedFile): boolean =>
    Array.from(name.matchAll(ABOUT)).some(({ index }) => roots.has(name.slice(0, index)));
  return {
    files: files.map((file) => joined.get(file) ?? file),
    about: new Set(files.filter(isAbout)),
  };
}

interface StoredMessage {
  readonly message: PackedFile;
  readonly parts: readonly PackedFile[];
}

/** A file with its text, which is JSON. */
interface StoredJson {
  readonly text: string;
  readonly value: JsonObject;
}

/** Characters of a text that are written at once. */
const PIECE = 1 << 20;

/** Writes a session as JSON. Files that are no JSON are in it as they are, next to its messages. */
async function* readSession(
  file: PackedFile,
  stored: readonly StoredMessage[],
  limits: ImportLimits,
): AsyncGenerator<Buffer> {
  const broken: { readonly file: string; readonly text: string }[] = [];
  const read = async (each: PackedFile): Promise<StoredJson | undefined> => {
    const bytes = await bytesOf(await each.open(), limits.entryCharacters);
    const text = bytes?.toString('utf8') ?? '';
    const value = parseNested(text);
    if (isJsonObject(value) && !isDeeperThan(value, limits.depth)) return { text, value };
    broken.push({ file: each.name, text });
    return undefined;
  };
  const session = await read(file);
  const messages: { info: string; time: number; parts: readonly PackedFile[] }[] = [];
  // A message without a time follows the one before it by name.
  let time = 0;
  for (const { message, parts } of stored) {
    const head = await read(message);
    time = createdOf(head?.value ?? {}) ?? time;
    const info = head?.text ?? JSON.stringify({ id: nameOf(message), role: 'assistant' });
    messages.push({ info, time, parts });
  }
  // In pieces: all parts together may be more than a string holds.
  yield Buffer.from(`{"info":${session?.text ?? '{}'},"messages":[`);
  let before = '';
  for (const { info, parts } of messages.toSorted((a, b) => a.time - b.time)) {
    yield Buffer.from(`${before}{"info":${info},"parts":[`);
    let comma = '';
    for (const part of parts) {
      const json = await read(part);
      if (!json) continue;
      yield Buffer.from(comma + json.text);
      comma = ',';
    }
    yield Buffer.from(']}');
    before = ',';
  }
  yield Buffer.from('],"broken":[');
  for (const [at, each] of broken.entries()) {
    yield Buffer.from(`${at === 0 ? '' : ','}{"file":${JSON.stringify(each.file)},"text":"`);
    for (let from = 0; from < each.text.length; from += PIECE)
      yield Buffer.from(JSON.stringify(each.text.slice(from, from + PIECE)).slice(1, -1));
    yield Buffer.from('"}');
  }
  yield Buffer.from(']}');
}

/** Reads a session of opencode. Its files that are no JSON are warnings. */
export function readOpencode(entry: JsonObject): ImportedConversation {
  const conversation = readMessages('opencode', entry, { isRow: true });
  const broken = listAt(entry, 'broken').flatMap((each) => {
    const file = isJsonObject(each) ? textAt(each, 'file') : undefined;
    return file === undefined ? [] : [`${file} is damaged or too large: it is not a message`];
  });
  return { ...conversation, warnings: [...conversation.warnings, ...broken] };
}

function createdOf({ time }: JsonObject): number | undefined {
  return isJsonObject(time) ? numberAt(time, 'created') : undefined;
}

function byName(a: PackedFile, b: PackedFile): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function nameOf({ name }: PackedFile): string {
  return name.replace(/^.*\//, '').replace(/\.json$/, '');
}
