import type { Database, SqlExecutor } from '@vizprompt/providers';
import type { DbosApi } from './load-dbos.ts';
import { RUN } from './dbos-process.ts';
import type { DbosNames } from './options.ts';
import { NOW } from './tables.ts';

/**
 * Lets the runs of dead workers go on elsewhere. One worker does it at a time; if that one dies too, the next begins
 * where it was, since a dead worker is forgotten last.
 */
export async function sweep(
  database: Database,
  api: DbosApi,
  { namespace, queue }: DbosNames,
): Promise<void> {
  await database.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: number }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS taken',
      [`${namespace}.sweep`],
    );
    if (lock?.taken !== 1) return;
    await markDead(tx);
    const dead = await tx.query<{ id: string }>('SELECT id FROM dispatch_worker WHERE is_dead = 1');
    for (const { id } of dead) {
      await resumeRunsOf(api, id, queue);
      await tx.execute('UPDATE dispatch_place SET owner = NULL WHERE owner = ?', [id]);
      await tx.execute('DELETE FROM dispatch_worker WHERE id = ?', [id]);
    }
  });
}

/** After a start of the server everybody has the time of a lease to say that they are alive. */
async function markDead(tx: SqlExecutor): Promise<void> {
  await tx.execute(
    `UPDATE dispatch_worker SET is_dead = 1 WHERE is_dead = 0 AND alive_at + lease_ms < ${NOW}
      AND CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000 AS BIGINT) + lease_ms < ${NOW}`,
  );
}

/** Threads are not resumed: the run begins them again, with what they had done. */
async function resumeRunsOf(api: DbosApi, executorId: string, queueName: string): Promise<void> {
  const pending = await api.listWorkflows({
    workflowName: RUN,
    status: 'PENDING',
    executorId,
    loadInput: false,
    loadOutput: false,
  });
  const ids = pending.map(({ workflowID }) => workflowID);
  if (ids.length > 0) await api.resumeWorkflows(ids, { queueName });
}
