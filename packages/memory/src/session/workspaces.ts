import { checkArgument } from '../check-values.ts';
import { TEXT } from '@vizprompt/providers/config/internal';
import type { MemoryContext } from '../store/memory-context.ts';
import { storedWorkspace } from '../redact/stored-path.ts';

/** All folders that are the same workspace as this one, itself included. */
export async function workspaceGroup(
  { database, tenant, redact }: MemoryContext,
  workspace: string,
): Promise<readonly string[]> {
  const path = storedWorkspace(workspace, redact);
  const rows = await database.query<{ path: string; main_path: string }>(
    `SELECT path, main_path FROM memory_workspaces WHERE tenant = ? AND main_path = COALESCE(
       (SELECT main_path FROM memory_workspaces WHERE tenant = ? AND path = ?), ?)`,
    [tenant, tenant, path, path],
  );
  return [...new Set([path, ...rows.flatMap((row) => [row.path, row.main_path])])];
}

/**
 * Declares that folders are one workspace: git worktrees, a clone that was moved or renamed. Each search
 * in one of them finds the sessions of all.
 */
export async function joinWorkspaces(
  context: MemoryContext,
  workspaces: readonly string[],
): Promise<void> {
  for (const path of workspaces) checkArgument('a workspace', path, TEXT);
  const groups = await Promise.all(workspaces.map((path) => workspaceGroup(context, path)));
  const paths = [...new Set(groups.flat())];
  const [main] = paths;
  if (main === undefined) return;
  await context.database.batch(
    paths.map((path) => ({
      sql: `INSERT INTO memory_workspaces (tenant, path, main_path) VALUES (?, ?, ?)
        ON CONFLICT (tenant, path) DO UPDATE SET main_path = excluded.main_path`,
      params: [context.tenant, path, main],
    })),
  );
}

/** Declares that a folder is a workspace of its own again. */
export async function leaveWorkspaces(context: MemoryContext, workspace: string): Promise<void> {
  checkArgument('the workspace', workspace, TEXT);
  const path = storedWorkspace(workspace, context.redact);
  const others = (await workspaceGroup(context, path)).filter((other) => other !== path);
  const [main] = others;
  await context.database.batch([
    {
      sql: 'DELETE FROM memory_workspaces WHERE tenant = ? AND path = ?',
      params: [context.tenant, path],
    },
    ...others.map((other) => ({
      sql: 'UPDATE memory_workspaces SET main_path = ? WHERE tenant = ? AND path = ?',
      params: [main ?? other, context.tenant, other],
    })),
  ]);
}
