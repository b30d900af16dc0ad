import { AsyncResource } from 'node:async_hooks';
import type * as Dbos from '@dbos-inc/dbos-sdk';
import { type FileStore, type Logger, messageOf } from '@vizprompt/providers';
import { isError, toPeerError } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';
import { FIRE, type ScheduleApi } from './dbos-schedules.ts';
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
    const slowPolling = await dbosPolling();
    await DBOS.launch();
    await DBOS.registerQueue(names.queue, {
      workerConcurrency: runs,
      minPollingIntervalMs: slowPolling ? Math.max(SLOW_POLL_MS, pollMs) : pollMs,
      onConflict: 'always_update',
    });
    polling = await slowPolling?.(names.queue);
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

/** How often DBOS itself looks for runs in a queue whose notifications may be lost, in milliseconds. */
const SLOW_POLL_MS = 3000;

/** How often it looks for times of schedules that are due, in milliseconds: it spreads them over ten seconds. */
const SCHEDULED_MS = 4000;

/** How often it looks for queues, delays and deadlines, of which runs have none, in milliseconds. */
const UPKEEP_MS = 30_000;

/** The queue in which DBOS puts what its schedules start. */
const INTERNAL_QUEUE = '_dbos_internal_queue';

/** The polling of DBOS in this process. */
interface DbosPolling {
  /** Starts the runs that are in the queue, as DBOS's own poll would. */
  poll(): Promise<unknown>;
  /** Polls as DBOS does on its own from now on. */
  restore(): void;
}

interface QueueRunner {
  readonly constructor: object;
  readonly states: ReadonlyMap<unknown, unknown>;
  pollQueue(executor: unknown, queue: unknown): Promise<unknown>;
  refreshDbQueues(executor: unknown, now: number): Promise<unknown>;
}

/**
 * Lets DBOS look at its tables less often, and at a queue on request. DBOS has no options for that: an idle
 * process of it makes fourteen transactions a second. These are parts that it exports for its own packages.
 *
 * @returns A function to call when DBOS is launched and has the queue; `undefined` in a version of DBOS that has other
 * parts, which continues as it is.
 */
export async function dbosPolling(): Promise<
  ((queue: string) => Promise<DbosPolling>) | undefined
> {
  const parts = await loadParts();
  if (!parts) return undefined;
  const { runner, timeouts, executor } = parts;
  return async (queue) => {
    await runner.refreshDbQueues(executor(), Date.now());
    // One that it does not know yet it finds at its own pace.
    const upkeepMs = queueOf(runner, queue) ? UPKEEP_MS : 0;
    const undo = [
      slowDown(runner.constructor, 'reconcileIntervalMs', upkeepMs),
      slowDown(runner.constructor, 'transitionIntervalMs', UPKEEP_MS),
      slowDown(timeouts, 'pollingIntervalMs', UPKEEP_MS),
      slowDown(queueOf(runner, INTERNAL_QUEUE), 'minPollingIntervalMs', SCHEDULED_MS),
      pollOneAtATime(runner),
    ];
    return {
      async poll() {
        const known = queueOf(runner, queue);
        if (known && executor()) await runner.pollQueue(executor(), known);
      },
      restore: () => {
        for (const one of undo) one();
      },
    };
  };
}

interface Parts {
  readonly runner: QueueRunner;
  readonly timeouts: object;
  executor(): unknown;
}

async function loadParts(): Promise<Parts | undefined> {
  try {
    const { wfQueueRunner: runner }: { wfQueueRunner?: unknown } =
      await import('@dbos-inc/dbos-sdk/internal/wfqueue');
    const { workflowTimeoutConfig: timeouts }: { workflowTimeoutConfig?: unknown } =
      await import('@dbos-inc/dbos-sdk/internal/workflow_management');
    const { DBOSExecutor } = await import('@dbos-inc/dbos-sdk/internal/dbos-executor');
    if (!isRunner(runner) || !isObject(timeouts)) return undefined;
    return { runner, timeouts, executor: () => DBOSExecutor.globalInstance };
  } catch {
    return undefined;
  }
}

/** @returns A function that sets the interval to what it was. */
function slowDown(of: object | undefined, name: string, ms: number): () => void {
  const before: unknown = of && Reflect.get(of, name);
  if (!of || typeof before !== 'number' || before >= ms) return () => undefined;
  Reflect.set(of, name, ms);
  return () => void Reflect.set(of, name, before);
}

/**
 * Lets polls of a queue wait for each other, those of DBOS and those on request: each counts the runs in progress before
 * it takes more, and two at the same time would take more than `workerConcurrency`.
 *
 * @returns A function that lets them overlap as before.
 */
function pollOneAtATime(runner: QueueRunner): () => void {
  const poll = runner.pollQueue.bind(runner);
  const last = new Map<unknown, Promise<unknown>>();
  const pollNext: QueueRunner['pollQueue'] = async (executor, queue) => {
    const name: unknown = isObject(queue) ? Reflect.get(queue, 'name') : undefined;
    const next = (last.get(name) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => poll(executor, queue));
    last.set(name, next);
    return next;
  };
  Reflect.set(runner, 'pollQueue', pollNext);
  return () => void Reflect.deleteProperty(runner, 'pollQueue');
}

function queueOf({ states }: QueueRunner, name: string): object | undefined {
  const state = states.get(name);
  return isObject(state) && 'queue' in state && isObject(state.queue) ? state.queue : undefined;
}

function isRunner(value: unknown): value is QueueRunner {
  return (
    isObject(value) &&
    'pollQueue' in value &&
    typeof value.pollQueue === 'function' &&
    'refreshDbQueues' in value &&
    typeof value.refreshDbQueues === 'function' &&
    'states' in value &&
    value.states instanceof Map
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

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
