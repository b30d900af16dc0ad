import {
  AMOUNT,
  ARRAY,
  having,
  type Kinds,
  OBJECT,
  optional,
  SIGNAL,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { checkArgument, checkOptions } from '../check-options.ts';
import type { LongOptions, SearchBackend, SearchFilter } from '../contract/search-backend.ts';
import { RagError } from '../errors.ts';

/** A question, and what answers it. */
export interface EvaluationQuestion {
  readonly question: string;
  /** Paths of documents or ids of chunks; each counts once, with its best hit. */
  readonly relevant: readonly string[];
  /** Questions of one group (a document, an author) are drawn together. Default: each on its own. */
  readonly group?: string | undefined;
}

/** Options of {@link evaluate}. */
export interface EvaluateOptions extends LongOptions {
  /** How many hits are looked at. Default: 10. */
  readonly k?: number | undefined;
  /** Only chunks of these projects, files and tags. */
  readonly filter?: SearchFilter | undefined;
}

/** The kinds of these options. */
export const EVALUATE_OPTIONS: Kinds<EvaluateOptions> = {
  k: optional(AMOUNT),
  filter: optional(OBJECT),
  signal: optional(SIGNAL),
};

function checkQuestion(one: EvaluationQuestion): void {
  checkOptions('a question', one, { question: TEXT, relevant: TEXTS, group: optional(TEXT) });
}

function invalidQuestions(why: string): RagError {
  return new RagError('invalid-input', `nothing can be measured: ${why}`);
}

/** How well a backend answers. */
export interface Evaluation {
  readonly k: number;
  readonly questions: number;
  /** The share of questions whose first hit is relevant. */
  readonly hitAt1: Measure;
  /** The share of questions with a relevant hit among the first `k`. */
  readonly hitAtK: Measure;
  /** The mean of 1 / rank of the first relevant hit; 0 if it is not among the first `k`. */
  readonly mrr: Measure;
  /** Normalised discounted cumulative gain, each relevant thing worth the same. */
  readonly ndcg: Measure;
  /** Questions that found nothing at all. */
  readonly empty: number;
  /** Questions that were answered without a part of the search. */
  readonly degraded: number;
  /** The rank of the first relevant hit of each question, from 1; 0 for none. */
  readonly ranks: readonly number[];
}

/**
 * Asks questions whose answers are known: of a backend, or of anything that searches like one.
 *
 * Source: Järvelin, Kekäläinen: Cumulated Gain-Based Evaluation (TOIS 2002); the intervals are those of a
 * bootstrap with 2,000 rounds, the same in every run.
 *
 * @throws RagError with the code `invalid-input` if there are no questions, or one without an answer.
 *
 * @example
 * ```ts
 * const evaluation = await evaluate(backend, [
 *   { question: '灯台を守ったのは誰？', relevant: ['contents/01.md'] },
 * ]);
 * console.log(formatEvaluation({ hybrid: evaluation }));
 * ```
 */
export async function evaluate(
  backend: Pick<SearchBackend, 'search'>,
  questions: readonly EvaluationQuestion[],
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  checkArgument('the backend of evaluate', backend, having('a search backend', 'search'));
  checkOptions('evaluate', options, EVALUATE_OPTIONS);
  const { k = 10, filter, signal } = options;
  checkArgument('the questions of evaluate', questions, ARRAY);
  for (const one of questions) checkQuestion(one);
  const unanswered = questions.find(({ relevant }) => relevant.length === 0);
  if (questions.length === 0 || unanswered) {
    const what = unanswered ? `'${unanswered.question}' has no answer` : 'there are no questions';
    throw invalidQuestions(what);
  }
  const ranks: number[] = [];
  const gains: number[] = [];
  let [empty, degraded] = [0, 0];
  for (const { question, relevant } of questions) {
    const results = await backend.search(question, {
      limit: k,
      k,
      ...(filter ? { filter } : {}),
      ...(signal ? { signal } : {}),
    });
    const found = firstRanks(
      results.hits.map(({ id, payload }) => [id, payload.file]),
      relevant,
    );
    ranks.push(found[0] ?? 0);
    gains.push(discounted(found) / discounted(relevant.slice(0, k).map((_, at) => at + 1)));
    if (results.hits.length === 0) empty++;
    if (results.degraded) degraded++;
  }
  const groups = groupsOf(questions);
  return {
    k,
    questions: questions.length,
    hitAt1: interval(
      ranks.map((rank) => Number(rank === 1)),
      groups,
    ),
    hitAtK: interval(
      ranks.map((rank) => Number(rank > 0)),
      groups,
    ),
    mrr: interval(
      ranks.map((rank) => (rank > 0 ? 1 / rank : 0)),
      groups,
    ),
    ndcg: interval(gains, groups),
    empty,
    degraded,
    ranks,
  };
}

/** Returns the rank of the best hit of each relevant thing that was found, in order. */
function firstRanks(
  hits: readonly (readonly string[])[],
  relevant: readonly string[],
): readonly number[] {
  return [...new Set(relevant)]
    .map((wanted) => hits.findIndex((names) => names.includes(wanted)) + 1)
    .filter((rank) => rank > 0)
    .toSorted((a, b) => a - b);
}

function discounted(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
}

/** A mean with its 95 % interval. */
export interface Measure {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const ROUNDS = 2000;

/** Returns the mean of a value of each question, with its interval. */
export function meanBetween(
  values: readonly number[],
  questions: readonly EvaluationQuestion[],
): Measure {
  return interval(values, groupsOf(questions));
}

function groupsOf(questions: readonly EvaluationQuestion[]): readonly string[] {
  return questions.map(({ group }, at) => group ?? `${at}`);
}

/** Returns the mean and its 95 % interval, by a bootstrap that draws whole groups. */
function interval(values: readonly number[], groups: readonly string[]): Measure {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [at, value] of values.entries()) {
    const { sum, count } = sums.get(groups[at] ?? '') ?? { sum: 0, count: 0 };
    sums.set(groups[at] ?? '', { sum: sum + value, count: count + 1 });
  }
  const drawn = [...sums.values()];
  const random = randomNumbers();
  const means = Array.from({ length: ROUNDS }, () => {
    let [sum, count] = [0, 0];
    for (let draw = 0; draw < drawn.length; draw++) {
      const one = drawn[Math.floor(random() * drawn.length)];
      sum += one?.sum ?? 0;
      count += one?.count ?? 0;
    }
    return sum / count;
  }).toSorted((a, b) => a - b);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: means[Math.floor(ROUNDS * 0.025)] ?? 0,
    high: means[Math.floor(ROUNDS * 0.975)] ?? 0,
  };
}

/** Returns the same numbers from 0 to 1 in every run (xorshift). */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

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
