import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '@vizprompt/providers';
import { checkArgument, STORABLE } from '../../check-values.ts';
import { MemoryError } from '../../errors.ts';
import { isOpencodeName, OpencodeDatabase } from '../opencode/opencode-database.ts';
import { isStoredSession } from '../opencode/opencode-storage.ts';
import { whyUnreadable } from '@vizprompt/providers/internal';
import { isPacked } from './packed-file.ts';

/** A file to read. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** The only session of the file that is meant, where it is a database of many. */
  readonly session?: string | undefined;
}

/**
 * Returns the file, or all `.jsonl` and `.json` files below the folder, and the sessions of databases: what began first
 * comes first, so that a fork comes after the session whose lines it repeats.
 *
 * @throws MemoryError `invalid-input` if there is neither.
 */
export async function findFiles(path: string): Promise<readonly FoundFile[]> {
  checkArgument('the path of transcripts', path, STORABLE);
  const facts = await stat(path).catch((cause: unknown) => {
    throw new MemoryError('invalid-input', `${path} cannot be read: ${whyUnreadable(cause)}`, {
      cause,
      context: { path },
    });
  });
  if (!facts.isDirectory()) {
    if (isOpencodeName(basename(path)) || (await isDatabase(path))) return sessionsIn(path);
    return [{ path, bytes: facts.size, modifiedMs: facts.mtimeMs }];
  }
  const found: FoundFile[] = [];
  await findBelow(path, new Set(), found);
  const databases = found.filter((file) => isOpencodeName(basename(file.path)));
  const paths = new Set(found.map((file) => file.path));
  // A compressed file next to the file itself says the same.
  const isCopy = (file: FoundFile): boolean =>
    isPacked(file.path) && paths.has(file.path.replace(/\.zst$/i, ''));
  const files = found.filter((file) => !databases.includes(file) && !isCopy(file));
  const sessions: FoundFile[] = [];
  for (const database of databases) {
    // One that cannot be read must not hide the others: it is reported as no transcript.
    sessions.push(...(await sessionsIn(database.path).catch(() => [database])));
  }
  return [...(await inOrder(files)), ...sessions];
}

/** Checks for a database of any name: `OPENCODE_DB` may give opencode another one. */
async function isDatabase(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1') === 'SQLite format 3\0';
  } finally {
    await handle.close();
  }
}

async function sessionsIn(path: string): Promise<readonly FoundFile[]> {
  try {
    await using database = new OpencodeDatabase(path);
    const sessions = await database.sessions();
    return sessions.map(({ id, ...facts }) => ({ ...facts, path, session: id }));
  } catch (cause) {
    throw new MemoryError(
      'invalid-input',
      `${path} is no database of opencode: ${messageOf(cause)}`,
      {
        cause,
        context: { path },
      },
    );
  }
}

/** Paths of files that agents store next to their transcripts, in folders that have thousands of them. */
const NO_TRANSCRIPT: readonly RegExp[] = [
  /[\\/]opencode[\\/](?:project[\\/][^\\/]*[\\/])?(?:bin|log|snapshot|storage|tool-output)[\\/]/i,
  // Claude Code: lists of sessions, facts about subagents, workflows and files.
  /(?:\.meta\.json|[\\/](?:bridge-pointer|sessions-index)\.json)$/i,
  /[\\/](?:rewind-file-snapshots|tool-results)[\\/][^\\/]*$/i,
  /[\\/]workflows[\\/](?:[^\\/]*\.json|[^\\/]*[\\/]journal\.jsonl)$/i,
  // Gemini CLI has the chats of a project in a folder of their own, and Copilot CLI a file for each session.
  /[\\/]\.gemini[\\/]tmp[\\/][^\\/]*[\\/](?!chats[\\/])/i,
  /[\\/]session-state[\\/][^\\/]*[\\/](?!events\.jsonl$)/i,
];

function isTranscriptName(path: string): boolean {
  if (isOpencodeName(basename(path)) || isStoredSession(path)) return true;
  const isLog = /\.jsonl?$/i.test(path) || isPacked(path);
  return isLog && !NO_TRANSCRIPT.some((pattern) => pattern.test(path));
}

/** Follows symbolic links to folders, each real folder once. */
async function findBelow(folder: string, seen: Set<string>, found: FoundFile[]): Promise<void> {
  const real = await realpath(folder);
  if (seen.has(real)) return;
  seen.add(real);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink()) continue;
    // A link may lead nowhere.
    const facts = await stat(path).catch(() => undefined);
    if (facts?.isDirectory() === true) await findBelow(path, seen, found);
    else if (facts?.isFile() === true && isTranscriptName(path)) {
      found.push({ path, bytes: facts.size, modifiedMs: facts.mtimeMs });
    }
  }
}

/** This many bytes of the beginning and the end of a file are read for its times. */
const EDGE = 4096;
const TIME = /"(?:timestamp|startTime)":\s*"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g;

async function inOrder(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const keyed: { readonly file: FoundFile; readonly key: string }[] = [];
  for (const file of files) {
    const { first, last } = await timesOf(file);
    keyed.push({ file, key: `${first} ${last} ${file.path}` });
  }
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ file }) => file);
}

/** Returns the first and the last time in a file, as far as its edges have them. */
async function timesOf({ path, bytes }: FoundFile): Promise<{ first: string; last: string }> {
  const handle = await open(path).catch(() => undefined);
  if (!handle) return { first: '', last: '' };
  try {
    const read = async (position: number): Promise<string[]> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(EDGE), 0, EDGE, position);
      // Without its zeros, ASCII in UTF-16 is as it is in UTF-8.
      const text = buffer.toString('latin1', 0, bytesRead).replaceAll('\0', '');
      return [...text.matchAll(TIME)].map(([, time = '']) => time);
    };
    const head = await read(0);
    const tail = bytes > EDGE ? await read(bytes - EDGE) : head;
    return { first: head[0] ?? '', last: tail.at(-1) ?? '' };
  } finally {
    await handle.close();
  }
}
