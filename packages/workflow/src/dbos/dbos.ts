import { checkDbosOptions } from '../arguments/worker-options.ts';
import type { WorkflowRuntime } from '../runtime/durable-runtime.ts';
import { openDbosClient } from './dbos-client.ts';
import { DbosRuntime } from './dbos-runtime.ts';
import { openDispatch } from './open-dispatch.ts';
import { namesOf, type DbosOptions } from './options.ts';

/** A transaction that does nothing for so long is that of a process that hangs, in milliseconds. */
const HANGS_MS = 15_000;

/**
 * Lets workers lead the runs of an engine: processes that were started with `runWorker`, of the same database and
 * namespace. The engine itself does no step, so that it needs neither models nor functions; when it is closed, the
 * runs go on.
 *
 * Opening the engine throws WorkflowError with the code `journal-unwritable`, and PeerError if `@dbos-inc/dbos-sdk` or
 * `pg` is not installed.
 *
 * @throws WorkflowError with the code `invalid-input`.
 *
 * @example
 * ```ts
 * await using engine = await WorkflowEngine.open({ files: 'flows.yaml', runtime: dbos({ url }) });
 * const run = await engine.start('story', 'a cat');
 * ```
 */
export function dbos(options: DbosOptions): WorkflowRuntime {
  checkDbosOptions(options);
  const { url } = options;
  const names = namesOf(options);
  return {
    name: 'dbos',
    async open(parts) {
      const storage = await openDispatch(options, names.namespace, HANGS_MS);
      try {
        const client = await openDbosClient(url, names);
        return await DbosRuntime.open({ url, names, storage, client, parts });
      } catch (error) {
        await storage.close();
        throw error;
      }
    },
  };
}
