import type { Concurrency, WorkflowEngineOptions } from '../options.ts';

/** Where the runs of workers are kept. */
export interface DbosOptions {
  /** The PostgreSQL database, such as `postgres://user:password@localhost:5432/app`. */
  readonly url: string;
  /**
   * Begins the names of the schemas in which everything is: those who give the same share their runs, others never
   * see them. Small letters, digits and `_`, at most 30, beginning with a letter. Default: `vizprompt_workflow`.
   */
  readonly namespace?: string;
}

/** How often a provider is called, by all workers together. */
export interface SharedLimit {
  /** Calls at a time. Default: no limit. */
  readonly concurrency?: number;
  /** Calls that begin within a time, whichever span of that length one looks at. Default: no limit. */
  readonly rate?: { readonly calls: number; readonly perMs: number };
}

/** How much happens at a time in a worker, and in all of them. */
export interface WorkerConcurrency extends Concurrency {
  /** Runs that a worker leads at a time; those that wait for a person count. Default: 200. */
  readonly runs?: number;
  /** Limits of providers that all workers share. Default: none. */
  readonly shared?: Readonly<Record<string, SharedLimit>>;
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
  readonly concurrency?: WorkerConcurrency;
  /**
   * A worker that has said nothing for so long is taken for dead, and others go on with its runs. In milliseconds.
   * Default: 15,000.
   */
  readonly leaseMs?: number;
  /** How often a worker says that it is alive and looks for dead ones, in milliseconds. Default: a third of the lease. */
  readonly heartbeatMs?: number;
  /** How often a worker looks for new runs, in milliseconds. Default: 100. */
  readonly pollMs?: number;
}

/** The names that belong to a namespace. */
export interface DbosNames {
  readonly namespace: string;
  /** The schema of DBOS's own tables. */
  readonly schema: string;
  readonly application: string;
  /** Of the interpreter: it changes when runs on their way could not go on with a newer one. */
  readonly version: string;
  readonly queue: string;
  /** Where workers are told of things. */
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
