import { having } from '@vizprompt/providers/config/internal';
import type { HybridBackend } from '../backends/hybrid-backend.ts';
import { checkArgument } from '../check-options.ts';
import type { SearchHit, SearchResults } from '../contract/search-backend.ts';
import { Agreement } from '../hybrid/agreement.ts';
import { fuseHits, type Fusion } from '../hybrid/fuse-hits.ts';
import type { HybridSides } from '../hybrid/hybrid-search.ts';
import {
  evaluate,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationQuestion,
  formatEvaluation,
  meanBetween,
  type Measure,
} from './evaluate.ts';

/** A fusion that was tried. */
interface TriedFusion {
  readonly gate: number;
  /** The weight of vectors; words weigh 1. */
  readonly weight: number;
  readonly evaluation: Evaluation;
  /** How much the mean reciprocal rank is above that of words alone. */
  readonly gain: Measure;
  /** Questions whose answer comes earlier than by words, and those where it comes later. */
  readonly better: number;
  readonly worse: number;
}

/** How words and vectors answer questions, alone and together. */
export interface FusionProposal {
  readonly words: Evaluation;
  readonly vectors: Evaluation;
  readonly tried: readonly TriedFusion[];
  /** The best of them, if it is surely better than words alone. Absent: the default is right. */
  readonly proposed?: TriedFusion;
}

const GATES = [0.5, 0.7, 1];
const WEIGHTS = [0.1, 0.25, 0.5, 1];

/**
 * Tries how much vectors should count next to words, with questions whose answers are known. Each question is asked once.
 *
 * The proposal fits these questions: less than some hundred of them say little, as the interval of `gain` shows.
 *
 * @throws RagError with the code `invalid-input` if there are no questions, or one without an answer.
 *
 * @example
 * ```ts
 * const { proposed } = await proposeFusion(backend, questions);
 * if (proposed) {
 *   const { gate, weight, better, worse } = proposed;
 *   console.log({ gate, weights: { keyword: 1, vector: weight } }, `${better} better, ${worse} worse`);
 * }
 * ```
 */
export async function proposeFusion(
  backend: Pick<HybridBackend, 'sides'>,
  questions: readonly EvaluationQuestion[],
  options: EvaluateOptions = {},
): Promise<FusionProposal> {
  checkArgument('the backend of proposeFusion', backend, having('a HybridBackend', 'sides'));
  const all = new Map<string, HybridSides>();
  const agreement = new Agreement(() => undefined);
  const words = await evaluateBy(questions, options, async (question) => {
    const { filter, signal } = options;
    const sides = await backend.sides(question, { filter, signal });
    all.set(question, sides);
    agreement.compare(sides);
    return sides.keyword;
  });
  const { trust } = agreement;
  const byFusion = (fusion: Fusion) =>
    evaluateBy(questions, options, (question) => {
      const sides = all.get(question) ?? { keyword: [], vector: [] };
      const hits = new Map([...sides.vector, ...sides.keyword].map((hit) => [hit.id, hit]));
      const fused = fuseHits({ ...sides, trust }, fusion);
      return Promise.resolve(fused.flatMap(({ id }) => hits.get(id) ?? []));
    });
  const vectors = await evaluateBy(questions, options, (question) =>
    Promise.resolve(all.get(question)?.vector ?? []),
  );
  const tried: TriedFusion[] = [];
  for (const gate of GATES) {
    for (const weight of WEIGHTS) {
      const evaluation = await byFusion({ gate, weights: { keyword: 1, vector: weight } });
      tried.push({ gate, weight, evaluation, ...compared(questions, words, evaluation) });
    }
  }
  const [proposed] = tried
    .filter(({ gain }) => gain.low > 0)
    .toSorted((a, b) => b.gain.mean - a.gain.mean);
  return { words, vectors, tried, ...(proposed ? { proposed } : {}) };
}

/** Evaluates lists of hits that are made for each question. */
function evaluateBy(
  questions: readonly EvaluationQuestion[],
  options: EvaluateOptions,
  hitsOf: (question: string) => Promise<readonly SearchHit[]>,
): Promise<Evaluation> {
  const search = async (question: string, { k = 10 } = {}): Promise<SearchResults> => {
    const hits = await hitsOf(question);
    return { hits: hits.slice(0, k), total: hits.length };
  };
  return evaluate({ search }, questions, options);
}

function compared(
  questions: readonly EvaluationQuestion[],
  before: Evaluation,
  after: Evaluation,
): Pick<TriedFusion, 'gain' | 'better' | 'worse'> {
  const gains = after.ranks.map((rank, at) => reciprocal(rank) - reciprocal(before.ranks[at] ?? 0));
  return {
    gain: meanBetween(gains, questions),
    better: gains.filter((gain) => gain > 0).length,
    worse: gains.filter((gain) => gain < 0).length,
  };
}

function reciprocal(rank: number): number {
  return rank > 0 ? 1 / rank : 0;
}

const PROPOSAL = having('what proposeFusion() returns', 'words', 'vectors');

/**
 * A proposal for people: what words, vectors and the proposed fusion answer, the settings for it, and what it costs.
 *
 * @example
 * ```text
 *          hit@1  …
 * words    0.912 0.884-0.940  …
 * vectors  0.780 0.741-0.819  …
 * both     0.934 0.909-0.959  …
 * proposed: gate 0.7, weight 0.5: MRR +0.021 (+0.008 to +0.034), 14 questions better, 3 worse
 * ```
 */
export function formatProposal(proposal: FusionProposal): string {
  checkArgument('the argument of formatProposal', proposal, PROPOSAL);
  const { words, vectors, proposed } = proposal;
  const rows = { words, vectors, ...(proposed ? { both: proposed.evaluation } : {}) };
  return `${formatEvaluation(rows)}\n${sentence(proposed)}`;
}

function sentence(proposed: FusionProposal['proposed']): string {
  if (!proposed) {
    return 'proposed: the default. No weight is surely better than words alone for these questions.';
  }
  const { gate, weight, gain, better, worse } = proposed;
  const [mean, low, high] = [gain.mean, gain.low, gain.high].map(signed);
  return (
    `proposed: gate ${gate}, weight ${weight}: MRR ${mean} (${low} to ${high}), ` +
    `${better} questions better, ${worse} worse`
  );
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}
