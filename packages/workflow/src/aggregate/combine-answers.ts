import type { JsonValue } from '@vizprompt/providers';
import type { Aggregate, AggregateName } from '../definition/aggregate.ts';
import type { Answer } from './answer.ts';
import { concat } from './concat.ts';
import { mergeSchema } from './merge-schema.ts';
import { rankFusion } from './rank-fusion.ts';
import { vote } from './vote.ts';

/** Aggregates that ask no model. */
export type Combination = Exclude<Aggregate, { readonly strategy: 'judge' | 'bestOf' }>;

/**
 * Makes one value of the answers of a parallel step.
 *
 * @param answers - Those that succeeded, in the order of the file; none give `null`.
 * @throws WorkflowError with the code `step-failed` if an answer has not the form that the strategy needs.
 */
export function combineAnswers(
  aggregate: Combination | AggregateName,
  answers: readonly Answer[],
): JsonValue {
  const [first] = answers;
  if (!first) return null;
  const given: Combination = typeof aggregate === 'string' ? { strategy: aggregate } : aggregate;
  switch (given.strategy) {
    case 'vote':
      return vote(
        answers.map((answer) => ({ ...answer, weight: 1 })),
        given.by,
      );
    case 'weightedVote':
      return vote(answers, given.by);
    case 'rankFusion':
      return rankFusion(answers, given);
    case 'concat':
      return concat(answers, given.separator);
    case 'mergeSchema':
      return mergeSchema(answers);
    default:
      return first.value;
  }
}
