import { WEIGHTS } from '../rank/weights.ts';
import type { IndexPart } from './chunk-index.ts';
import type { ResolvedQuery } from './resolve-query.ts';
import type { ResolvedGroup } from './resolve-terms.ts';
import type { ScoreSheet } from './score-sheet.ts';

/** From so many words on, chunks with only one of them are left out, if others have more. */
const MANY_WORDS = 8;

/** The scores of the chunks of one part. */
export interface PartScores {
  readonly part: IndexPart;
  /** To be given back to the part. */
  readonly sheet: ScoreSheet;
}

/** BM25 over the words of a query, and which chunks may not be found. */
export function scoreParts(
  parts: readonly IndexPart[],
  meanWords: number,
  { ranking, required, common, forbidden }: ResolvedQuery,
): readonly PartScores[] {
  const all = parts.map((part): PartScores => {
    const sheet = part.takeSheet().clear();
    for (const [place, group] of ranking.entries()) {
      if (common.has(place)) continue;
      scoreGroup(part, sheet, group, place + 1, meanWords);
      if (required.has(place)) countGroup(part, sheet, group, place + 1);
    }
    if (required.size > 0) excludeWhere(sheet, (doc) => sheet.required[doc] !== required.size);
    for (const groups of forbidden) {
      sheet.required.fill(0);
      sheet.seenRequired.fill(0);
      for (const [place, group] of groups.entries()) countGroup(part, sheet, group, place + 1);
      excludeWhere(sheet, (doc) => sheet.required[doc] === groups.length);
    }
    if (!part.isComplete) excludeWhere(sheet, (doc) => part.documentOf(doc) < 0);
    return { part, sheet };
  });
  if (ranking.length - common.size >= MANY_WORDS && required.size === 0) dropWeak(all);
  return all;
}

function scoreGroup(
  part: IndexPart,
  sheet: ScoreSheet,
  { group, terms }: ResolvedGroup,
  mark: number,
  meanWords: number,
): void {
  const { k1, b } = WEIGHTS;
  const { scores, matched, seen, docs, frequencies } = sheet;
  const { words } = part;
  for (const { factor, idf, places, isTitle } of terms) {
    const term = places[part.number] ?? -1;
    if (term < 0) continue;
    const weight = group.weight * factor * idf * (k1 + 1);
    const fixed = isTitle ? k1 : k1 * (1 - b);
    const byLength = isTitle ? 0 : (k1 * b) / meanWords;
    const count = part.decode(term, docs, frequencies);
    for (let at = 0; at < count; at++) {
      const doc = docs[at] ?? 0;
      const frequency = frequencies[at] ?? 0;
      const norm = fixed + byLength * (words[doc] ?? 0);
      scores[doc] = (scores[doc] ?? 0) + (weight * frequency) / (frequency + norm);
      if (seen[doc] === mark) continue;
      seen[doc] = mark;
      matched[doc] = (matched[doc] ?? 0) + 1;
    }
  }
}

/** Counts the chunks that have a group for certain. */
function countGroup(
  part: IndexPart,
  { required, seenRequired, docs, frequencies }: ScoreSheet,
  { terms }: ResolvedGroup,
  mark: number,
): void {
  for (const { isCertain, places } of terms) {
    const term = places[part.number] ?? -1;
    if (term < 0 || !isCertain) continue;
    const count = part.decode(term, docs, frequencies);
    for (let at = 0; at < count; at++) {
      const doc = docs[at] ?? 0;
      if (seenRequired[doc] === mark) continue;
      seenRequired[doc] = mark;
      required[doc] = (required[doc] ?? 0) + 1;
    }
  }
}

function excludeWhere({ excluded }: ScoreSheet, isExcluded: (doc: number) => boolean): void {
  for (let doc = 0; doc < excluded.length; doc++) if (isExcluded(doc)) excluded[doc] = 1;
}

/** With many words, one of them alone is chance; unless no chunk has more. */
function dropWeak(all: readonly PartScores[]): void {
  const isMore = all.some(({ sheet: { matched, excluded } }) =>
    matched.some((count, doc) => count > 1 && excluded[doc] === 0),
  );
  if (!isMore) return;
  for (const { sheet } of all) excludeWhere(sheet, (doc) => (sheet.matched[doc] ?? 0) < 2);
}
