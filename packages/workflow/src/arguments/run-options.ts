import type { EraseOptions } from '@vizprompt/providers';
import {
  AMOUNT,
  ANYTHING,
  AT_A_TIME,
  FLAG,
  having,
  type Kind,
  type Kinds,
  listOf,
  OBJECT,
  oneOf,
  optional,
  SIGNAL,
  TEXT,
} from '@vizprompt/providers/config';
import type { MermaidOptions } from '../diagram/to-mermaid.ts';
import type { DryRunOptions } from '../dry-run/dry-run-result.ts';
import type { LintOptions } from '../lint/lint-options.ts';
import type {
  ForkChanges,
  ForkOptions,
  ResumeOptions,
  RunsQuery,
  StartOptions,
} from '../options.ts';
import { ENGINE_KINDS } from './engine-options.ts';
import { checkOptions } from './check.ts';

const NAMES = optional(listOf('names', TEXT));

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
  readonly eraseSpeaker: EraseOptions;
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
  eraseSpeaker: {
    speaker: TEXT,
    texts: NAMES,
    mentions: optional(FLAG),
    dryRun: optional(FLAG),
    signal: optional(SIGNAL),
  },
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

export const DRY_RUN_KINDS: Kinds<DryRunOptions> = {
  promptSet: optional(TEXT),
  defaultModel: optional(TEXT),
  prices: optional(OBJECT),
  outputTokens: optional(AMOUNT),
  items: optional(having('{ min, max }', 'min', 'max')),
};

export const LINT_KINDS: Kinds<LintOptions> = {
  promptSets: optional(OBJECT),
  language: optional(oneOf('en', 'ja')),
  models: ENGINE_KINDS.models,
  functions: NAMES,
  tools: NAMES,
  retrievers: NAMES,
  activities: NAMES,
};

const RUN: Kind = {
  expected: 'the events of a run, or what WorkflowEngine.run tells of it',
  accepts: (value) => (OBJECT.accepts(value) ? isRunShown(Object(value)) : Array.isArray(value)),
};

export const MERMAID_KINDS: Kinds<MermaidOptions> = {
  run: optional(RUN),
  direction: optional(oneOf('TD', 'LR')),
};

function isRunShown(value: object): boolean {
  return 'steps' in value || 'get' in value || Symbol.iterator in value;
}
