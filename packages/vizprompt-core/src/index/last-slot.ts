import type { Database } from '@vizprompt/providers';
import type { Slot } from '../project/layout.ts';

/** The last numbered place of a table that is taken, in all folders or in one. */
export async function lastSlot(
  database: Database,
  table: 'core_node' | 'core_flow',
  folder?: number,
): Promise<Slot | undefined> {
  const condition = folder === undefined ? 'folder IS NOT NULL' : 'folder = ?';
  const [slot] = await database.query<{ folder: number; number: number }>(
    `SELECT folder, number FROM ${table} WHERE ${condition}
     ORDER BY folder DESC, number DESC LIMIT 1`,
    folder === undefined ? [] : [folder],
  );
  return slot;
}
