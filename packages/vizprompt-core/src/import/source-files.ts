import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { JsonObject } from '@vizprompt/providers';
import { isDeeperThan, isJsonObject, parseJson } from '@vizprompt/providers/internal';
import { VizPromptError } from '../errors.ts';
import type { ImportLimits } from '../limits.ts';
import { type FileFinder, finderOf } from './find-files.ts';
import { joinSessions } from './opencode-storage.ts';
import {
  type Archive,
  bytesOf,
  openArchive,
  type PackedFile,
  type ReadOptions,
  unlessDamaged,
  unreadable,
} from './zip-archive.ts';

/** The bytes that are read at once: with Node's 64 kB a file of 100 MB takes 1,500 turns of the event loop. */
const PIECE_BYTES = 131_072;

/** The files of an export that hold conversations: one, or many with numbers. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/;

/** Archives that hold such files, one for each number. */
const PARTS = /(?:^|\/)conversations(?:-\d+)?\.zip$/;

/** Files that each hold a conversation, or something about them. */
const OTHERS = /\.(?:json|jsonl|ndjson|csv)(?:\.gz)?$/i;

/** Pages and texts that may hold conversations, where there are no others. */
const PAGES = /(?:activit|aktivit|アクティビティ|chat|conversation)[^/]*\.(?:html?|md|txt)$/i;

/** Texts, which are read where a folder or an archive has nothing else. */
const TEXTS = /\.(?:html?|md|txt)$/i;

/** Files of programs about their conversations, which hold none. */
const ABOUT =
  /(?:^|\/)(?:thread|task_metadata|history_item|taskHistory|_index|settings|users?|channels|groups|dms|mpims|canvases|lists|integration_logs)\.json$/;

const ZIP = /\.zip$/i;

/** Files that systems write next to the files of users. */
const HIDDEN = /(?:^|\/)(?:\.[^/]*|__MACOSX)(?:\/|$)/;

/** The greatest depth of archives in archives. */
const MAX_NESTING = 3;

/** A file with conversations. */
export interface SourceFile {
  readonly name: string;
  readonly content: Readable;
  /** `true`: next to the files of the conversations; only conversations in it are imported. */
  readonly isSide: boolean;
  /** The file that holds its conversation, too: it is counted, and not imported. */
  readonly copy?: string;
  /** Finds the files that the conversations name. */
  readonly find?: FileFinder;
  /** The facts about its conversation in a file next to it. */
  readonly head?: JsonObject;
  /** Why it cannot be opened: it is skipped, and the others are read. */
  readonly error?: string;
}

/** Opens a file, or those of an archive. */
export async function* openSource(
  name: string,
  path: string,
  options: ReadOptions,
): AsyncGenerator<SourceFile> {
  const beginning = await beginningOf(path);
  const packing = PACKINGS.find(
    ([, signature, at = 0]) => beginning.slice(at, at + signature.length) === signature,
  )?.[0];
  const isTar = TAR.test(path) || packing === 'tar';
  if (ZIP.test(path) || packing === 'zip') yield* openZip(path, path, options, 1);
  else if (isTar || packing !== undefined) {
    const kind = isTar ? 'tar' : packing;
    throw unreadable(`${path} is packed as ${kind}, which is not read: unpack it yourself`);
  } else
    yield { name, content: createReadStream(path, { highWaterMark: PIECE_BYTES }), isSide: false };
}

/** Archives of files, packed again or not. */
const TAR = /\.(?:tar(?:\.(?:gz|bz2|xz|zst|lz4|br))?|tgz|tbz2?|txz|tzst)$/i;

/** How files begin that are packed: they may have been saved without their ending, or with another. */
const PACKINGS: readonly (readonly [kind: string, signature: string, at?: number])[] = [
  ['zip', 'PK\u0003\u0004'],
  ['tar', 'ustar\u0000', 257],
  ['tar', 'ustar  \u0000', 257],
  ['7z', '7z\u00BC\u00AF\u0027\u001C'],
  ['rar', 'Rar!\u001A\u0007'],
  ['xz', '\u00FD7zXZ\u0000'],
  ['bzip2', 'BZh91AY&SY'],
  ['zstd', '\u0028\u00B5\u002F\u00FD'],
  ['lz4', '\u0004\u0022\u004D\u0018'],
];
const SIGNATURE_BYTES = 265;

/** Returns the first bytes of a file, each a character; none of a pipe, or where they cannot be read. */
async function beginningOf(path: string): Promise<string> {
  // A pipe can be read once only.
  const isFile = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const file = isFile ? await open(path).catch(() => undefined) : undefined;
  try {
    const head = await file?.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
    return head?.buffer.toString('latin1', 0, head.bytesRead) ?? '';
  } catch {
    return '';
  } finally {
    await file?.close();
  }
}

