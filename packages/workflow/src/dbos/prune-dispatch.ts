import type { Database } from '@vizprompt/providers';
import { flowsOfRun } from './dbos-history.ts';
import type { DbosApi } from './load-dbos.ts';

/** Runs whose traces are removed at a time. */
const AT_ONCE = 100;

/** Removes what DBOS and the dispatch keep of runs that the journal has removed: steps, results and all. */
export async function pruneDispatch(database: Database, api: DbosApi): Promise<void> {
  for (;;) {
    const gone = await database.query<{ run_id: string }>(
      `SELECT run_id FROM dispatch_run d
        WHERE NOT EXISTS (SELECT 1 FROM workflow_run r WHERE r.id = d.run_id) LIMIT ?`,
      [AT_ONCE],
    );
    const ids = gone.map((row) => row.run_id);
    if (ids.length === 0) return;
    const flows = await Promise.all(ids.map((id) => flowsOfRun(api, id)));
    const all = flows.flat().map(({ id }) => id);
    if (all.length > 0) await api.deleteWorkflows(all);
    const marks = ids.map(() => '?').join(', ');
    await database.execute(`DELETE FROM dispatch_run WHERE run_id IN (${marks})`, ids);
    if (ids.length < AT_ONCE) return;
  }
}
