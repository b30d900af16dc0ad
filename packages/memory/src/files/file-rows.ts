import { filePath, isInside, workspacePath } from '../model/paths.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { realPlace, recordedPath } from './resolve-file.ts';

/**
 * The paths of a file, which may be given by a symbolic link: of one in a workspace also those in the folders
 * that are the same workspace.
 */
export async function pathsOf(
  context: MemoryContext,
  path: string,
  workspace: string | undefined,
): Promise<readonly string[]> {
  const root = workspacePath(workspace);
  const absolute = filePath(path, root);
  const real = await realPlace(absolute).catch(() => absolute);
  const paths = [...new Set([absolute, await recordedPath(absolute, root), real])];
  if (workspace === undefined || !isInside(absolute, root)) return paths;
  const group = await workspaceGroup(context, root);
  return paths.flatMap((given) =>
    isInside(given, root) ? group.map((folder) => folder + given.slice(root.length)) : [given],
  );
}
