import { checkWorkerOptions } from '../arguments/worker-options.ts';
import type { WorkerOptions } from './options.ts';
import { Worker } from './worker.ts';

/**
 * Leads the runs that engines start with `dbos({ url })`, until it is closed. Any number of processes and machines do
 * it together; of one that dies the others go on with its runs, when its lease is over, and repeat nothing that it had
 * finished. There can be one worker in a process, since DBOS keeps its state in variables of its module.
 *
 * @throws WorkflowError with the code `invalid-input`, `conflict` if DBOS runs in this process already, or
 * `journal-unwritable`; PeerError if `@dbos-inc/dbos-sdk` or `pg` is not installed.
 *
 * @example
 * ```ts
 * const worker = await runWorker({ url: process.env.DATABASE_URL, functions });
 * process.once('SIGTERM', () => void worker.close());
 * ```
 */
export async function runWorker(options: WorkerOptions): Promise<Worker> {
  checkWorkerOptions(options);
  return Worker.open(options);
}