async function* openZip(
  source: string | Buffer,
  path: string,
  options: ReadOptions,
  nesting: number,
): AsyncGenerator<SourceFile> {
  const archive: Archive = await openArchive(source, path, options);
  try {
    yield* openSources(archive.files, path, options, nesting);
  } finally {
    archive.close();
  }
}

/**
 * Opens the files of a folder or an archive that hold conversations, one after the other: those with the usual
 * names, or else all that may hold some; then the files next to them.
 *
 * @param path - The name of the folder or the archive in errors.
 */
export async function* openSources(
  all: readonly PackedFile[],
  path: string,
  options: ReadOptions,
  nesting = 0,
): AsyncGenerator<SourceFile> {
  const { limits } = options;
  const shown = all.filter(({ name }) => !HIDDEN.test(name));
  const { files, about } = joinSessions(shown, limits);
  const isMain = ({ name }: PackedFile): boolean => CONVERSATIONS.test(name) || PARTS.test(name);
  const main = files.filter(isMain);
  const others = files.filter((file) => !isMain(file) && OTHERS.test(file.name));
  const archives = main.length > 0 ? [] : files.filter((file) => ZIP.test(file.name));
  const pages = main.length > 0 ? [] : files.filter((file) => PAGES.test(file.name));
  const byName = new Map(others.toReversed().map((file) => [file.name, file]));
  const alone = new Set(
    others.filter(
      (file) => !ABOUT.test(file.name) && !about.has(file) && copiedIn(file, byName) === undefined,
    ),
  );
  const likely = main.length > 0 ? main : [...alone, ...archives, ...pages];
  const wanted = likely.length > 0 ? likely : files.filter((file) => TEXTS.test(file.name));
  if (wanted.length === 0) {
    const more = nesting > 0 ? '' : ': unpack the export there, or name the file';
    throw unreadable(
      `there is no conversations.json in ${path}, nor another file .json, .jsonl, .csv, .md, .txt or .zip${more}`,
    );
  }
  const find = finderOf(all, limits);
  const heads = new Set<PackedFile>();
  for (const file of wanted) {
    if (ZIP.test(file.name)) {
      yield* openInner(file, options, nesting);
      continue;
    }
    const thread = aboutOf(file, byName);
    const head = thread && (await headOf(thread, limits));
    if (head) heads.add(thread);
    const content = await file.open();
    yield { name: file.name, content, isSide: false, find, ...(head ? { head } : {}) };
  }
  for (const file of others) {
    if (heads.has(file) || (main.length === 0 && alone.has(file))) continue;
    const copy = copiedIn(file, byName);
    const left = copy === undefined ? {} : { copy };
    yield { name: file.name, content: await file.open(), isSide: true, find, ...left };
  }
}

/** Opens the files of an archive within a folder or an archive. One that cannot be read is an error of its own. */
async function* openInner(
  file: PackedFile,
  options: ReadOptions,
  nesting: number,
): AsyncGenerator<SourceFile> {
  const { limits } = options;
  try {
    if (nesting >= MAX_NESTING)
      throw unreadable(`it is in more than ${MAX_NESTING} archives: unpack it yourself`);
    const inner = await bytesOf(await file.open(), limits.entryCharacters);
    if (!inner)
      throw unreadable(`it has more than ${limits.entryCharacters} bytes: unpack it yourself`);
    for await (const each of openZip(inner, file.name, options, nesting + 1)) {
      yield { ...each, name: `${file.name}/${each.name}` };
    }
  } catch (error) {
    if (!VizPromptError.isInstance(error) || error.code !== 'import-unreadable') throw error;
    const { message } = error;
    yield { name: file.name, content: Readable.from([]), isSide: false, error: message };
  }
}

/** Returns the file of Jan that has the title of the thread whose messages are next to it. */
function aboutOf(
  { name }: PackedFile,
  files: ReadonlyMap<string, PackedFile>,
): PackedFile | undefined {
  const [messages, thread] = ['messages.jsonl', 'thread.json'];
  if (!name.endsWith(messages)) return undefined;
  return files.get(name.slice(0, -messages.length) + thread);
}

async function headOf(file: PackedFile, limits: ImportLimits): Promise<JsonObject | undefined> {
  // A damaged one is reported where it is read itself.
  const data = await bytesOf(await file.open(), limits.nodeBytes).catch(unlessDamaged);
  const value = data && parseJson(data.toString('utf8'));
  return isJsonObject(value) && !isDeeperThan(value, limits.depth) ? value : undefined;
}

/** Returns the file that holds all of another: what Cline shows is in what it sends. */
function copiedIn(
  { name }: PackedFile,
  files: ReadonlyMap<string, PackedFile>,
): string | undefined {
  const [shown, sent] = ['ui_messages.json', 'api_conversation_history.json'];
  if (!name.endsWith(shown)) return undefined;
  const other = name.slice(0, -shown.length) + sent;
  return files.has(other) ? other : undefined;
}
