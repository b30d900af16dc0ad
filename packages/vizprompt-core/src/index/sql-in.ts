import { type Database, type SqlExecutor, type SqlParameter } from '@vizprompt/providers';
import { isStorable } from '@vizprompt/providers/internal';
import type { Slot } from '../format/layout.ts';

/** Databases take some hundred parameters at once; SQLite took 999 for a long time. */
const PAGE = 500;

/**
 * Runs a query whose last condition is `IN`, for any number of values. No row has a text that no
 * database holds.
 *
 * @param sql - Up to and with the word `IN`.
 */
export async function sqlIn<R extends object>(
  executor: SqlExecutor,
  sql: string,
  values: readonly SqlParameter[],
): Promise<R[]> {
  const rows: R[] = [];
  const known = values.filter((value) => typeof value !== 'string' || isStorable(value));
  for (let at = 0; at < known.length; at += PAGE) {
    const page = known.slice(at, at + PAGE);
    rows.push(...(await executor.query<R>(`${sql} (${page.map(() => '?').join(', ')})`, page)));
  }
  return rows;
}

/** Numbered files in their order, then those with names of their own; on every database the same. */
export const FILE_ORDER = 'ORDER BY folder IS NULL, folder, number, file';

/** Returns the last numbered place of a table that is taken, in all folders or in one. */
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
