import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isError, keyProblem } from '@vizprompt/providers/internal';
import { TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument } from '../check-options.ts';
import { RagError } from '../errors.ts';
import { isBookName } from '../books/book-names.ts';
import { FILE_AREAS, INSTRUCTIONS_FILE, isTextName, PROJECT_FILE } from './file-area.ts';

/** The names of a path below the project root, each one checked. */
export interface ProjectPath {
  /** As it was given, in NFC. */
  readonly path: string;
  readonly project: string;
  /** The folders below the project, outermost first. */
  readonly folders: readonly string[];
  /** The file; absent for a folder. */
  readonly name?: string;
  /**
   * Why no file is made with this path: another system could not have it, or people not see it. One that
   * is there, by these very names, can be read.
   */
  readonly problem?: RagError;
}

/** Names that no file system shall be asked for: they are devices on Windows. */
const CONSOLE = /^con(?:in|out)\$/i;

/**
 * Checks the path of a file that can be read: `灯台/settings/人物.md`, or the two files next to the
 * areas. Only the words are checked here; that no link leads out is for the one that opens it.
 *
 * @throws RagError with the code `path-invalid`, which says what is allowed.
 */
export function readPath(path: string): ProjectPath {
  const { project, folders, name, problem } = splitPath(path);
  const isBeside = folders.length === 0 && (name === INSTRUCTIONS_FILE || name === PROJECT_FILE);
  if (!isBeside) checkArea(path, folders);
  if (!isBeside && !isTextName(name) && !isBookName(name)) throw wrongEnding(path, name);
  const parts = { path: path.normalize('NFC'), project, folders, name };
  return problem ? { ...parts, problem } : parts;
}

/**
 * Like {@link readPath}, for files that can be written: those in the areas alone.
 *
 * @throws RagError with the code `path-invalid`.
 */
export function writePath(path: string): ProjectPath {
  const parts = readPath(path);
  if (parts.problem) throw parts.problem;
  checkArea(path, parts.folders);
  if (isBookName(path)) throw invalid(path, 'books (.epub, .docx) are read, and never written');
  return parts;
}

/**
 * Like {@link readPath}, for a folder: `灯台/settings`, or one below it.
 *
 * @throws RagError with the code `path-invalid`.
 */
export function folderPath(path: string): ProjectPath {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const { project, folders, name, problem } = splitPath(trimmed);
  if (problem) throw problem;
  const all = [...folders, name];
  checkArea(path, all);
  return { path: path.normalize('NFC'), project, folders: all };
}

/**
 * Checks the name of a project.
 *
 * @throws RagError with the code `path-invalid`.
 */
export function checkProjectName(name: string): void {
  checkArgument('a path', name, TEXT);
  const problem = problemOf(name);
  if (problem) throw problem;
  if (name.includes('/')) throw invalid(name, 'the name of a project has no /');
}

function splitPath(path: string): ProjectPath & { readonly name: string } {
  checkArgument('a path', path, TEXT);
  const [project = '', ...rest] = path.split('/');
  const name = rest.pop();
  if (name === undefined) throw invalid(path, 'it names no file in a project');
  const parts = { path, project, folders: rest, name };
  const problem = problemOf(path);
  if (problem === undefined) return parts;
  if (!isInside(path) || problemOf(project)) throw problem;
  return { ...parts, problem };
}

/** Checks whether all of its names are ones that something in a folder can have on some system. */
function isInside(path: string): boolean {
  return !path.includes('\0') && path.split('/').every((name) => name !== '' && name[0] !== '.');
}

function problemOf(path: string): RagError | undefined {
  const problem = keyProblem(path);
  if (problem !== undefined) return invalid(path, problem);
  for (const segment of path.split('/')) {
    if (segment.startsWith('.')) return invalid(path, `'${segment}' is a hidden name`);
    if (segment !== segment.trim()) return invalid(path, `'${segment}' begins with a space`);
    if (CONSOLE.test(segment)) return invalid(path, `'${segment}' is a reserved name on Windows`);
    const hidden = hiddenCharacter(segment);
    if (hidden !== undefined) {
      return invalid(path, `it holds ${hidden}, which is invisible: write the name without it`);
    }
  }
  return undefined;
}

function checkArea(path: string, folders: readonly string[]): void {
  if (FILE_AREAS.some((area) => area === folders[0])) return;
  const areas = FILE_AREAS.map((area) => `${area}/`).join(' and ');
  throw invalid(path, `files of a project are in ${areas}`);
}

function wrongEnding(path: string, name: string): RagError {
  return invalid(
    path,
    `'${name}' ends neither in .md nor in .txt (nor in .epub or .docx, which are read alone)`,
  );
}

function invalid(path: string, why: string): RagError {
  const message = `${JSON.stringify(path)} is not allowed as a path: ${why}`;
  return new RagError('path-invalid', message, { context: { path } });
}

/**
 * Characters that are not seen, so that a name looks like another one or like none: marks of direction
 * and line, zero-width spaces, soft hyphens, fillers, tags. Spaces are no such thing.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2028\u2029\u2800\ufff9-\ufffb]/u;
/** A character that asks for another look of the one before, which is a character that has some. */
const VARIANT =
  /(?:\p{Script=Han}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|\p{Extended_Pictographic}\ufe0f|[0-9#*]\ufe0f\u20e3|\p{Script=Mongolian}[\u180b-\u180f])/gu;
/** Emoji that are put together of several ones, and flags of parts of countries. */
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*\u200d(?=\p{Extended_Pictographic})|\u{1f3f4}[\u{e0061}-\u{e007a}]+\u{e007f}/gu;
/** Letters of scripts that are joined, or not, by what is between them: Persian, Hindi and the like. */
const JOINED =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{M}])[\u200c\u200d](?=\p{L})/gu;

/**
 * Returns the first invisible character of a name, as `U+200B`, or nothing. Characters that belong to the look of a
 * character that is seen is none: variants of kanji and emoji, and what joins emoji or letters.
 */
function hiddenCharacter(name: string): string | undefined {
  const seen = name.replaceAll(EMOJI, '').replaceAll(VARIANT, '').replaceAll(JOINED, '');
  const [hidden] = HIDDEN.exec(seen) ?? [];
  if (hidden === undefined) return undefined;
  return `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Returns the real path of a file behind links, if it is one that can be read in the same project. It is but
 * a name: a reader that goes there meets no link, or is refused again.
 *
 * @param root - The folder of all projects, without links in it.
 */
export async function linkTarget(
  root: string,
  { project, path }: ProjectPath,
): Promise<ProjectPath | undefined> {
  try {
    const real = await realpath(join(root, path));
    const target = readPath(relative(root, real).split(sep).join('/'));
    const isSame = target.project.normalize('NFC') === project.normalize('NFC');
    return isSame && target.name !== PROJECT_FILE ? target : undefined;
  } catch (error) {
    // It leads to nothing, or to a place without the right to read.
    if (isError(error) && 'code' in error) return undefined;
    throw error;
  }
}
