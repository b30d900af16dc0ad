import { checkOptions } from '../check-values.ts';
import { workspaceGroup } from '../session/workspaces.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { SqlConditions } from '../store/sql.ts';
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
  const where = new SqlConditions().add('e.tenant = ?', tenant).add('e.file_path IS NOT NULL');
  if (workspace !== undefined) {
    where.addIn('s.workspace_path', await workspaceGroup(context, workspace));
  }
  if (after !== undefined) {
    where.add(`${path} > ?`, after);
  }
  return database.query<ChangedFile>(
    `SELECT e.file_path AS file_path,
       CAST(SUM(CASE WHEN e.type = 'file_edit' THEN 1 ELSE 0 END) AS BIGINT) AS edits,
       MAX(e.timestamp) AS updated_at
     FROM memory_events AS e JOIN memory_sessions AS s ON s.key = e.session_key
     WHERE ${where.sql}
     GROUP BY e.file_path ORDER BY ${path} LIMIT ?`,
    [...where.params, limit],
  );
}
