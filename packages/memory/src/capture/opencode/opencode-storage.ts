import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import {
  isJsonObject,
  numberAt,
  objectAt,
  parseJson,
  readPlainFile,
  textAt,
} from '@vizprompt/providers/internal';

/** An id, which is also the name of a file or a folder. */
const ID = /^\w{1,100}$/;
/** Larger files are left out. */
const MAX_BYTES = 64 << 20;

const SESSION = /[\\/]storage[\\/]session[\\/][^\\/]+[\\/]ses_[^\\/]+\.json$/i;

/** Checks whether a file is a session of opencode before 1.2, which had a file for each message and each of its parts. */
export function isStoredSession(path: string): boolean {
  return SESSION.test(path);
}

/** Reads such a session with its messages, in the form of `opencode export`; `undefined` if its file is no JSON. */
export async function storedSession(path: string): Promise<JsonObject | undefined> {
  const info = objectIn(path);
  if (!info) return undefined;
  const named = textAt(info, 'id') ?? '';
  const id = ID.test(named) ? named : basename(path, '.json');
  const storage = dirname(dirname(dirname(path)));
  // The first versions had everything below `session`.
  const found = await objectsIn(join(storage, 'message', id), join(storage, 'session/message', id));
  const createdAt = (one: JsonObject): number => {
    const facts = 'parts' in one ? objectAt(one, 'metadata') : one;
    return numberAt(objectAt(facts, 'time'), 'created') ?? 0;
  };
  const messages: JsonObject[] = [];
  for (const message of found.toSorted((a, b) => createdAt(a) - createdAt(b))) {
    // Before 0.3, parts were in the message.
    if ('parts' in message) {
      messages.push(message);
      continue;
    }
    const name = textAt(message, 'id') ?? '';
    const folders = [join(storage, 'part', name), join(storage, 'session/part', id, name)] as const;
    messages.push({ info: message, parts: ID.test(name) ? await objectsIn(...folders) : [] });
  }
  return { info: { ...folderOf(found), ...info }, messages };
}

/** Returns the folder of a session as its answers have it: versions before 0.7 do not name it elsewhere. */
function folderOf(messages: readonly JsonObject[]): { directory?: string } {
  for (const message of messages) {
    const facts =
      'parts' in message ? objectAt(objectAt(message, 'metadata'), 'assistant') : message;
    const directory = textAt(objectAt(facts, 'path'), 'cwd');
    if (directory !== undefined) return { directory };
  }
  return {};
}

/** Returns the objects in the files of the first folder that there is, in the order of their names. */
async function objectsIn(...folders: readonly string[]): Promise<JsonObject[]> {
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => undefined);
    if (!names) continue;
    const paths = names.filter((name) => name.endsWith('.json')).toSorted();
    return paths.map((name) => objectIn(join(folder, name))).filter((one) => one !== undefined);
  }
  return [];
}

/** Reads an object. A file that is being written is read by the next import. */
function objectIn(path: string): JsonObject | undefined {
  try {
    const bytes = readPlainFile(path, { maxBytes: MAX_BYTES });
    const value = parseJson(bytes?.toString() ?? '');
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
