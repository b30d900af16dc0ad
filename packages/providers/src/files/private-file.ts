import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isMissing } from '../storage/file-error.ts';

/** A file that only its user may have written. */
export interface PrivateFile {
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
