import { Readable } from 'node:stream';
import type { JsonObject } from '@vizprompt/providers';
import { isDeeperThan, isJsonObject, numberAt, parseJson } from '@vizprompt/providers/internal';
import type { ImportLimits } from '../limits.ts';
import { bytesOf, type PackedFile } from './zip-archive.ts';

/** A session of opencode before 1.2, which had a file for each message and for each of its parts. */
const SESSION = /^(.*\/)?session\/[^/]+\/(ses_\w+)\.json$/;

/** Files about projects and sessions, which hold no messages. */
const ABOUT = /^(?:project|session_diff|session_share|todo|migration)(?:\/|$)/;

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
    const folder = file.name.replace(/[^/]*$/, '');
    const files = inFolder.get(folder) ?? [];
    files.push(file);
    inFolder.set(folder, files);
  }
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
        Readable.from([Buffer.from(JSON.stringify(await readSession(file, messages, limits)))]);
      return [file, { name: file.name, open }] as const;
    }),
  );
  const roots = new Set(sessions.map(({ root }) => root));
  const files = all.filter((file) => !taken.has(file));
  const isAbout = ({ name }: PackedFile): boolean =>
    [...roots].some((root) => name.startsWith(root) && ABOUT.test(name.slice(root.length)));
  return {
    files: files.map((file) => joined.get(file) ?? file),
    about: new Set(files.filter(isAbout)),
  };
}

interface StoredMessage {
  readonly message: PackedFile;
  readonly parts: readonly PackedFile[];
}

/** Reads a session. Files that are no JSON are kept as they are, next to its messages. */
async function readSession(
  file: PackedFile,
  stored: readonly StoredMessage[],
  limits: ImportLimits,
): Promise<JsonObject> {
  const broken: JsonObject[] = [];
  const read = async (each: PackedFile): Promise<JsonObject[]> => {
    const text = (await bytesOf(await each.open(), limits.entryCharacters))?.toString('utf8');
    const value = text === undefined ? undefined : parseJson(text);
    if (isJsonObject(value) && !isDeeperThan(value, limits.depth)) return [value];
    broken.push({ file: each.name, ...(text === undefined ? {} : { text }) });
    return [];
  };
  const [info = {}] = await read(file);
  const messages: { info: JsonObject; parts: JsonObject[] }[] = [];
  for (const { message, parts } of stored) {
    const [head = { id: nameOf(message), role: 'assistant' }] = await read(message);
    const said: JsonObject[] = [];
    for (const part of parts) said.push(...(await read(part)));
    messages.push({ info: head, parts: said });
  }
  const timeOf = ({ info: { time } }: { info: JsonObject }): number =>
    (isJsonObject(time) ? numberAt(time, 'created') : undefined) ?? 0;
  messages.sort((a, b) => timeOf(a) - timeOf(b));
  return { info, messages, ...(broken.length > 0 ? { broken } : {}) };
}

function nameOf({ name }: PackedFile): string {
  return name.replace(/^.*\//, '').replace(/\.json$/, '');
}
