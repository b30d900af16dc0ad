import type { MemoryContext } from '../store/memory-context.ts';
import { filePath, isInside, workspacePath } from '../workspace/paths.ts';
import { workspaceGroup } from '../workspace/workspaces.ts';

/** The paths of a file: of one in a workspace also those in the folders that are the same workspace. */
export async function pathsOf(
  context: MemoryContext,
  path: string,
  workspace: string | undefined,
): Promise<readonly string[]> {
  const root = workspacePath(workspace);
  const absolute = filePath(path, root);
  if (workspace === undefined || !isInside(absolute, root)) return [absolute];
  const inner = absolute.slice(root.length);
  const group = await workspaceGroup(context, root);
  return group.map((folder) => folder + inner);
}
