import { WEIGHTS } from '../rank/weights.ts';
import type { IndexPart } from './chunk-index.ts';
import type { ResolvedGroup } from './resolve-terms.ts';
import type { ResolvedQuery } from './resolve-query.ts';

/** From so many words on, chunks with only one of them are left out, if others have more. */
const MANY_WORDS = 4;

/** The scores of the chunks of one part; 0 where a chunk does not match. */
export interface PartScores {
  readonly part: IndexPart;
  readonly scores: Float64Array;
  /** How many groups each chunk has. */
  readonly matched: Uint8Array;
  /** 1 for chunks that may not be found. */
  readonly excluded: Uint8Array;
}

/** BM25 over the words of a query. Chunks that lack a required word or have a forbidden one get 0. */
export function scoreParts(
  parts: readonly IndexPart[],
  meanWords: number,
  { ranking, required, forbidden }: ResolvedQuery,
): readonly PartScores[] {
  const all = parts.map((part): PartScores => {
    const { capacity: size } = part;
    const target = {
      part,
      scores: new Float64Array(size),
      matched: new Uint8Array(size),
      excluded: new Uint8Array(size),
    };
    const certain = new Uint8Array(size);
    for (const [place, group] of ranking.entries()) {
      scoreGroup(target, group, meanWords, required.has(place) ? certain : undefined);
    }
    const isDropped = (doc: number): boolean => (certain[doc] ?? 0) < required.size;
    if (required.size > 0) clear(target, isDropped);
    for (const groups of forbidden) {
      const has = countGroups(part, groups);
      for (let doc = 0; doc < size; doc++) {
        if (has[doc] === groups.length) target.excluded[doc] = 1;
      }
    }
    for (let doc = 0; doc < size; doc++) {
      if (part.documentOf(doc) < 0) target.excluded[doc] = 1;
    }
    clear(target, (doc) => target.excluded[doc] === 1);
    return target;
  });
  if (ranking.length >= MANY_WORDS && required.size === 0) dropWeak(all);
  return all;
}

function scoreGroup(
  { part, scores, matched }: PartScores,
  { group, terms }: ResolvedGroup,
  meanWords: number,
  certain: Uint8Array | undefined,
): void {
  const { k1, b } = WEIGHTS;
  const seen = new Uint8Array(terms.length > 1 ? scores.length : 0);
  const counted = new Uint8Array(certain ? scores.length : 0);
  for (const { factor, idf, places, isTitle, isCertain } of terms) {
    const term = places[part.number] ?? -1;
    if (term < 0) continue;
    const weight = group.weight * factor * idf * (k1 + 1);
    const fixed = isTitle ? k1 : k1 * (1 - b);
    const byLength = isTitle ? 0 : (k1 * b) / meanWords;
    part.eachPosting(term, (doc, frequency) => {
      const norm = fixed + byLength * part.words(doc);
      scores[doc] = (scores[doc] ?? 0) + (weight * frequency) / (frequency + norm);
      if (certain && isCertain && counted[doc] === 0) {
        counted[doc] = 1;
        certain[doc] = (certain[doc] ?? 0) + 1;
      }
      if (terms.length > 1) {
        if (seen[doc] === 1) return;
        seen[doc] = 1;
      }
      matched[doc] = (matched[doc] ?? 0) + 1;
    });
  }
}

/** How many of the groups each chunk has, by the ways that are certain. */
function countGroups(part: IndexPart, groups: readonly ResolvedGroup[]): Uint8Array {
  const counts = new Uint8Array(part.capacity);
  for (const { terms } of groups) {
    const seen = new Uint8Array(counts.length);
    for (const { isCertain, places } of terms) {
      const term = places[part.number] ?? -1;
      if (term < 0 || !isCertain) continue;
      part.eachPosting(term, (doc) => {
        if (seen[doc] === 1) return;
        seen[doc] = 1;
        counts[doc] = (counts[doc] ?? 0) + 1;
      });
    }
  }
  return counts;
}

function clear({ scores, matched }: PartScores, isDropped: (doc: number) => boolean): void {
  for (let doc = 0; doc < scores.length; doc++) {
    if ((scores[doc] ?? 0) === 0 || !isDropped(doc)) continue;
    scores[doc] = 0;
    matched[doc] = 0;
  }
}

/** With many words, one of them alone is chance; unless no chunk has more. */
function dropWeak(all: readonly PartScores[]): void {
  const isMore = all.some(({ matched }) => matched.some((count) => count > 1));
  if (isMore) for (const scores of all) clear(scores, (doc) => (scores.matched[doc] ?? 0) < 2);
}
