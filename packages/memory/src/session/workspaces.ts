import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { TEXT } from '@vizprompt/providers/config/internal';
import { textHash } from '@vizprompt/providers/transcripts/internal';
import { checkArgument } from '../check-values.ts';
import { twinPaths } from '../model/paths.ts';
import { storedPath, storedWorkspace } from '../redact/redactor.ts';
import type { MemoryContext } from '../store/memory-context.ts';

/** Begins the name of a clone among the paths of workspaces, by which it is found where it was moved. */
const CLONE = 'git:';

/** All folders that are the same workspace as this one, itself included. */
export async function workspaceGroup(
  context: MemoryContext,
  workspace: string,
): Promise<readonly string[]> {
  const path = storedWorkspace(workspace, context.redact);
  const repository = repositoryAround(path);
  const all: string[] = [];
  const steps = repository ? [path, repository.root, repository.mainRoot] : [path, realOf(path)];
  for (const step of new Set(steps)) {
    const rows = await joinedTo(context, step);
    all.push(step, ...rows.flatMap((row) => [row.path, row.main]));
    // A folder that was parted from its repository is alone.
    if (rows.length === 1 && rows[0]?.path === step && step !== repository?.mainRoot) break;
  }
  const name = repository?.clone === undefined ? undefined : nameOf(repository.clone);
  if (name !== undefined && !all.includes(name) && all.includes(repository?.mainRoot ?? '')) {
    const rows = await joinedTo(context, name);
    const [before] = rows;
    if (before && repository && !(await isElsewhere(context, before.main, repository))) {
      all.push(...rows.flatMap((row) => [row.path, row.main]));
    }
  }
  const twins = [...new Set(all.flatMap(twinPaths))].filter((each) => !each.startsWith(CLONE));
  return [...new Set([...twins, ...(await otherCases(context, all, twins))])];
}

/**
 * Returns the stored folders of Windows that differ from these in case only: there, they are the same.
 *
 * @param named - The folders as sessions name them.
 * @param paths - These, and how they are called on the other side of the Windows Subsystem for Linux.
 */
async function otherCases(
  { database, tenant }: MemoryContext,
  named: readonly string[],
  paths: readonly string[],
): Promise<readonly string[]> {
  if (!paths.some((path) => DRIVE.test(path))) return [];
  const places = paths.filter((path) => /^(?:[a-z]:\\|\/mnt\/[a-z]\/)/i.test(path));
  const rows = await database.query<{ path: string }>(
    `SELECT DISTINCT workspace_path AS path FROM memory_sessions
     WHERE tenant = ? AND LOWER(workspace_path) IN (${places.map(() => 'LOWER(?)').join(', ')})`,
    [tenant, ...places],
  );
  const isOfWindows = named.some((path) => DRIVE.test(path));
  return rows.flatMap(({ path }) => {
    const same = places.filter((place) => place.toLowerCase() === path.toLowerCase());
    const isSame = same.some((place) => isOneFolder(place, path, isOfWindows || DRIVE.test(path)));
    return isSame ? [path] : [];
  });
}

const DRIVE = /^[a-z]:\\/i;

/**
 * Checks whether two names that differ in case only are one folder: a disk of Linux can be mounted where that of
 * Windows would be.
 *
 * @param isOfWindows - Decides where none of them exists here.
 */
function isOneFolder(a: string, b: string, isOfWindows: boolean): boolean {
  const [one, other] = [folderAt(a), folderAt(b)];
  return one === undefined && other === undefined ? isOfWindows : one === other;
}

/** Returns the device and number of a folder, if it exists here. */
function folderAt(path: string): string | undefined {
  for (const twin of twinPaths(path).filter((each) => isAbsolute(each))) {
    try {
      const { dev, ino } = statSync(twin, { bigint: true });
      return `${dev}:${ino}`;
    } catch {
      // It does not exist, or cannot be seen.
    }
  }
  return undefined;
}

function nameOf(clone: string): string {
  return CLONE + textHash(clone);
}

interface Joined {
  readonly path: string;
  readonly main: string;
}

