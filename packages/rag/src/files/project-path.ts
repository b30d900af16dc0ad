import { keyProblem } from '@vizprompt/providers';
import { TEXT } from '@vizprompt/providers/config';
import { checkArgument } from '../check-options.ts';
import { RagError } from '../errors.ts';
import { hiddenCharacter } from './hidden-character.ts';
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

/** Names that no file system shall be asked for: they stand for devices on Windows. */
const CONSOLE = /^con(?:in|out)\$/i;

/**
 * Checks the path of a file that can be read: `灯台/settings/人物.md`, or the two files beside the
 * areas. Only the words are looked at here; that no link leads out is for whoever opens it.
 *
 * @throws RagError with the code `path-invalid`, which says what is allowed.
 */
export function readPath(path: string): ProjectPath {
  const { project, folders, name, problem } = splitPath(path);
  const isBeside = folders.length === 0 && (name === INSTRUCTIONS_FILE || name === PROJECT_FILE);
  if (!isBeside) checkArea(path, folders);
  if (!isBeside && !isTextName(name)) throw wrongEnding(path, name);
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

/** Whether all of its names are ones that something in a folder can have on some system. */
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
      return invalid(path, `it holds ${hidden}, which nobody sees: write the name without it`);
    }
  }
  return undefined;
}

function checkArea(path: string, folders: readonly string[]): void {
  if (FILE_AREAS.some((area) => area === folders[0])) return;
  const areas = FILE_AREAS.map((area) => `${area}/`).join(' and ');
  throw invalid(path, `files of a project lie in ${areas}`);
}

function wrongEnding(path: string, name: string): RagError {
  return invalid(path, `'${name}' ends neither in .md nor in .txt`);
}

function invalid(path: string, why: string): RagError {
  const message = `${JSON.stringify(path)} is not allowed as a path: ${why}`;
  return new RagError('path-invalid', message, { context: { path } });
}
