import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isMissing } from '../storage/file-error.ts';

const NAME = 'vizprompt';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder of what this user consented to: `vizprompt` in `XDG_CONFIG_HOME`, or else in
 * `~/.config`; on Windows in `APPDATA`.
 */
export function configFolder(env: Environment = process.env): string {
  if (process.platform === 'win32') return join(absolute(env['APPDATA']) ?? homedir(), NAME);
  return join(absolute(env['XDG_CONFIG_HOME']) ?? join(homedir(), '.config'), NAME);
}

/**
 * Returns the folder of what this user has on this machine alone: `vizprompt` in `XDG_STATE_HOME`, or
 * else in `~/.local/state`; on Windows in `LOCALAPPDATA`.
 */
export function stateFolder(env: Environment = process.env): string {
  if (process.platform === 'win32') return join(absolute(env['LOCALAPPDATA']) ?? homedir(), NAME);
  return join(absolute(env['XDG_STATE_HOME']) ?? join(homedir(), '.local', 'state'), NAME);
}

/** Checks whether a path is a folder or is inside it. Both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A relative path would be inside whichever folder a program was started in. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** A file that only its user may have written. */
interface PrivateFile {
  readonly data: Buffer;
  /** True if others may read it, too. */
  readonly isSecret: boolean;
}

/**
 * Reads a file of this user alone.
 *
 * @returns `undefined` if there is none, or `'foreign'` if it is not a regular file or a link, which may lead into
 * a project, belongs to another user or may be written by others.
 */
export function readPrivateFile(path: string): PrivateFile | 'foreign' | undefined {
  let file: number;
  try {
    // Without waiting for the other end of a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | NO_LINK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    return 'foreign';
  }
  try {
    const { uid, mode } = fstatSync(file);
    const isOurs = process.getuid === undefined || uid === process.getuid();
    const isWindows = process.platform === 'win32';
    const isOpen = !isWindows && (mode & OTHERS_WRITE) !== 0;
    if (!fstatSync(file).isFile() || !isOurs || isOpen) return 'foreign';
    return { data: readFileSync(file), isSecret: isWindows || (mode & OTHERS_READ) === 0 };
  } finally {
    closeSync(file);
  }
}

/** Windows has no such flag; to make a link there takes rights of its own. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;
