import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isMissing } from '../storage/file-error.ts';
import { isWithin } from '../files/user-folder.ts';
import type { TrustUse } from './trust-request.ts';

/** A path that a file names. */
export interface NamedPath {
  /** As the program would use it. */
  readonly path: string;
  /** Folders whose files it may name without consent. */
  readonly folders: readonly string[];
  /** The use, such as `the log is written to`. */
  readonly what: string;
  readonly source: string;
}

/**
 * Returns what a path that a file names needs consent for: it leads out of the folders, by its words or by
 * links, or into a hidden folder of theirs, such as `.git`.
 */
export function pathUses({ path, folders, what, source }: NamedPath): TrustUse[] {
  const real = realPath(resolve(path));
  const isPlain = folders.some((folder) => {
    const root = realPath(resolve(folder));
    return isWithin(root, real) && !relative(root, real).split(sep).some(isHidden);
  });
  return isPlain ? [] : [{ kind: 'path', text: `${what} ${JSON.stringify(real)}`, source }];
}

/** Checks whether a path leads out of a folder, by its words or by links. Its end may be missing. */
export function leadsOutside(folder: string, path: string): boolean {
  return !isWithin(realPath(resolve(folder)), realPath(resolve(path)));
}

function isHidden(segment: string): boolean {
  return segment.startsWith('.') || segment.includes('~');
}

/**
 * Returns the real path of a file, of which the end may be missing. A link to what is not there yet leads
 * to where it would be made.
 */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path || links > MAX_LINKS) return path;
    const above = realPath(dirname(path), links);
    const target = linkTarget(path);
    if (target === undefined) return join(above, basename(path));
    return realPath(resolve(above, target), links + 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** As many as Linux follows. */
const MAX_LINKS = 40;
