import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ImportLimits } from '../limits.ts';
import { type FileFinder, finderOf } from './find-files.ts';
import { type Archive, bytesOf, openArchive, type PackedFile, unreadable } from './zip-archive.ts';

/** The files of an export that hold conversations: one, or many with numbers. */
const CONVERSATIONS = /(?:^|\/)conversations(?:-\d+)?\.json$/;

/** Archives that hold such files, one for each number. */
const PARTS = /(?:^|\/)conversations(?:-\d+)?\.zip$/;

/** Files that each hold a conversation, or something about them. */
const OTHERS = /\.(?:json|jsonl|ndjson|csv)(?:\.gz)?$/i;

/** Pages and texts that may hold conversations, where there are no others. */
const PAGES = /(?:activit|aktivit|アクティビティ|chat|conversation)[^/]*\.(?:html?|md|txt)$/i;

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
}

/** Opens a file, or those of an archive. */
export async function* openSource(
  name: string,
  path: string,
  limits: ImportLimits,
): AsyncGenerator<SourceFile> {
  if (ZIP.test(path)) yield* openZip(path, path, limits, 1);
  else yield { name, content: createReadStream(path), isSide: false };
}

async function* openZip(
  source: string | Buffer,
  path: string,
  limits: ImportLimits,
  nesting: number,
): AsyncGenerator<SourceFile> {
  const archive: Archive = await openArchive(source, path, limits);
  try {
    yield* openSources(archive.files, path, limits, nesting);
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
  limits: ImportLimits,
  nesting = 0,
): AsyncGenerator<SourceFile> {
  const files = all.filter(({ name }) => !HIDDEN.test(name));
  const isMain = ({ name }: PackedFile): boolean => CONVERSATIONS.test(name) || PARTS.test(name);
  const main = files.filter(isMain);
  const others = files.filter((file) => !isMain(file) && OTHERS.test(file.name));
  const archives = main.length > 0 ? [] : files.filter((file) => ZIP.test(file.name));
  const pages = main.length > 0 ? [] : files.filter((file) => PAGES.test(file.name));
  const alone = others.filter(
    (file) => !ABOUT.test(file.name) && copiedIn(file, others) === undefined,
  );
  const wanted = main.length > 0 ? main : [...alone, ...archives, ...pages];
  if (wanted.length === 0) {
    const more = nesting > 0 ? '' : ': unpack the export there, or name the file';
    throw unreadable(
      `there is no conversations.json in ${path}, nor another file .json, .jsonl, .csv or .zip${more}`,
    );
  }
  const find = finderOf(all, limits);
  for (const file of wanted) {
    if (!ZIP.test(file.name)) {
      yield { name: file.name, content: await file.open(), isSide: false, find };
    } else if (nesting < MAX_NESTING) {
      const inner = await bytesOf(await file.open(), limits.entryCharacters);
      if (!inner)
        throw unreadable(
          `${file.name} has more than ${limits.entryCharacters} bytes: unpack it yourself`,
        );
      for await (const each of openZip(inner, file.name, limits, nesting + 1)) {
        yield { ...each, name: `${file.name}/${each.name}` };
      }
    } else {
      throw unreadable(`${file.name} is in more than ${MAX_NESTING} archives: unpack it yourself`);
    }
  }
  for (const file of main.length > 0 ? others : others.filter((each) => !alone.includes(each))) {
    const copy = copiedIn(file, others);
    const about = copy === undefined ? {} : { copy };
    yield { name: file.name, content: await file.open(), isSide: true, find, ...about };
  }
}

/** Returns the file that holds all of another: what Cline shows is in what it sends. */
function copiedIn({ name }: PackedFile, files: readonly PackedFile[]): string | undefined {
  const [shown, sent] = ['ui_messages.json', 'api_conversation_history.json'];
  if (!name.endsWith(shown)) return undefined;
  const other = name.slice(0, -shown.length) + sent;
  return files.some((file) => file.name === other) ? other : undefined;
}
