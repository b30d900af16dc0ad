import { WorkflowError } from '../errors.ts';
import { caseMeans, type Evaluation } from './evaluate.ts';
import { type Estimate, estimate } from './statistics.ts';
import { checkArgument } from '../check-options.ts';
import { having } from '@vizprompt/providers/config/internal';

/** How a score differs between two evaluations. */
interface ComparedScore {
  readonly before: Estimate;
  readonly after: Estimate;
  /** The mean difference of the same cases: above 0, the second one is better. */
  readonly difference: Estimate;
  /** `unsure`: the interval of the difference holds 0. */
  readonly verdict: 'better' | 'worse' | 'unsure';
}

/** Two evaluations of the same cases. */
export interface Comparison {
  readonly scores: Readonly<Record<string, ComparedScore>>;
  readonly before: Evaluation;
  readonly after: Evaluation;
}

const EVALUATION = having('what evaluateWorkflow() returns', 'scores', 'runs');

/**
 * Compares two evaluations case by case, so that hard and easy cases cancel out: of two definitions, prompt sets or models.
 *
 * @throws WorkflowError with the code `invalid-input` if they have no judge or case in common.
 */
export function compareEvaluations(before: Evaluation, after: Evaluation): Comparison {
  checkArgument('the first argument of compareEvaluations', before, EVALUATION);
  checkArgument('the second argument of compareEvaluations', after, EVALUATION);
  const names = Object.keys(before.scores).filter((name) => Object.hasOwn(after.scores, name));
  const scores = names.flatMap((name): [string, ComparedScore][] => {
    const [first, second] = [before.scores[name], after.scores[name]];
    const others = caseMeans(after.runs, name);
    const differences = [...caseMeans(before.runs, name)].flatMap(([id, mean]) => {
      const other = others.get(id);
      return other === undefined ? [] : [other - mean];
    });
    if (!first || !second || differences.length === 0) return [];
    const difference = estimate(differences, false);
    return [[name, { before: first, after: second, difference, verdict: verdictOf(difference) }]];
  });
  if (scores.length === 0) {
    const message = 'the evaluations have no judge and case in common';
    throw new WorkflowError('invalid-input', message);
  }
  return { scores: Object.fromEntries(scores), before, after };
}

function verdictOf({ low = -Infinity, high = Infinity, mean }: Estimate): ComparedScore['verdict'] {
  if (mean > 0 && low > 0) return 'better';
  return mean < 0 && high < 0 ? 'worse' : 'unsure';
}
