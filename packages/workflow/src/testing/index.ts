/**
 * Runs of workflows without models, for tests: scripted answers, answers that were recorded, and models that are
 * late or fail.
 *
 * @module @vizprompt/workflow/testing
 */
export type { Answers, PlaceAnswers } from './simulation.ts';

export type { Cassettes } from './test-options.ts';

export type { SimulatedFailure, Simulation } from './simulation.ts';

export type { TestCall } from './simulation.ts';

export type { PeopleAnswers, TestedRun, TestWorkflowOptions } from './test-options.ts';
export { testWorkflow } from './test-workflow.ts';
export type { Logger } from '../index.ts';
