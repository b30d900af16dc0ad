import { createRequire } from 'node:module';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';

// The one that workflow itself has: what is beside LangGraph in this folder is not built.
const Database = createRequire(import.meta.resolve('@vizprompt/workflow'))(
  'better-sqlite3',
) as typeof BetterSqlite3;

/**
 * Writes rows that a journal left once more: the same table in a file of its own, one commit a row, each on the disk
 * before the next, by better-sqlite3 and nothing else.
 *
 * @param folder - Of the storage that the journal was kept in.
 * @returns Milliseconds a row.
 */
export function bareCommits(folder: string, rows: number): number {
  const journal = new Database(join(folder, '.vizprompt/database.db'), { readonly: true });
  const tables = journal
    .prepare("SELECT sql FROM sqlite_master WHERE tbl_name = 'workflow_step' AND sql IS NOT NULL")
    .pluck()
    .all();
  const steps = journal
    .prepare('SELECT * FROM workflow_step ORDER BY rowid LIMIT ?')
    .all(rows) as Record<string, unknown>[];
  journal.close();
  if (steps.length !== rows) throw new Error(`the journal has ${steps.length} of ${rows} steps`);

  const bare = new Database(join(folder, 'bare.db'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  for (const sql of tables) bare.exec(String(sql).replace(/REFERENCES \w+ ?\(\w+\)[^,)]*/g, ''));
  const columns = Object.keys(steps[0] ?? {});
  const insert = bare.prepare(
    `INSERT INTO workflow_step (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const start = performance.now();
  for (const step of steps) insert.run(Object.values(step));
  const ms = (performance.now() - start) / rows;
  bare.close();
  return ms;
}
