import { AsyncResource } from 'node:async_hooks';
import type { DbosApi, DbosModule } from './load-dbos.ts';

/** Made where no workflow of DBOS goes on. */
const resource = new AsyncResource('vizprompt.outside');

/**
 * Calls something as if from outside a workflow: what is called within one, and in timers that begin there, DBOS would
 * take for a step of it.
 */
export function outside<T>(call: () => T): T {
  return resource.runInAsyncScope(call);
}

/** DBOS, asked from outside workflows wherever the question comes from. */
export function outsideApi(DBOS: DbosModule['DBOS']): DbosApi {
  return {
    listWorkflows: (input) => outside(() => DBOS.listWorkflows(input)),
    listWorkflowSteps: (id, options) => outside(() => DBOS.listWorkflowSteps(id, options)),
    deleteWorkflows: (ids) => outside(() => DBOS.deleteWorkflows(ids)),
    cancelWorkflows: (ids) => outside(() => DBOS.cancelWorkflows(ids)),
    resumeWorkflows: (ids, options) => outside(() => DBOS.resumeWorkflows(ids, options)),
  };
}
