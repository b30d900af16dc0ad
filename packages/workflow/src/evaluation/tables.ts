import type { Comparison } from './compare.ts';
import type { Evaluation } from './evaluate.ts';
import type { Estimate } from './statistics.ts';
import { checkArgument } from '../check-options.ts';
import { having } from '@vizprompt/providers/config/internal';

const EVALUATION = having('what evaluateWorkflow() returns', 'scores', 'runs');
const COMPARISON = having('what compareEvaluations() returns', 'scores', 'before', 'after');

/** Returns an evaluation as a table in Markdown: each score with its interval, what a run takes, and the first failure. */
export function evaluationTable(evaluation: Evaluation): string {
  checkArgument('the argument of evaluationTable', evaluation, EVALUATION);
  const { scores, failures, runs } = evaluation;
  const rows = Object.entries(scores).map(([name, one]) => [
    name,
    rounded(one.mean),
    interval(one),
    String(one.cases),
  ]);
  const facts = [
    `${runs.length} runs, ${failures} failed`,
    `${Math.round(evaluation.ms)} ms`,
    `${Math.round(evaluation.tokens)} tokens`,
    ...(evaluation.costUsd === undefined ? [] : [`$${evaluation.costUsd.toPrecision(3)}`]),
  ];
  const table = tableOf(['score', 'mean', '95 %', 'cases'], rows);
  const failed = runs.find(({ error }) => error !== undefined);
  const cause = failed ? `\nfirst failure, of the case '${failed.caseId}': ${failed.error}\n` : '';
  return `${table}\n\n${facts.join(', ')} a run\n${cause}`;
}

/** Returns a comparison as a table in Markdown. */
export function comparisonTable(comparison: Comparison): string {
  checkArgument('the argument of comparisonTable', comparison, COMPARISON);
  const { scores, before, after } = comparison;
  const rows = Object.entries(scores).map(([name, one]) => [
    name,
    rounded(one.before.mean),
    rounded(one.after.mean),
    signed(one.difference.mean),
    interval(one.difference),
    one.verdict,
  ]);
  const tokens = [before, after].map((one) => Math.round(one.tokens)).join(' → ');
  const ms = [before, after].map((one) => Math.round(one.ms)).join(' → ');
  const header = ['score', 'before', 'after', 'difference', '95 %', 'verdict'];
  return `${tableOf(header, rows)}\n\n${tokens} tokens, ${ms} ms a run\n`;
}

function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, header.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return all.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

function interval({ low, high }: Estimate): string {
  return low === undefined || high === undefined ? '' : `${rounded(low)} to ${rounded(high)}`;
}

function rounded(value: number): string {
  return value.toFixed(3);
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${rounded(value)}`;
}
