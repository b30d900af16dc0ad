import type { SqlExecutor, Storage } from '@vizprompt/providers';
import type { DbosApi } from './load-dbos.ts';
import { RUN } from './dbos-process.ts';
import type { DbosNames } from './options.ts';
import { NOW } from './tables.ts';

/**
 * Lets the runs of dead workers go on elsewhere. One worker does it at a time; if that one dies too, the next begins
 * where it was, since a dead worker is forgotten last.
 *
 * @param isThorough - Also looks for runs of workers that nobody knows: who does not notice for a moment that it was
 * taken for dead may begin runs after it was forgotten.
 */
export async function sweep(
  storage: Storage,
  api: DbosApi,
  { namespace, queue }: DbosNames,
  isThorough: boolean,
): Promise<void> {
  await storage.database.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: number }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)) AS taken',
      [`${namespace}.sweep`],
    );
    if (lock?.taken !== 1) return;
    await markDead(tx);
    const dead = await tx.query<{ id: string }>('SELECT id FROM dispatch_worker WHERE is_dead = 1');
    if (dead.length === 0 && !isThorough) return;
    const runs = await pendingRuns(api);
    // Asked afterwards, and not in the past that a transaction sees: who leads one of the runs is known by now.
    const known = await storage.cache.query<{ id: string }>(
      `SELECT id FROM "${namespace}".dispatch_worker`,
    );
    const alive = new Set(known.map(({ id }) => id));
    for (const { id } of dead) alive.delete(id);
    const left = runs.filter(({ executorId }) => !alive.has(executorId));
    // Threads are not resumed: the run begins them again, with what they had done.
    const ids = left.map(({ id }) => id);
    if (ids.length > 0) await api.resumeWorkflows(ids, { queueName: queue });
    for (const { id } of dead) {
      await tx.execute('UPDATE dispatch_place SET owner = NULL, call = NULL WHERE owner = ?', [id]);
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

async function pendingRuns(
  api: DbosApi,
): Promise<{ readonly id: string; readonly executorId: string }[]> {
  const pending = await api.listWorkflows({
    workflowName: RUN,
    status: 'PENDING',
    loadInput: false,
    loadOutput: false,
  });
  return pending.map(({ workflowID: id, executorId = '' }) => ({ id, executorId }));
}
