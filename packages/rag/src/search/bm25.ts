import { WEIGHTS } from '../rank/weights.ts';
import type { IndexPart } from './chunk-index.ts';
import type { ResolvedQuery, ResolvedGroup } from './resolve-terms.ts';
import type { ScoreAccumulator } from './score-accumulator.ts';

/** From so many words on, chunks with only one of them are left out, if others have more. */
const MANY_WORDS = 8;

/** The scores of the chunks of one part. */
export interface PartScores {
  readonly part: IndexPart;
  /** To be given back to the part. */
  readonly sheet: ScoreAccumulator;
}

/** BM25 over the words of a query, and which chunks may be found: all, if it has no words. */
export function scoreParts(
  parts: readonly IndexPart[],
  meanWords: number,
  { ranking, required, common, forbidden }: ResolvedQuery,
): readonly PartScores[] {
  const all = parts.map((part): PartScores => {
    const sheet = part.takeAccumulator().clear();
    for (const [place, group] of ranking.entries()) {
      if (!common.has(place)) scoreGroup(part, sheet, group, place + 1, meanWords);
    }
    if (ranking.length === 0) {
      for (let doc = 0; doc < part.capacity; doc++) sheet.found[sheet.count++] = doc;
    }
    if (required.size > 0) {
      const groups = ranking.filter((_, place) => required.has(place));
      const counts = countGroups(part, sheet, groups);
      sheet.keep((doc) => counts[doc] === groups.length);
    }
    for (const groups of forbidden) {
      const counts = countGroups(part, sheet, groups);
      sheet.keep((doc) => counts[doc] !== groups.length);
    }
    if (!part.isComplete) sheet.keep((doc) => part.documentOf(doc) >= 0);
    return { part, sheet };
  });
  if (ranking.length - common.size >= MANY_WORDS && required.size === 0) dropWeak(all);
  return all;
}

/** Adds what a group gives to the chunks of a part. */
export function scoreGroup(
  part: IndexPart,
  sheet: ScoreAccumulator,
  { group, finding }: ResolvedGroup,
  mark: number,
  meanWords: number,
): void {
  const { k1, b } = WEIGHTS;
  for (const { factor, idf, places, isTitle } of finding) {
    const term = places[part.number] ?? -1;
    if (term < 0) continue;
    const weight = group.weight * factor * idf * (k1 + 1);
    const fixed = isTitle ? k1 : k1 * (1 - b);
    const byLength = isTitle ? 0 : (k1 * b) / meanWords;
    const count = part.decode(term, sheet.docs, sheet.frequencies);
    sheet.addScores(count, mark, weight, fixed, byLength, part.words);
  }
}

/** How many of these groups each chunk has for certain, up to the first that it has not. */
function countGroups(
  part: IndexPart,
  sheet: ScoreAccumulator,
  groups: readonly ResolvedGroup[],
): Uint32Array {
  const { docs, frequencies } = sheet;
  const counts = sheet.emptyCounts();
  for (const [place, { terms }] of groups.entries()) {
    for (const { isCertain, places } of terms) {
      const term = places[part.number] ?? -1;
      if (term < 0 || !isCertain) continue;
      const count = part.decode(term, docs, frequencies);
      for (let at = 0; at < count; at++) {
        const doc = docs[at] ?? 0;
        if (counts[doc] === place) counts[doc] = place + 1;
      }
    }
  }
  return counts;
}

/** With many words, one of them alone is chance; unless no chunk has more. */
function dropWeak(all: readonly PartScores[]): void {
  const isMore = all.some(({ sheet: { matched, found, count } }) => {
    for (let at = 0; at < count; at++) if ((matched[found[at] ?? 0] ?? 0) > 1) return true;
    return false;
  });
  if (!isMore) return;
  for (const { sheet } of all) sheet.keepSeveral();
}
