import type { ScorePart } from '../contract/search-backend.ts';
import type { Bonus } from '../rank/rerank.ts';
import type { IndexPart } from './chunk-index.ts';
import type { FoundChunk } from './find-chunks.ts';
import type { ResolvedGroup } from './resolve-terms.ts';
import { scoreGroup } from './score-parts.ts';

/** A chunk, and what the second look added to its score. */
export interface ExplainedChunk {
  readonly chunk: FoundChunk;
  readonly bonus: Bonus | undefined;
}

/** What the words of a query and the second look add to scores; together they are the score. */
export function explainScores(
  ranking: readonly ResolvedGroup[],
  meanWords: number,
  chunks: readonly ExplainedChunk[],
): readonly (readonly ScorePart[])[] {
  const byWords: ScorePart[][] = chunks.map(() => []);
  for (const part of new Set(chunks.map(({ chunk }) => chunk.part))) {
    const own = [...chunks.entries()].filter(([, { chunk }]) => chunk.part === part);
    const places = own.map(([at, { chunk }]) => ({ doc: chunk.doc, parts: byWords[at] ?? [] }));
    addWords(part, ranking, meanWords, places);
  }
  return chunks.map((chunk, at) => onScale(chunk, byWords[at] ?? []));
}

/** One sheet for all groups: a query of many words would take one of megabytes for each. */
function addWords(
  part: IndexPart,
  ranking: readonly ResolvedGroup[],
  meanWords: number,
  places: readonly { readonly doc: number; readonly parts: ScorePart[] }[],
): void {
  const sheet = part.takeSheet().clear();
  const { scores } = sheet;
  for (const [place, group] of ranking.entries()) {
    scoreGroup(part, sheet, group, place + 1, meanWords);
    for (const { doc, parts } of places) {
      const value = scores[doc] ?? 0;
      if (value > 0) parts.push({ name: group.group.term, value });
      scores[doc] = 0;
    }
  }
  part.giveSheet(sheet);
}

function onScale(
  { chunk: { score }, bonus }: ExplainedChunk,
  byWords: readonly ScorePart[],
): readonly ScorePart[] {
  const parts = [...byWords];
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
