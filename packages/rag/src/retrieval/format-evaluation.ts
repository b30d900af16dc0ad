import type { Evaluation, Measure } from './evaluate.ts';
import { checkArgument } from '../check-options.ts';
import { OBJECT } from '@vizprompt/providers/config/internal';

/**
 * Evaluations as a table for people, one line for each name.
 *
 * @example
 * ```text
 *           hit@1              hit@10             MRR@10             nDCG@10            empty
 * keyword   0.923 0.912-0.934  0.980 0.974-0.985  0.949 0.941-0.956  0.957 0.950-0.963  0
 * ```
 */
export function formatEvaluation(evaluations: Readonly<Record<string, Evaluation>>): string {
  checkArgument('the argument of formatEvaluation', evaluations, OBJECT);
  const named = Object.entries(evaluations);
  const [first] = named;
  if (!first) return '';
  const { k } = first[1];
  const isDegraded = named.some(([, { degraded }]) => degraded > 0);
  const head = ['', 'hit@1', `hit@${k}`, `MRR@${k}`, `nDCG@${k}`, 'questions', 'empty'];
  const rows = named.map(([name, one]) => [
    name,
    ...[one.hitAt1, one.hitAtK, one.mrr, one.ndcg].map(measure),
    String(one.questions),
    String(one.empty),
    ...(isDegraded ? [String(one.degraded)] : []),
  ]);
  const table = [isDegraded ? [...head, 'degraded'] : head, ...rows];
  const widths = head
    .concat('')
    .map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function measure({ mean, low, high }: Measure): string {
  return `${mean.toFixed(3)} ${low.toFixed(3)}-${high.toFixed(3)}`;
}
