import type { ScorePart } from '../backends/search-backend.ts';
import type { Bonus } from '../rank/rerank.ts';
import type { FoundChunk } from './find-chunks.ts';
import type { IndexPart } from './chunk-index.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import { scoreParts, type PartScores } from './score-parts.ts';

type ScoredGroup = readonly [term: string, scores: readonly PartScores[]];

/** Takes scores apart. */
export class Explainer {
  readonly #parts: readonly IndexPart[];
  readonly #meanWords: number;
  readonly #query: ResolvedQuery;
  #byGroup: readonly ScoredGroup[] | undefined;

  constructor(parts: readonly IndexPart[], meanWords: number, query: ResolvedQuery) {
    this.#parts = parts;
    this.#meanWords = meanWords;
    this.#query = query;
  }

  /** What the words of the query and the second look add to a score; together they are the score. */
  explain({ part, doc, score }: FoundChunk, bonus: Bonus | undefined): readonly ScorePart[] {
    const parts: ScorePart[] = [];
    for (const [name, scores] of this.#groups()) {
      const value = scores.find((one) => one.part === part)?.sheet.scores[doc] ?? 0;
      parts.push({ name, value });
    }
    if (bonus) {
      parts.push({ name: 'bigrams', value: bonus.bigrams });
      parts.push({ name: 'proximity', value: bonus.window + bonus.adjacency });
    }
    const sum = parts.reduce((total, { value }) => total + value, 0);
    if (sum === 0) return [{ name: 'text', value: score }];
    return parts
      .filter(({ value }) => value > 0)
      .map(({ name, value }) => ({ name, value: (value / sum) * score }));
  }

  #groups(): readonly ScoredGroup[] {
    this.#byGroup ??= this.#query.ranking.map((group) => {
      const alone: ResolvedQuery = {
        ranking: [group],
        required: new Set(),
        common: new Set(),
        forbidden: [],
      };
      return [group.group.term, scoreParts(this.#parts, this.#meanWords, alone)] as const;
    });
    return this.#byGroup;
  }
}
