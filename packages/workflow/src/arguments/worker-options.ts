import type {
  DbosOptions,
  SharedLimit,
  WorkerConcurrency,
  WorkerOptions,
} from '../dbos/options.ts';
import { WorkflowError } from '../errors.ts';
import { checkCommonOptions, ENGINE_KINDS } from './engine-options.ts';
import {
  AT_A_TIME,
  OBJECT,
  optional,
  TEXT,
  type Kind,
  type Kinds,
} from '@vizprompt/providers/config';
import { checkOptions } from './check.ts';

const MS: Kind = {
  expected: 'a number of milliseconds, above 0',
  accepts: (value) => Number.isFinite(value) && Number(value) > 0,
};
const NAMESPACE: Kind = {
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
