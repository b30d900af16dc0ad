/**
 * Evaluation of workflows: cases of a file, repeated runs, judges, a table with intervals, and the comparison of two
 * definitions.
 *
 * @module @vizprompt/workflow/evaluation
 */
export {
  evaluateWorkflow,
  type Evaluation,
  type EvaluationOptions,
  contains,
  exactMatch,
  type Judge,
  type JudgeContext,
} from './evaluate.ts';
export { compareEvaluations, type Comparison } from './compare.ts';
export { evaluationTable, comparisonTable } from './tables.ts';
export { type Case, readCases } from './cases.ts';
export type { Logger } from '../index.ts';
