import { LLM_ERROR_CODES } from '@vizprompt/providers';
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
} from '@vizprompt/providers/config';
import type { Cassettes } from '../testing/cassettes.ts';
import type { SimulatedFailure, Simulation } from '../testing/simulation.ts';
import type { TestWorkflowOptions } from '../testing/test-options.ts';
import { ENGINE_KINDS } from './engine-options.ts';
import { checkOptions, checkValues } from './check.ts';
import { START_KINDS } from './run-options.ts';

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
