import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isMissing } from '../storage/file-error.ts';
import { isGitName } from '../storage/file-store.ts';
import { isWithin } from '../files/user-folder.ts';
import type { TrustUse } from './trust-file.ts';

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

/**
 * Returns the first link between a folder and a path in it, which may be the path itself: what is written there would
 * be written elsewhere. Windows' junctions are links. The end of the path may be missing.
 */
export function linkBetween(folder: string, path: string): string | undefined {
  const root = resolve(folder);
  let place = root;
  for (const segment of relative(root, resolve(path)).split(sep)) {
    place = join(place, segment);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isSymbolicLink()) return place;
  }
  return undefined;
}

/** Checks whether a path is in a folder of git, by its words or by links, below a folder or anywhere. */
export function isInGit(path: string, folder?: string): boolean {
  const real = realPath(resolve(path));
  const root = folder === undefined ? undefined : realPath(resolve(folder));
  const below = root !== undefined && isWithin(root, real) ? relative(root, real) : real;
  return below.split(sep).some(isGitName);
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
