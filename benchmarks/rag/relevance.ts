import { createHash } from 'node:crypto';
import { round, type Figures } from '../figures.ts';
import { askSystems, type Place } from './ask-system.ts';
import { readParagraphs } from './inputs.ts';
import { bootstrap, hit, mean, qualityOf, rankOf, reciprocal } from './metrics.ts';

/** A question that was asked of one system. */
interface Asked {
  /** Its article. */
  readonly title: string;
  readonly rank: number;
  readonly answers: readonly number[];
}

/**
 * Questions over paragraphs: the paragraph a question was written for should come first. The weights
 * of ranking were tuned on one half of the articles; what is reported is the other one. Baselines are
 * given on the reported half.
 */
export async function benchRelevance(
  file: string,
  baselines: readonly string[],
  place: Place,
): Promise<Figures> {
  const paragraphs = readParagraphs(file);
  place.log(`asking ${paragraphs.flatMap(({ questions }) => questions).length} questions ...`);
  const set = { texts: paragraphs, questions: paragraphs.flatMap(({ questions }) => questions) };
  const owners = paragraphs.flatMap(({ title, questions }, paragraph) =>
    questions.map(() => ({ title, paragraph })),
  );
  const found = await askSystems(['ours', ...baselines], 'questions', [set], place);
  const askedOf = (system: string): readonly Asked[] =>
    owners.map(({ title, paragraph }, number) => {
      const answers = found.get(system)?.[0]?.[number] ?? [];
      return { title, answers, rank: rankOf(answers, paragraph) };
    });
  const reportedOf = (system: string): readonly Asked[] =>
    askedOf(system).filter(({ title }) => !isTuned(title));
  const ours = reportedOf('ours');
  const figures: Record<string, number | string> = {
    questions: ours.length,
    ...figuresOf(ours),
    ...prefixed('tuned_', figuresOf(askedOf('ours').filter(({ title }) => isTuned(title)))),
  };
  let best: { readonly system: string; readonly asked: readonly Asked[]; readonly mrr: number } = {
    system: '',
    asked: [],
    mrr: -1,
  };
  for (const system of baselines) {
    const asked = reportedOf(system);
    for (const [key, value] of Object.entries(figuresOf(asked)))
      figures[`${key}_${system}`] = value;
    const mrr = mean(asked.map(({ rank }) => reciprocal(rank)));
    if (mrr > best.mrr) best = { system, asked, mrr };
  }
  return { ...figures, ...(best.system === '' ? {} : compared(ours, best.asked, best.system)) };
}

/** How much better ours is on the same questions, and between which bounds that surely lies. */
function compared(ours: readonly Asked[], theirs: readonly Asked[], system: string): Figures {
  const figures: Record<string, number | string> = { best_baseline: system };
  const articles = ours.map(({ title }) => title);
  const questions = ours.map((_, number) => String(number));
  for (const [name, value] of [
    ['hit_at_1', hit],
    ['mrr', reciprocal],
  ] as const) {
    const differences = ours.map(
      ({ rank }, number) => value(rank) - value(theirs[number]?.rank ?? 0),
    );
    const [low, high] = bootstrap(differences, questions);
    const [lowest, highest] = bootstrap(differences, articles);
    figures[`${name}_over_best`] = rounded(mean(differences));
    figures[`${name}_over_best_low`] = rounded(low);
    figures[`${name}_over_best_high`] = rounded(high);
    figures[`${name}_over_best_by_article_low`] = rounded(lowest);
    figures[`${name}_over_best_by_article_high`] = rounded(highest);
  }
  return figures;
}

function figuresOf(asked: readonly Asked[]): Readonly<Record<string, number>> {
  const quality = qualityOf(
    asked.map(({ rank }) => rank),
    asked.map(({ answers }) => answers),
  );
  return Object.fromEntries(Object.entries(quality).map(([key, value]) => [key, rounded(value)]));
}

function prefixed(prefix: string, figures: Readonly<Record<string, number>>): Figures {
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [prefix + key, value]));
}

/** Four digits: a difference of a thousandth is some questions. */
function rounded(value: number): number {
  return Number.isInteger(value)
    ? value
    : Math.abs(value) < 1e-3
      ? round(value)
      : Number(value.toFixed(4));
}

/** The half of the articles that ranking was tuned on, by the first bit of the hash of the title. */
export function isTuned(title: string): boolean {
  const [first = 0] = createHash('md5').update(title).digest();
  return first % 2 === 0;
}
