import type { SqlParameter } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { FILE_LIST_OPTIONS, type ChangedFile, type FileListOptions } from './file-options.ts';

/** Files that sessions changed or meant to change, in the order of their paths. */
export async function listFiles(
  context: MemoryContext,
  options: FileListOptions,
): Promise<ChangedFile[]> {
  checkOptions('files', options, FILE_LIST_OPTIONS);
  const { workspace, after, limit = 1000 } = options;
  const { database, tenant } = context;
  // The same order on both databases.
  const path = database.dialect === 'sqlite' ? 'e.file_path' : 'e.file_path COLLATE "C"';
  const conditions = ['e.tenant = ?', 'e.file_path IS NOT NULL'];
  const params: SqlParameter[] = [tenant];
  if (workspace !== undefined) {
    const paths = await workspaceGroup(context, workspace);
    conditions.push(`s.workspace_path IN (${paths.map(() => '?').join(', ')})`);
    params.push(...paths);
  }
  if (after !== undefined) {
    conditions.push(`${path} > ?`);
    params.push(after);
  }
  return database.query<ChangedFile>(
    `SELECT e.file_path AS file_path,
       CAST(SUM(CASE WHEN e.type = 'file_edit' THEN 1 ELSE 0 END) AS BIGINT) AS edits,
       MAX(e.timestamp) AS updated_at
     FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key
     WHERE ${conditions.join(' AND ')}
     GROUP BY e.file_path ORDER BY ${path} LIMIT ?`,
    [...params, limit],
  );
}
