import type { JsonValue } from '@vizprompt/providers';
import type { RunEvent } from '../events.ts';
import type { StartOptions, WorkflowEngineOptions } from '../options.ts';
import type { Answers } from './answers.ts';
import type { Cassettes } from './cassettes.ts';
import type { Simulation } from './simulation.ts';
import type { TestCall } from './test-call.ts';

/** What a person answers, in the order of the questions of a step, or by a function. */
export type PeopleAnswers =
  | readonly JsonValue[]
  | ((question: string, path: string) => JsonValue | Promise<JsonValue>);

/** Options of `testWorkflow`; those of an engine that it does not set itself are passed on. */
export interface TestWorkflowOptions
  extends
    Omit<WorkflowEngineOptions, 'files' | 'middleware' | 'retention'>,
    Omit<StartOptions, 'runId'> {
  /** The name of the workflow. Default: the only one of the files. */
  readonly workflow?: string;
  /** What the workflow is started with. */
  readonly input: JsonValue;
  /** What models answer. Without it they are those of `models`, or their cassettes. */
  readonly answers?: Answers;
  /** Answers of real models that are kept in files. */
  readonly cassettes?: Cassettes;
  /** Latency and failures, on top of either. */
  readonly simulate?: Simulation;
  /** What people answer, by the id of the step. A question without an answer fails the run. */
  readonly people?: Readonly<Record<string, PeopleAnswers>>;
  /** The id of the run. Default: `'test'`. */
  readonly runId?: string;
}

/** A run that has come to its end, and all that can be asked about it. */
export interface TestedRun {
  readonly runId: string;
  readonly status: 'done' | 'failed' | 'cancelled';
  /** `null` where it failed. */
  readonly output: JsonValue;
  /** What it failed with. */
  readonly error?: unknown;
  readonly events: readonly RunEvent[];
  /** Calls of models, in the order in which they began. */
  readonly calls: readonly TestCall[];
  /** The prompts that models were sent, by the id of the step, in the order of the calls. */
  readonly prompts: Readonly<Record<string, readonly string[]>>;
}
