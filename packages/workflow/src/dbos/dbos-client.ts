import { messageOf } from '@vizprompt/providers';
import { type DbosApi, loadDbos, RUN } from './dbos-process.ts';
import type { ScheduleApi } from './dbos-schedules.ts';
import type { DbosNames } from './options.ts';

/** DBOS for those who only start runs: without its process, any number of times. */
export interface DbosClient {
  readonly api: DbosApi;
  readonly schedules: Partial<ScheduleApi>;
  /** Puts a run into the queue, once. */
  enqueue(runId: string, rootId: string): Promise<void>;
  close(): Promise<void>;
}

/** @throws PeerError if DBOS is not installed, and what its connection throws. */
export async function openDbosClient(url: string, names: DbosNames): Promise<DbosClient> {
  const { DBOSClient } = await loadDbos();
  const client = await DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: names.schema,
    applicationName: names.application,
    systemDatabasePoolSize: 4,
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  return {
    schedules: client,
    api: {
      listWorkflows: (input) => client.listWorkflows(input).catch(unlessNew([])),
      listWorkflowSteps: (id, options) => client.listWorkflowSteps(id, options),
      deleteWorkflows: (ids) => client.deleteWorkflows(ids),
      cancelWorkflows: (ids) => client.cancelWorkflows(ids),
      resumeWorkflows: (ids, options) => client.resumeWorkflows(ids, options),
    },
    async enqueue(runId, workflowID) {
      const to = { queueName: names.queue, workflowName: RUN, appVersion: names.version };
      await client
        .enqueue<(id: string) => Promise<void>>({ ...to, workflowID }, runId)
        .then(() => undefined, unlessNew(undefined));
    },
    close: () => client.destroy(),
  };
}

/**
 * The first worker makes the tables of DBOS, and puts the runs into the queue that were accepted before; until then
 * there is nothing in them.
 */
function unlessNew<T>(nothing: T): (error: unknown) => T {
  return (error) => {
    if (/relation .* does not exist/.test(messageOf(error))) return nothing;
    throw error;
  };
}

function ignore(): void {}
