import { AsyncResource } from 'node:async_hooks';
import type * as Dbos from '@dbos-inc/dbos-sdk';
import { type FileStore, type Logger } from '@vizprompt/providers';
import { toPeerError, isError } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';
import { type DbosPolling, dbosPolling, SLOW_POLL_MS } from './dbos-polling.ts';
import { FIRE } from './dbos-schedules.ts';
import type { DbosNames } from './options.ts';

/** The workflow that DBOS knows: the interpreter. */
export const RUN = 'vizprompt.run';

/** Does what DBOS dispatches. */
interface DbosHandlers {
  lead(runId: string, rootId: string): Promise<void>;
  /** Starts the run of a schedule that is due. */
  fire(date: Date, context: unknown): Promise<void>;
}

/** How DBOS is started. */
interface LaunchOptions {
  readonly url: string;
  readonly names: DbosNames;
  readonly executorId: string;
  readonly runs: number;
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly logger: Logger | undefined;
}

/** DBOS in this process; there is one at most, since DBOS keeps its state in variables of its module. */
export interface DbosProcess {
  readonly api: DbosApi;
  /** Makes sure that a run is in the queue, or was. */
  enqueue(runId: string, rootId: string): Promise<void>;
  /** Looks for queued runs; DBOS does it on its own, too. */
  poll(): Promise<unknown>;
  shutdown(): Promise<void>;
}

let handlers: DbosHandlers | undefined;
let workflows: ReturnType<typeof registerWorkflows> | undefined;

/**
 * Starts DBOS in this process.
 *
 * @throws WorkflowError with the code `conflict` if it runs here already.
 */
export async function launchDbos(
  { DBOS }: DbosModule,
  options: LaunchOptions,
  own: DbosHandlers,
): Promise<DbosProcess> {
  if (handlers || DBOS.isInitialized()) {
    const message =
      'DBOS runs in this process already, and there can be one of it: end it first, or start the worker in a process of its own';
    throw new WorkflowError('conflict', message);
  }
  handlers = own;
  let polling: DbosPolling | undefined;
  try {
    const { url, names, executorId, leaseMs, logger } = options;
    DBOS.setConfig({
      name: names.application,
      systemDatabaseUrl: lettingGo(url, leaseMs),
      systemDatabaseSchemaName: names.schema,
      applicationVersion: names.version,
      executorID: executorId,
      runAdminServer: false,
      // Runs use no messages of DBOS, and each notification in the database is a transaction of each listener.
      useListenNotify: false,
      listenQueues: [names.queue],
      logger: dbosLogger(logger),
    });
    workflows ??= registerWorkflows(DBOS);
    const { runs, pollMs } = options;
    const slowDown = await dbosPolling();
    await DBOS.launch();
    await DBOS.registerQueue(names.queue, {
      workerConcurrency: runs,
      minPollingIntervalMs: slowDown ? Math.max(SLOW_POLL_MS, pollMs) : pollMs,
      onConflict: 'always_update',
    });
    polling = await slowDown?.(names.queue);
  } catch (error) {
    await DBOS.shutdown().catch(() => undefined);
    handlers = undefined;
    throw error;
  }
  const { lead } = (workflows ??= registerWorkflows(DBOS));
  return {
    api: outsideApi(DBOS),
    async enqueue(runId, workflowID) {
      const { queue: queueName } = options.names;
      await outside(() => DBOS.startWorkflow(lead, { workflowID, queueName })(runId));
    },
    poll: () => outside(() => polling?.poll() ?? Promise.resolve()),
    async shutdown() {
      polling?.restore();
      await DBOS.shutdown();
      handlers = undefined;
    },
  };
}

/** Lets the server end a transaction of a process that hangs in the middle of it, so that others continue. */
function lettingGo(url: string, leaseMs: number): string {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  const own = `${given} -c idle_in_transaction_session_timeout=${Math.ceil(leaseMs)}`.trim();
  // As a form writes a query, a blank would be a plus.
  parsed.search += `${parsed.search === '' ? '?' : '&'}options=${encodeURIComponent(own)}`;
  return parsed.href;
}

function registerWorkflows(DBOS: DbosModule['DBOS']): {
  readonly lead: (runId: string) => Promise<void>;
} {
  const lead = async (runId: string): Promise<void> =>
    handlers?.lead(runId, DBOS.workflowID ?? runId);
  const fire = async (date: Date, context: unknown): Promise<void> => handlers?.fire(date, context);
  DBOS.registerWorkflow(fire, { name: FIRE });
  return { lead: DBOS.registerWorkflow(lead, { name: RUN }) };
}

function dbosLogger(
  logger: Logger | undefined,
): NonNullable<Parameters<DbosModule['DBOS']['setConfig']>[0]['logger']> {
  const say =
    (level: 'debug' | 'warn') =>
    (entry: unknown): void =>
      logger?.[level](`DBOS: ${isError(entry) ? entry.message : String(entry)}`);
  // Steps that fail are errors to DBOS, and every-day life here.
  return { debug: say('debug'), info: say('debug'), warn: say('warn'), error: say('warn') };
}

/** Made where no workflow of DBOS continues. */
const resource = new AsyncResource('vizprompt.outside');

/**
 * Calls something as if from outside a workflow: what is called within one, and in timers that begin there, DBOS would
 * take for a step of it.
 */
export function outside<T>(call: () => T): T {
  return resource.runInAsyncScope(call);
}

/** DBOS, asked from outside workflows wherever the question comes from. */
function outsideApi(DBOS: DbosModule['DBOS']): DbosApi {
  return {
    listWorkflows: (input) => outside(() => DBOS.listWorkflows(input)),
    listWorkflowSteps: (id, options) => outside(() => DBOS.listWorkflowSteps(id, options)),
    deleteWorkflows: (ids) => outside(() => DBOS.deleteWorkflows(ids)),
    cancelWorkflows: (ids) => outside(() => DBOS.cancelWorkflows(ids)),
    resumeWorkflows: (ids, options) => outside(() => DBOS.resumeWorkflows(ids, options)),
  };
}

/** The package of DBOS Transact. */
export type DbosModule = typeof Dbos;

/** The questions about workflows that `DBOS` of a worker and `DBOSClient` both can answer. */
export type DbosApi = Pick<
  DbosModule['DBOS'],
  'listWorkflows' | 'listWorkflowSteps' | 'deleteWorkflows'
> & {
  cancelWorkflows(ids: string[]): Promise<void>;
  resumeWorkflows(ids: string[], options: { queueName: string }): Promise<unknown>;
};

/**
 * Loads DBOS when it is first needed.
 *
 * @throws PeerError if it is not installed.
 */
export async function loadDbos(): Promise<DbosModule> {
  try {
    return await import('@dbos-inc/dbos-sdk');
  } catch (error) {
    throw toPeerError(error, '@dbos-inc/dbos-sdk');
  }
}

/** How long to wait for others that start, in milliseconds. */
const LAUNCH_MS = 60_000;

/** DBOS makes its tables as it starts, and fails where two of them do so at the same time. */
export async function lockingLaunch<T>(files: FileStore, launch: () => Promise<T>): Promise<T> {
  const lock = await files.lock('dbos-launch', { timeoutMs: LAUNCH_MS });
  try {
    return await launch();
  } finally {
    await lock.release();
  }
}
