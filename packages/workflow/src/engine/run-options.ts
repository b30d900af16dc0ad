import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  ANYTHING,
  AT_A_TIME,
  having,
  type Kinds,
  OBJECT,
  oneOf,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config';
import { checkOptions } from '../check-options.ts';
import type { RunsQuery } from '../journal/journal.ts';
import type { ResumeOptions } from '../runtime/durable-runtime.ts';

/** Options of `start`. */
export interface StartOptions extends ResumeOptions {
  /** Which prompts are used. Default: `'default'`, or the only one. */
  readonly promptSet?: string;
  /** The id of the run. Default: a new id. */
  readonly runId?: string;
}

/** What is different in a run that is forked. */
export interface ForkChanges {
  /** Variables that are set before the step; `user_input` is one, too. */
  readonly variables?: JsonObject;
  /** Prompts in place of those of the same id. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** Models in place of others: their names, as they stand in files, and what they stand for now. */
  readonly models?: Readonly<Record<string, string>>;
  /** What the step gives, instead of being done again. */
  readonly output?: JsonValue;
}

/** Options of `fork`. */
export interface ForkOptions extends ResumeOptions {
  /** The id of the run. Default: a new id. */
  readonly runId?: string;
}

const RESUME_KINDS: Kinds<ResumeOptions> = {
  signal: optional(SIGNAL),
  budget: optional(having('a Budget, such as createBudget({ tokens })', 'reserve', 'remaining')),
};

/** The id of a run is checked where it is used. */
const FORK_KINDS: Kinds<ForkOptions> = { ...RESUME_KINDS, runId: ANYTHING };

export const START_KINDS: Kinds<StartOptions> = { ...FORK_KINDS, promptSet: optional(TEXT) };

/** What the methods of an engine take. */
interface Calls {
  readonly start: StartOptions;
  readonly resume: ResumeOptions;
  readonly fork: ForkOptions;
  readonly 'the changes of fork': ForkChanges;
  readonly runs: RunsQuery;
  readonly answer: { readonly path?: string };
  readonly toMermaid: { readonly run?: string };
}

const CALLS: { readonly [Name in keyof Calls]: Kinds<Calls[Name]> } = {
  start: START_KINDS,
  resume: RESUME_KINDS,
  fork: FORK_KINDS,
  'the changes of fork': {
    variables: optional(OBJECT),
    prompts: optional(OBJECT),
    models: optional(OBJECT),
    output: ANYTHING,
  },
  runs: {
    status: optional(oneOf('running', 'waiting', 'done', 'failed', 'cancelled')),
    limit: optional(AT_A_TIME),
    after: optional(TEXT),
  },
  answer: { path: optional(TEXT) },
  toMermaid: { run: optional(TEXT) },
};

/**
 * The options of a method of an engine, as they were given.
 *
 * @throws WorkflowError with the code `invalid-input`.
 */
export function checkCall<Name extends keyof Calls>(name: Name, options: Calls[Name]): Calls[Name] {
  checkOptions(name, options, CALLS[name]);
  return options;
}