async function joinedTo(
  { database, tenant }: MemoryContext,
  path: string,
): Promise<readonly Joined[]> {
  return database.query<{ path: string; main: string }>(
    `SELECT path, main_path AS main FROM memory_workspaces WHERE tenant = ? AND main_path = COALESCE(
       (SELECT main_path FROM memory_workspaces WHERE tenant = ? AND path = ?), ?)`,
    [tenant, tenant, path, path],
  );
}

/**
 * Declares that folders are one workspace, where `git` does not know it, such as two clones. Each search
 * in one of them finds the sessions of all.
 */
export async function joinWorkspaces(
  context: MemoryContext,
  workspaces: readonly string[],
): Promise<void> {
  for (const path of workspaces) checkArgument('a workspace', path, TEXT);
  const groups = await Promise.all(
    workspaces.map(async (path) => {
      const own = storedWorkspace(path, context.redact);
      const rows = await joinedTo(context, own);
      return [own, ...rows.flatMap((row) => [row.path, row.main])];
    }),
  );
  const paths = [...new Set(groups.flat())];
  const [main] = paths;
  if (main !== undefined) await setMain(context, paths, main);
}

async function setMain(
  { database, tenant }: MemoryContext,
  paths: readonly string[],
  main: string,
): Promise<void> {
  await database.batch(
    paths.map((path) => ({
      sql: `INSERT INTO memory_workspaces (tenant, path, main_path) VALUES (?, ?, ?)
        ON CONFLICT (tenant, path) DO UPDATE SET main_path = excluded.main_path`,
      params: [tenant, path, main],
    })),
  );
}

/**
 * Declares that a folder is a workspace of its own again. It is not joined on its own afterwards. With the main work tree of
 * a repository go its subfolders and its other work trees.
 */
export async function leaveWorkspaces(context: MemoryContext, workspace: string): Promise<void> {
  checkArgument('the workspace', workspace, TEXT);
  const path = storedWorkspace(workspace, context.redact);
  const rows = await joinedTo(context, path);
  const all = [...new Set(rows.flatMap((row) => [row.path, row.main]))];
  const left = repositoryAt(path);
  const clone = left && isMain(left) ? left.clone : undefined;
  const name = clone === undefined ? undefined : nameOf(clone);
  const own = all.filter((other) => {
    return other === name || repositoryAround(other)?.mainRoot === path;
  });
  const others = all.filter((other) => other !== path && !own.includes(other));
  const main = others.find((other) => !other.startsWith(CLONE));
  if (main !== undefined) await setMain(context, others, main);
  await setMain(context, [...new Set([path, ...own])], path);
}

/**
 * Joins the folder of a new session with its repository: a subfolder with the root, a linked work tree with the main
 * one, and a clone that was moved with the place where it was. Folders that were joined or parted stay as they are.
 */
export async function joinRepository(context: MemoryContext, workspace: string): Promise<void> {
  const repository = repositoryAround(workspace);
  if (!repository) {
    await joinLink(context, workspace);
    return;
  }
  const { root, clone } = repository;
  const mainRoot = storedPath(repository.mainRoot, context.redact);
  const name = clone === undefined ? undefined : nameOf(clone);
  const { database, redact, tenant } = context;
  const paths = [...new Set([mainRoot, root, workspace])].map((path) => storedPath(path, redact));
  const known = await database.query<{ path: string; main_path: string }>(
    `SELECT path, main_path FROM memory_workspaces WHERE tenant = ? AND path IN (?, ?, ?, ?)`,
    [tenant, mainRoot, root, workspace, name ?? mainRoot],
  );
  const mainOf = (path: string): string | undefined => {
    return known.find((row) => row.path === path)?.main_path;
  };
  const before = name === undefined ? undefined : mainOf(name);
  const isMoved = before !== undefined && !(await isElsewhere(context, before, repository));
  const main = mainOf(mainRoot) ?? (isMoved ? before : mainRoot);
  const added = paths.filter((path) => mainOf(path) === undefined);
  const isNamed = name === undefined || before !== undefined;
  if (added.length > 0 || !isNamed)
    await setMain(context, isNamed ? added : [...added, name], main);
}

