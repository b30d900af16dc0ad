import type { Logger } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import type { DbosApi, DbosModule } from './load-dbos.ts';
import type { DbosNames } from './options.ts';
import { outside, outsideApi } from './outside.ts';

/** The workflows that DBOS knows: the interpreter, and a thread of it. */
export const RUN = 'vizprompt.run';
const BRANCH = 'vizprompt.branch';

/** Does what DBOS dispatches. */
export interface DbosHandlers {
  lead(runId: string, rootId: string): Promise<void>;
  branch(branchId: string): Promise<void>;
}

/** How DBOS is started. */
export interface LaunchOptions {
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
  /** Does a step of the workflow in which it is called. */
  runStep(name: string, work: () => Promise<string>): Promise<unknown>;
  /** Makes sure that a run is in the queue, or was. */
  enqueue(runId: string, rootId: string): Promise<void>;
  /** Starts a thread in this process. */
  startBranch(id: string): Promise<void>;
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
  try {
    const { url, names, executorId, leaseMs, logger } = options;
    DBOS.setConfig({
      name: names.application,
      systemDatabaseUrl: lettingGo(url, leaseMs),
      systemDatabaseSchemaName: names.schema,
      applicationVersion: names.version,
      executorID: executorId,
      runAdminServer: false,
      listenQueues: [names.queue],
      logger: dbosLogger(logger),
    });
    workflows ??= registerWorkflows(DBOS);
    const { runs, pollMs } = options;
    await DBOS.launch();
    await DBOS.registerQueue(names.queue, {
      workerConcurrency: runs,
      minPollingIntervalMs: pollMs,
      onConflict: 'always_update',
    });
  } catch (error) {
    await DBOS.shutdown().catch(() => undefined);
    handlers = undefined;
    throw error;
  }
  const { lead, branch } = (workflows ??= registerWorkflows(DBOS));
  return {
    api: outsideApi(DBOS),
    runStep: (name, work) => DBOS.runStep(work, { name }),
    async enqueue(runId, workflowID) {
      const { queue: queueName } = options.names;
      await outside(() => DBOS.startWorkflow(lead, { workflowID, queueName })(runId));
    },
    async startBranch(workflowID) {
      const handle = await outside(() => DBOS.startWorkflow(branch, { workflowID })(workflowID));
      // Who began the thread hears of its end from the thread itself.
      outside(() => handle.getResult()).catch(() => undefined);
    },
    async shutdown() {
      await DBOS.shutdown();
      handlers = undefined;
    },
  };
}

/** Lets the server end a transaction of a process that hangs in the middle of it, so that others go on. */
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
  readonly branch: (id: string) => Promise<void>;
} {
  const lead = async (runId: string): Promise<void> =>
    handlers?.lead(runId, DBOS.workflowID ?? runId);
  const branch = async (id: string): Promise<void> => handlers?.branch(DBOS.workflowID ?? id);
  return {
    lead: DBOS.registerWorkflow(lead, { name: RUN }),
    branch: DBOS.registerWorkflow(branch, { name: BRANCH }),
  };
}

function dbosLogger(
  logger: Logger | undefined,
): NonNullable<Parameters<DbosModule['DBOS']['setConfig']>[0]['logger']> {
  const say =
    (level: 'debug' | 'warn') =>
    (entry: unknown): void =>
      logger?.[level](`DBOS: ${entry instanceof Error ? entry.message : String(entry)}`);
  // Steps that fail are errors to DBOS, and every-day life here.
  return { debug: say('debug'), info: say('debug'), warn: say('warn'), error: say('warn') };
}
