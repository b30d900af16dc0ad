/**
 * Runs on DBOS Transact and PostgreSQL: led by any number of workers, and taken over when one of them dies.
 *
 * @module @vizprompt/workflow/dbos
 */
export { dbos } from './dbos-runtime.ts';
export { runWorker } from './worker.ts';

export type { Worker } from './worker.ts';

export type { DbosOptions, SharedLimit, WorkerConcurrency, WorkerOptions } from './options.ts';
export type { Logger } from '../index.ts';