/** Joins a folder that is reached by a symbolic link with itself, unless it was joined or parted before. */
async function joinLink(context: MemoryContext, workspace: string): Promise<void> {
  const [link, real] = [workspace, realOf(workspace)].map((path) =>
    storedPath(path, context.redact),
  );
  if (link === undefined || real === undefined || link === real) return;
  const rows = await joinedTo(context, link);
  if (rows.length === 0) await setMain(context, [link], real);
}

/**
 * Checks whether a clone still exists at one of its earlier paths. If so, this one is a copy, which may become another
 * project. Work trees and symbolic links lead to the same folder of git, which has one main work tree: in a folder of a
 * stranger, a file may name any.
 */
async function isElsewhere(
  context: MemoryContext,
  main: string,
  here: Repository,
): Promise<boolean> {
  const rows = await joinedTo(context, main);
  const places = new Set(rows.flatMap((row) => [row.path, row.main]));
  return [...places].some((path) => {
    const other = repositoryAt(path);
    if (other === undefined || other.clone !== here.clone) return false;
    if (other.gitFolder !== here.gitFolder) return true;
    return isMain(other) && isMain(here) && realOf(other.root) !== realOf(here.root);
  });
}

function isMain({ mainRoot, root }: Repository): boolean {
  return mainRoot === root;
}

/** A git repository around a folder, by its files: git is not run, as its configuration can name programs. */
interface Repository {
  /** The root of the work tree. */
  readonly root: string;
  /** The root of the main work tree; `root` itself unless it is a linked one. */
  readonly mainRoot: string;
  /** The folder of git that all of its work trees have in common, without symbolic links. */
  readonly gitFolder: string;
  /** Names this clone wherever it is moved: the first line of its log of `HEAD`, which has a time and who. */
  readonly clone: string | undefined;
}

/**
 * Finds the repository around a folder, which need not exist any more. A repository of all of the home folder is for
 * settings, and makes nothing in it one project.
 */
function repositoryAround(folder: string): Repository | undefined {
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
function repositoryAt(root: string): Repository | undefined {
  const dotGit = join(root, '.git');
  try {
    const stats = statSync(dotGit, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      // A folder of this name that git does not use has no HEAD.
      if (!existsSync(join(dotGit, 'HEAD'))) return undefined;
      return { root, mainRoot: root, gitFolder: realOf(dotGit), clone: cloneOf(dotGit) };
    }
    if (!stats?.isFile()) return undefined;
    const own = namedIn(dotGit);
    if (own === undefined) return undefined;
    const common = textAt(join(own, 'commondir'));
    // A submodule has no common folder: it is a repository of its own.
    if (common === undefined) {
      return { root, mainRoot: root, gitFolder: realOf(own), clone: cloneOf(own) };
    }
    const shared = resolve(own, common.trim());
    if (!isKnown(root, own, shared)) {
      return { root, mainRoot: root, gitFolder: realOf(own), clone: undefined };
    }
    const mainRoot = placeOf(mainTree(shared), root);
    return { root, mainRoot, gitFolder: realOf(shared), clone: cloneOf(shared) };
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
 * Returns the main work tree of a git folder, or the folder of its work trees, if that leads back to it; the folder itself if
 * it is bare, or in another place.
 */
function mainTree(gitFolder: string): string {
  const outer = dirname(gitFolder);
  if (basename(gitFolder) === '.git') return outer;
  // A bare clone in a folder of its own, such as `.bare`, next to the work trees.
  const named = namedIn(join(outer, '.git'));
  if (named !== undefined && realOf(named) === realOf(gitFolder)) return outer;
  const config = textAt(join(gitFolder, 'config')) ?? '';
  const place = /^[ \t]*worktree[ \t]*=(.+)$/m.exec(config)?.[1]?.trim().replaceAll(/^"|"$/g, '');
  if (place === undefined || place === '') return gitFolder;
  const tree = resolve(gitFolder, place);
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
function realOf(path: string): string {
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
