import type { Database } from '@vizprompt/providers';
import { toMs } from '../definition/policies.ts';
import type { Retention } from './journal.ts';

/** Runs that are removed in one transaction. */
const AT_ONCE = 200;

/** Removes ended runs beyond what is kept, and the definitions that no run needs any more. */
export async function pruneRuns(
  database: Database,
  { keepLast, maxAge }: Retention,
  now: number,
): Promise<void> {
  if (maxAge !== undefined) {
    await removeAll(database, 'ended_at < ?', [now - toMs(maxAge)]);
  }
  if (keepLast === undefined) return;
  // The newest that goes; those of the same millisecond go by their ids.
  const [first] = await database.query<{ id: string; ended_at: number }>(
    `SELECT id, ended_at FROM workflow_run WHERE ended_at IS NOT NULL
      ORDER BY ended_at DESC, id DESC LIMIT 1 OFFSET ?`,
    [keepLast],
  );
  if (!first) return;
  const { id, ended_at: endedAt } = first;
  await removeAll(database, '(ended_at < ? OR (ended_at = ? AND id <= ?))', [endedAt, endedAt, id]);
}

async function removeAll(
  database: Database,
  where: string,
  params: readonly (string | number)[],
): Promise<void> {
  for (;;) {
    const removed = await database.transaction(async (tx) => {
      const runs = await tx.query<{ id: string; hash: string }>(
        `SELECT id, hash FROM workflow_run WHERE ended_at IS NOT NULL AND ${where}
          ORDER BY ended_at LIMIT ${AT_ONCE}`,
        params,
      );
      for (const { id } of runs) {
        await tx.execute('DELETE FROM workflow_run WHERE id = ?', [id]);
        for (const table of ['workflow_step', 'workflow_wait', 'workflow_spending']) {
          await tx.execute(`DELETE FROM ${table} WHERE run_id = ?`, [id]);
        }
      }
      for (const hash of new Set(runs.map((run) => run.hash))) {
        await tx.execute(
          `DELETE FROM workflow_definition WHERE hash = ?
            AND NOT EXISTS (SELECT 1 FROM workflow_run r WHERE r.hash = workflow_definition.hash)`,
          [hash],
        );
      }
      return runs.length;
    });
    if (removed < AT_ONCE) return;
  }
}

/** Ids of the ended runs that are kept. */
export function retained(
  ended: readonly { readonly id: string; readonly endedAt: number }[],
  { keepLast = Infinity, maxAge }: Retention,
  now: number,
): Set<string> {
  const oldest = maxAge === undefined ? -Infinity : now - toMs(maxAge);
  const newest = ended.toSorted((a, b) => b.endedAt - a.endedAt).slice(0, keepLast);
  return new Set(newest.filter(({ endedAt }) => endedAt >= oldest).map(({ id }) => id));
}
