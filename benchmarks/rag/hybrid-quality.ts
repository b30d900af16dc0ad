import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figures } from '../figures.ts';
import type { Place } from './ask-system.ts';
import { readParagraphs } from './inputs.ts';
import { bootstrap, mean, reciprocal } from './metrics.ts';
import { isTuned } from './relevance.ts';
import { runWorker } from './run-worker.ts';

/** How many answers are among the ten nearest vectors. */
/** 0: vectors of questions that have nothing to do with texts. */
const RECALLS = [0, 0.3, 0.6, 0.9];
/** What vectors may count beside words; the default was chosen among these. */
const WEIGHTS = [0.3, 0.5, 0.7, 1];

type Ranks = readonly number[];

interface Result {
  readonly keyword: Ranks;
  readonly sets: readonly {
    readonly recall: number;
    readonly tuned: Readonly<Record<string, Ranks>>;
    readonly reported: Readonly<Record<string, Ranks>>;
  }[];
}

const MEASURES: Readonly<Record<string, (rank: number) => number>> = {
  hit_at_1: (rank) => Number(rank === 1),
  hit_at_10: (rank) => Number(rank > 0),
  mrr: reciprocal,
  ndcg: (rank) => (rank > 0 ? 1 / Math.log2(rank + 1) : 0),
};

/**
 * Words, vectors of known recall, and both, on the half of the articles that nothing was tuned on. The
 * weight of the vectors was chosen on the other half: its worst loss against the better side is given for
 * each weight (`tuned_worst_wN`).
 */
export async function benchHybridQuality(file: string, place: Place): Promise<Figures> {
  const paragraphs = readParagraphs(file);
  const questions = paragraphs.flatMap(({ title, questions: own }, paragraph) =>
    own.map((question) => ({ question, paragraph, title, isTuned: isTuned(title) })),
  );
  const given = join(place.folder, 'hybrid.json');
  await writeFile(
    given,
    JSON.stringify({ paragraphs, questions, recalls: RECALLS, weights: WEIGHTS }),
  );
  place.log(`asking ${questions.length} questions of words, vectors and both ...`);
  const { result } = await runWorker<Result>('hybrid-quality-worker.mjs', [
    place.folder,
    place.dictionaries,
    given,
  ]);
  const titles = questions.filter((one) => !one.isTuned).map(({ title }) => title);
  const figures: Record<string, number | string> = {
    questions: result.keyword.length,
    ...named('keyword', result.keyword),
  };
  let worst = Number.POSITIVE_INFINITY;
  for (const { recall, reported } of result.sets) {
    for (const [name, ranks] of Object.entries(reported)) {
      Object.assign(figures, named(`${name}_${recall}`, ranks));
    }
    const { vector = [], hybrid = [], rrf = [] } = reported;
    for (const [name, both] of Object.entries({
      hybrid,
      gated_rrf: reported['gated_rrf'] ?? [],
      rrf,
    })) {
      figures[`${name}_${recall}_points`] = rounded(pointsOf(both, result.keyword));
    }
    if (recall === 0) continue;
    figures[`hybrid_${recall}_over_better`] = rounded(lossOf(hybrid, result.keyword, vector));
    figures[`rrf_${recall}_over_better`] = rounded(lossOf(rrf, result.keyword, vector));
    worst = Math.min(worst, lossOf(hybrid, result.keyword, vector));
    const better = meanOf(MEASURES['ndcg'], vector) > meanOf(MEASURES['ndcg'], result.keyword);
    const half = better ? vector : result.keyword;
    const gains = hybrid.map((rank, at) => gain(rank) - gain(half[at] ?? 0));
    const [low, high] = bootstrap(gains, titles);
    figures[`hybrid_${recall}_ndcg_over_better_by_article_low`] = rounded(low);
    figures[`hybrid_${recall}_ndcg_over_better_by_article_high`] = rounded(high);
  }
  for (const weight of WEIGHTS) {
    figures[`tuned_worst_w${weight}`] = rounded(
      Math.min(
        ...result.sets
          .slice(1)
          .map(({ tuned: { [`w${weight}`]: own = [], keyword = [], vector = [] } }) =>
            lossOf(own, keyword, vector),
          ),
      ),
    );
  }
  return { ...figures, hybrid_worst_over_better: rounded(worst) };
}

/** The worst difference to words alone in points, over all measures. */
function pointsOf(both: Ranks, keyword: Ranks): number {
  const differences = Object.values(MEASURES).map((measure) => {
    return 100 * (meanOf(measure, both) - meanOf(measure, keyword));
  });
  return Math.min(...differences);
}

/** The worst difference to the better side, as a share of it, over all measures. */
function lossOf(both: Ranks, keyword: Ranks, vector: Ranks): number {
  const differences = Object.values(MEASURES).map((measure) => {
    const better = Math.max(meanOf(measure, keyword), meanOf(measure, vector));
    return meanOf(measure, both) / better - 1;
  });
  return Math.min(...differences);
}

function named(name: string, ranks: Ranks): Figures {
  return Object.fromEntries(
    Object.entries(MEASURES).map(([measure, value]) => [
      `${name}_${measure}`,
      rounded(meanOf(value, ranks)),
    ]),
  );
}

function gain(rank: number): number {
  return rank > 0 ? 1 / Math.log2(rank + 1) : 0;
}

function meanOf(measure: ((rank: number) => number) | undefined, ranks: Ranks): number {
  return measure ? mean(ranks.map(measure)) : 0;
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
