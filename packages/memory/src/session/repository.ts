import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { twinPaths } from '../model/paths.ts';

/** A git repository around a folder, by its files: git is not run, as its configuration can name programs. */
export interface Repository {
  /** The root of the work tree. */
  readonly root: string;
  /** The root of the main work tree; `root` itself unless it is a linked one. */
  readonly mainRoot: string;
  /** Names this clone wherever it is moved: the first line of its log of `HEAD`, which has a time and who. */
  readonly clone: string | undefined;
}

/**
 * Finds the repository around a folder, which need not exist any more. A repository of all of the home folder is for
 * settings, and makes nothing in it one project.
 */
export function repositoryAround(folder: string): Repository | undefined {
  // A path of another system is no folder here, but for one that is mounted.
  const start = twinPaths(folder).find((path) => isAbsolute(path));
  if (start === undefined) return undefined;
  const real = realOf(start);
  return repositoryAbove(resolve(start)) ?? (real === start ? undefined : repositoryAbove(real));
}

function repositoryAbove(folder: string): Repository | undefined {
  const home = homedir();
  for (let at = folder; ; at = dirname(at)) {
    const found = at === home && at !== folder ? undefined : repositoryAt(at);
    if (found || dirname(at) === at) return found;
  }
}

/** Returns the repository whose work tree begins in a folder. */
export function repositoryAt(root: string): Repository | undefined {
  const dotGit = join(root, '.git');
  try {
    const stats = statSync(dotGit, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      // A folder of this name that git does not use has no HEAD.
      if (!existsSync(join(dotGit, 'HEAD'))) return undefined;
      return { root, mainRoot: root, clone: cloneOf(dotGit) };
    }
    if (!stats?.isFile()) return undefined;
    const own = namedIn(dotGit);
    if (own === undefined) return undefined;
    const common = textAt(join(own, 'commondir'));
    // A submodule has no common folder: it is a repository of its own.
    if (common === undefined) return { root, mainRoot: root, clone: cloneOf(own) };
    const shared = resolve(own, common.trim());
    if (!isKnown(root, own, shared)) return { root, mainRoot: root, clone: undefined };
    return { root, mainRoot: placeOf(mainTree(shared), root), clone: cloneOf(shared) };
  } catch {
    return undefined;
  }
}

/** Returns the folder of git that a file `.git` names. */
function namedIn(dotGit: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(textAt(dotGit) ?? '')?.[1]?.trimEnd();
  return target === undefined ? undefined : resolve(dirname(dotGit), target);
}

/**
 * Checks whether a repository knows the work tree that says it belongs to it: in a folder of a stranger, a file may name
 * any repository. One that was moved is not where the repository has it.
 */
function isKnown(root: string, own: string, shared: string): boolean {
  if (realOf(dirname(own)) !== realOf(join(shared, 'worktrees'))) return false;
  const back = textAt(join(own, 'gitdir'))?.trim();
  if (back === undefined) return true;
  const dotGit = resolve(own, back);
  return realOf(dotGit) === realOf(join(root, '.git')) || !existsSync(dotGit);
}

/**
 * Returns the main work tree of a git folder, if it leads back to that; the folder itself if it is bare, or in another
 * place.
 */
function mainTree(gitFolder: string): string {
  if (basename(gitFolder) === '.git') return dirname(gitFolder);
  const config = textAt(join(gitFolder, 'config')) ?? '';
  const named = /^[ \t]*worktree[ \t]*=(.+)$/m.exec(config)?.[1]?.trim().replaceAll(/^"|"$/g, '');
  if (named === undefined || named === '') return gitFolder;
  const tree = resolve(gitFolder, named);
  const back = namedIn(join(tree, '.git'));
  return back !== undefined && realOf(back) === realOf(gitFolder) ? tree : gitFolder;
}

/** The main work tree as the linked one would name it: git follows symbolic links, sessions do not. */
function placeOf(main: string, linked: string): string {
  const real = realOf(linked);
  if (real === linked) return main;
  const outer = linked.slice(0, linked.length - commonEnd(real, linked));
  const realOuter = real.slice(0, real.length - commonEnd(real, linked));
  return main.startsWith(realOuter) ? outer + main.slice(realOuter.length) : main;
}

function commonEnd(a: string, b: string): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}

/** Returns a path without symbolic links, if there is such a file. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function cloneOf(gitFolder: string): string | undefined {
  const [line = ''] = (textAt(join(gitFolder, 'logs', 'HEAD')) ?? '').split('\n', 1);
  return line === '' ? undefined : line;
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
