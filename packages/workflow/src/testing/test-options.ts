import { type FileStore, type JsonValue } from '@vizprompt/providers';
import { type Middleware, record, replay } from '@vizprompt/providers/middleware';
import { localFileStore } from '@vizprompt/providers/node';
import { LLM_ERROR_CODES } from '@vizprompt/providers/internal';
import {
  AMOUNT,
  ANYTHING,
  COUNT,
  either,
  FUNCTION,
  having,
  type Kinds,
  listOf,
  OBJECT,
  oneOf,
  optional,
  TEXT,
} from '@vizprompt/providers/config/internal';
import { checkOptions, checkValues } from '../check-options.ts';
import {
  ENGINE_KINDS,
  START_KINDS,
  type StartOptions,
  type WorkflowEngineOptions,
} from '../engine/engine-options.ts';
import type { RunEvent } from '../events.ts';
import type { Answers, SimulatedFailure, Simulation, TestCall } from './simulation.ts';

/** The answers of a person, in the order of the questions of a step, or by a function. */
export type PeopleAnswers =
  | readonly JsonValue[]
  | ((question: string, path: string) => JsonValue | Promise<JsonValue>);

/** Options of `testWorkflow`; those of an engine that it does not set itself are passed on. */
export interface TestWorkflowOptions
  extends
    Omit<WorkflowEngineOptions, 'files' | 'middleware' | 'retention'>,
    Omit<StartOptions, 'runId'> {
  /** The name of the workflow. Default: the only one of the files. */
  readonly workflow?: string | undefined;
  /** The input of the workflow. */
  readonly input: JsonValue;
  /** The answers of models. Without it they are those of `models`, or their cassettes. */
  readonly answers?: Answers | undefined;
  /** Answers of real models that are kept in files. */
  readonly cassettes?: Cassettes | undefined;
  /** Latency and failures, on top of either. */
  readonly simulate?: Simulation | undefined;
  /** The answers of people, by the id of the step. A question without an answer fails the run. */
  readonly people?: Readonly<Record<string, PeopleAnswers>> | undefined;
  /** The id of the run. Default: `'test'`. */
  readonly runId?: string | undefined;
}

/** A run that has come to its end, and all that can be asked about it. */
export interface TestedRun {
  readonly runId: string;
  readonly status: 'done' | 'failed' | 'cancelled';
  /** `null` where it failed. */
  readonly output: JsonValue;
  /** The error. */
  readonly error?: unknown;
  readonly events: readonly RunEvent[];
  /** Calls of models, in the order in which they began. */
  readonly calls: readonly TestCall[];
  /** The prompts that models were sent, by the id of the step, in the order of the calls. */
  readonly prompts: Readonly<Record<string, readonly string[]>>;
}

/** Where answers of real models lie, for tests without them. */
export interface Cassettes {
  /** A folder, or a store of files; in it they are in `calls/`. */
  readonly store: string | FileStore;
  /**
   * `'record'` asks the models and stores their answers, `'replay'` answers from the stored ones and asks no model.
   * Default: `'replay'`.
   */
  readonly mode?: 'record' | 'replay' | undefined;
}

/** An opened {@link Cassettes}. */
interface OpenCassettes {
  readonly layer: Middleware;
  close(): Promise<void>;
}

/** Opens cassettes. Secrets are removed from what is kept. */
export async function openCassettes({ store, mode = 'replay' }: Cassettes): Promise<OpenCassettes> {
  const own = typeof store === 'string' ? await localFileStore(store) : undefined;
  const files = own ?? store;
  if (typeof files === 'string') throw new TypeError('a folder was opened as no store');
  const options = { store: files, folder: 'calls' };
  return {
    layer: mode === 'record' ? record(options) : replay(options),
    close: async () => own?.close(),
  };
}

const { files: _files, middleware: _layers, retention: _kept, ...PASSED_ON } = ENGINE_KINDS;

const TEST_KINDS: Kinds<TestWorkflowOptions> = {
  ...PASSED_ON,
  ...START_KINDS,
  workflow: optional(TEXT),
  input: ANYTHING,
  answers: optional(either({ ...OBJECT, expected: 'answers by steps or agents' }, FUNCTION)),
  cassettes: optional(OBJECT),
  simulate: optional(OBJECT),
  people: optional(OBJECT),
};

const CASSETTES: Kinds<Cassettes> = {
  store: either(TEXT, having('a FileStore', 'read', 'write')),
  mode: optional(oneOf('record', 'replay')),
};

const SIMULATION: Kinds<Simulation> = {
  latencyMs: optional(
    either(AMOUNT, {
      expected: 'the least and the most of it',
      accepts: (value) => listOf('', AMOUNT).accepts(value) && Object(value).length === 2,
    }),
  ),
  failures: optional(listOf('failures', OBJECT)),
  seed: optional({ expected: 'a number', accepts: (value) => typeof value === 'number' }),
};

const FAILURE: Kinds<SimulatedFailure> = {
  at: optional(TEXT),
  code: optional(oneOf(...LLM_ERROR_CODES)),
  times: optional(COUNT),
  share: optional({
    expected: 'a number from 0 to 1',
    accepts: (value) => AMOUNT.accepts(value) && Number(value) <= 1,
  }),
  retryAfterMs: optional(AMOUNT),
};

/** @throws WorkflowError with the code `invalid-input`. */
export function checkTestOptions(options: TestWorkflowOptions): void {
  checkOptions('testWorkflow', options, TEST_KINDS);
  const { cassettes, simulate, people } = options;
  if (cassettes) checkOptions("'cassettes' of testWorkflow", cassettes, CASSETTES);
  if (simulate) checkOptions("'simulate' of testWorkflow", simulate, SIMULATION);
  for (const failure of simulate?.failures ?? []) {
    checkOptions("'simulate.failures' of testWorkflow", failure, FAILURE);
  }
  checkValues('people', people, either(listOf('answers', ANYTHING), FUNCTION));
}
