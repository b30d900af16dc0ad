import { TEXT } from '@vizprompt/providers/config/internal';
import { textHash } from '@vizprompt/providers/transcripts/internal';
import { checkArgument } from '../check-values.ts';
import { twinPaths } from '../model/paths.ts';
import { storedPath, storedWorkspace } from '../redact/redactor.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { realOf, repositoryAround, repositoryAt } from './repository.ts';

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
  const { mainRoot, clone } = repository ?? {};
  const name = clone === undefined ? undefined : nameOf(clone);
  if (
    name !== undefined &&
    mainRoot !== undefined &&
    !all.includes(name) &&
    all.includes(mainRoot)
  ) {
    const rows = await joinedTo(context, name);
    const [before] = rows;
    if (before && !(await isElsewhere(context, before.main, mainRoot, clone))) {
      all.push(...rows.flatMap((row) => [row.path, row.main]));
    }
  }
  return [...new Set(all.flatMap(twinPaths))].filter((each) => !each.startsWith(CLONE));
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

/** Declares that a folder is a workspace of its own again. It is not joined on its own afterwards. */
export async function leaveWorkspaces(context: MemoryContext, workspace: string): Promise<void> {
  checkArgument('the workspace', workspace, TEXT);
  const path = storedWorkspace(workspace, context.redact);
  const rows = await joinedTo(context, path);
  const others = [...new Set(rows.flatMap((row) => [row.path, row.main]))].filter(
    (other) => other !== path,
  );
  const main = others.find((other) => !other.startsWith(CLONE));
  if (main !== undefined) await setMain(context, others, main);
  await setMain(context, [path], path);
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
  const isMoved = before !== undefined && !(await isElsewhere(context, before, mainRoot, clone));
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
 * project.
 */
async function isElsewhere(
  context: MemoryContext,
  main: string,
  here: string,
  clone: string | undefined,
): Promise<boolean> {
  const rows = await joinedTo(context, main);
  const places = new Set(rows.flatMap((row) => [row.path, row.main]));
  // A symbolic link leads to the same place.
  const real = realOf(here);
  return [...places].some((path) => realOf(path) !== real && repositoryAt(path)?.clone === clone);
}
