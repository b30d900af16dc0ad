import { messageOf, type FileStore } from '@vizprompt/providers';
import { RUN } from './dbos-process.ts';
import { lockingLaunch } from './locking-launch.ts';
import { loadDbos, type DbosApi } from './load-dbos.ts';
import type { DbosNames } from './options.ts';

/** DBOS for those who only start runs: without its process, any number of times. */
export interface DbosClient {
  readonly api: DbosApi;
  /** Puts a run into the queue, once. */
  enqueue(runId: string, rootId: string): Promise<void>;
  close(): Promise<void>;
}

/** @throws PeerError if DBOS is not installed, and what its connection throws. */
export async function openDbosClient(
  url: string,
  names: DbosNames,
  files: FileStore,
): Promise<DbosClient> {
  const { DBOS, DBOSClient } = await loadDbos();
  // Before version 5 only a worker can make the tables of DBOS.
  if ('migrate' in DBOS) {
    await lockingLaunch(files, () => DBOS.migrate(url, { schemaName: names.schema }));
  }
  const client = await DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabaseSchemaName: names.schema,
    applicationName: names.application,
    systemDatabasePoolSize: 4,
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  return {
    api: client,
    async enqueue(runId, workflowID) {
      try {
        await client.enqueue<(id: string) => Promise<void>>(
          {
            queueName: names.queue,
            workflowName: RUN,
            workflowID,
            appVersion: names.version,
          },
          runId,
        );
      } catch (error) {
        // The run is accepted already: the first worker makes the tables, and puts it into the queue.
        if (!/relation .* does not exist/.test(messageOf(error))) throw error;
      }
    },
    close: () => client.destroy(),
  };
}

function ignore(): void {}
