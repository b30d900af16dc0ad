import {
  AT_A_TIME,
  type Kind,
  type Kinds,
  OBJECT,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import type { Concurrency } from '../calls/call-limiter.ts';
import { checkOptions } from '../check-options.ts';
import {
  checkCommonOptions,
  ENGINE_KINDS,
  type WorkflowEngineOptions,
} from '../engine/engine-options.ts';
import { WorkflowError } from '../errors.ts';

/** Where the runs of workers are kept. */
export interface DbosOptions {
  /** The PostgreSQL database, such as `postgres://user:password@localhost:5432/app`. */
  readonly url: string;
  /**
   * Begins the names of the schemas in which everything is: those who give the same share their runs, others never
   * see them. Small letters, digits and `_`, at most 30, beginning with a letter. Default: `vizprompt_workflow`.
   */
  readonly namespace?: string | undefined;
}

/** How often a provider is called, by all workers together. */
export interface SharedLimit {
  /** Calls at a time. Default: no limit. */
  readonly concurrency?: number | undefined;
  /** Calls that begin within a time, whichever span of that length one looks at. Default: no limit. */
  readonly rate?: { readonly calls: number; readonly perMs: number } | undefined;
}

/** How much happens at a time in a worker, and in all of them. */
export interface WorkerConcurrency extends Concurrency {
  /** Runs that a worker leads at a time; those that wait for a person count. Default: 200. */
  readonly runs?: number | undefined;
  /** Limits of providers that all workers share. Default: none. */
  readonly shared?: Readonly<Record<string, SharedLimit>> | undefined;
}

/**
 * Options of `runWorker`: what the steps of runs need. Files are not among it, since a run brings the definition
 * that it was started with.
 */
export interface WorkerOptions
  extends
    DbosOptions,
    Omit<
      WorkflowEngineOptions,
      'files' | 'promptSets' | 'storage' | 'runtime' | 'concurrency' | 'createId'
    > {
  /** How much happens at a time. */
  readonly concurrency?: WorkerConcurrency | undefined;
  /**
   * A worker that has said nothing for so long is taken for dead, and others continue with its runs. In milliseconds.
   * Default: 15,000.
   */
  readonly leaseMs?: number | undefined;
  /** How often a worker says that it is alive and looks for dead ones, in milliseconds. Default: a third of the lease. */
  readonly heartbeatMs?: number | undefined;
  /**
   * The shortest time between two looks for new runs, in milliseconds. A worker looks when it is notified of one, and
   * every three seconds. Default: 100.
   */
  readonly pollMs?: number | undefined;
}

/** The names that belong to a namespace. */
export interface DbosNames {
  readonly namespace: string;
  /** The schema of DBOS's own tables. */
  readonly schema: string;
  readonly application: string;
  /** The version of the interpreter: it changes when running workflows could not continue with a newer one. */
  readonly version: string;
  readonly queue: string;
  /** The channel on which workers are notified. */
  readonly channel: string;
}

/** The interpreter's major version. */
const INTERPRETER = 1;

export function namesOf({ namespace = 'vizprompt_workflow' }: DbosOptions): DbosNames {
  return {
    namespace,
    schema: `${namespace}_dbos`,
    application: namespace,
    version: `${namespace}-${INTERPRETER}`,
    queue: `${namespace}.runs`,
    channel: `${namespace}.workers`,
  };
}

const MS: Kind<number> = {
  expected: 'a number of milliseconds, above 0',
  accepts: (value) => Number.isFinite(value) && Number(value) > 0,
};
const NAMESPACE: Kind<string> = {
  expected: "small letters, digits and '_', at most 30, beginning with a letter",
  accepts: (value) => typeof value === 'string' && /^[a-z][a-z0-9_]{0,29}$/.test(value),
};
const DBOS_KINDS: Kinds<DbosOptions> = { url: TEXT, namespace: optional(NAMESPACE) };

const {
  files: _f,
  promptSets: _p,
  storage: _s,
  runtime: _r,
  createId: _c,
  ...SHARED
} = ENGINE_KINDS;
const WORKER_KINDS: Kinds<WorkerOptions> = {
  ...SHARED,
  ...DBOS_KINDS,
  leaseMs: optional(MS),
  heartbeatMs: optional(MS),
  pollMs: optional(MS),
};
const CONCURRENCY: Kinds<WorkerConcurrency> = {
  total: optional(AT_A_TIME),
  providers: optional(OBJECT),
  runs: optional(AT_A_TIME),
  shared: optional(OBJECT),
};
const LIMIT: Kinds<SharedLimit> = { concurrency: optional(AT_A_TIME), rate: optional(OBJECT) };
const RATE: Kinds<NonNullable<SharedLimit['rate']>> = { calls: AT_A_TIME, perMs: MS };

/** @throws WorkflowError with the code `invalid-input`. */
export function checkDbosOptions(options: DbosOptions): void {
  checkOptions('dbos', options, DBOS_KINDS);
  checkUrl('dbos', options);
}

/** @throws WorkflowError with the code `invalid-input`. */
export function checkWorkerOptions(options: WorkerOptions): void {
  const what = 'runWorker';
  checkOptions(what, options, WORKER_KINDS);
  checkUrl(what, options);
  checkCommonOptions(what, options);
  const { concurrency, leaseMs = Infinity, heartbeatMs = 0 } = options;
  if (heartbeatMs >= leaseMs) {
    const message = `'heartbeatMs' of ${what} must be less than 'leaseMs', best a third of it: ${heartbeatMs} is not less than ${leaseMs}`;
    throw new WorkflowError('invalid-input', message);
  }
  if (concurrency) checkOptions(`'concurrency' of ${what}`, concurrency, CONCURRENCY);
  for (const [provider, limit] of Object.entries(concurrency?.shared ?? {})) {
    const place = `'concurrency.shared.${provider}' of ${what}`;
    checkOptions(place, limit, LIMIT);
    if (limit.rate) checkOptions(`'rate' of ${place}`, limit.rate, RATE);
  }
}

/** Something else would be the name of a file or a host to the clients that it is given to. */
function checkUrl(what: string, { url }: DbosOptions): void {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return;
  // It may hold a password, and is not shown.
  const message = `the option 'url' of ${what} must be like postgres://user:password@localhost:5432/app`;
  throw new WorkflowError('invalid-input', message);
}
