import { WEIGHTS } from '../rank/weights.ts';
import type { GroupSet } from '../rank/query-groups.ts';
import { DEAD, type LiveSegment } from './live-segment.ts';
import { TermResolver, type ResolvedGroup } from './resolve-terms.ts';
import type { Snapshot } from './snapshot.ts';

/** From so many words on, chunks with only one of them are left out, if others have more. */
const MANY_WORDS = 4;

/** A query, looked up in a snapshot. */
export interface ResolvedQuery {
  /** The groups that rank, without doubles, in the order of the query. */
  readonly ranking: readonly ResolvedGroup[];
  /** Places in `ranking` of the groups that must be there. */
  readonly required: ReadonlySet<number>;
  /** Sets of groups of which a chunk may not have all. */
  readonly forbidden: readonly (readonly ResolvedGroup[])[];
}

/** Looks the words of a query up. */
export function resolveQuery(snapshot: Snapshot, sets: readonly GroupSet[]): ResolvedQuery {
  const resolver = new TermResolver(snapshot);
  const ranking = new Map<string, ResolvedGroup>();
  const requiredKeys = new Set<string>();
  const forbidden: ResolvedGroup[][] = [];
  for (const { occur, groups } of sets) {
    if (occur === 'not') {
      forbidden.push(groups.map((group) => resolver.resolve(group)));
      continue;
    }
    for (const group of groups) {
      const key = JSON.stringify([group.term, group.field]);
      const known = ranking.get(key);
      if (!known || known.group.weight < group.weight) ranking.set(key, resolver.resolve(group));
      if (occur === 'must') requiredKeys.add(key);
    }
  }
  const required = new Set<number>();
  for (const [place, key] of [...ranking.keys()].entries()) {
    if (requiredKeys.has(key)) required.add(place);
  }
  return { ranking: [...ranking.values()], required, forbidden };
}

/** The scores of the chunks of one segment; 0 where a chunk does not match. */
export interface SegmentScores {
  readonly segment: LiveSegment;
  readonly scores: Float64Array;
  /** How many groups each chunk has. */
  readonly matched: Uint8Array;
  /** 1 for chunks that may not be found. */
  readonly excluded: Uint8Array;
}

/** BM25 over the words of a query. Chunks that lack a required word or have a forbidden one get 0. */
export function scoreSegments(
  snapshot: Snapshot,
  { ranking, required, forbidden }: ResolvedQuery,
): readonly SegmentScores[] {
  const meanWords = Math.max(1, snapshot.words / Math.max(1, snapshot.size));
  const all = snapshot.segments.map((segment, number): SegmentScores => {
    const { size } = segment.reader;
    const target = {
      segment,
      scores: new Float64Array(size),
      matched: new Uint8Array(size),
      excluded: new Uint8Array(size),
    };
    const certain = new Uint8Array(size);
    for (const [place, group] of ranking.entries()) {
      scoreGroup(target, number, group, meanWords, required.has(place) ? certain : undefined);
    }
    const isDropped = (doc: number): boolean => (certain[doc] ?? 0) < required.size;
    if (required.size > 0) clear(target, isDropped);
    for (const groups of forbidden) {
      const has = countGroups(segment, number, groups);
      for (let doc = 0; doc < size; doc++) {
        if (has[doc] === groups.length) target.excluded[doc] = 1;
      }
    }
    for (let doc = 0; doc < size; doc++) {
      if ((segment.documents[doc] ?? DEAD) === DEAD) target.excluded[doc] = 1;
    }
    clear(target, (doc) => target.excluded[doc] === 1);
    return target;
  });
  if (ranking.length >= MANY_WORDS && required.size === 0) dropWeak(all);
  return all;
}

function scoreGroup(
  { segment, scores, matched }: SegmentScores,
  number: number,
  { group, terms }: ResolvedGroup,
  meanWords: number,
  certain: Uint8Array | undefined,
): void {
  const { k1, b } = WEIGHTS;
  const seen = new Uint8Array(terms.length > 1 ? scores.length : 0);
  const counted = new Uint8Array(certain ? scores.length : 0);
  const { reader } = segment;
  for (const { factor, idf, places, isTitle, isCertain } of terms) {
    const term = places[number] ?? -1;
    if (term < 0) continue;
    const weight = group.weight * factor * idf * (k1 + 1);
    const fixed = isTitle ? k1 : k1 * (1 - b);
    const byLength = isTitle ? 0 : (k1 * b) / meanWords;
    reader.eachPosting(term, (doc, frequency) => {
      const norm = fixed + byLength * reader.words(doc);
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
export function countGroups(
  segment: LiveSegment,
  number: number,
  groups: readonly ResolvedGroup[],
): Uint8Array {
  const counts = new Uint8Array(segment.reader.size);
  for (const { terms } of groups) {
    const seen = new Uint8Array(counts.length);
    for (const { isCertain, places } of terms) {
      const term = places[number] ?? -1;
      if (term < 0 || !isCertain) continue;
      segment.reader.eachPosting(term, (doc) => {
        if (seen[doc] === 1) return;
        seen[doc] = 1;
        counts[doc] = (counts[doc] ?? 0) + 1;
      });
    }
  }
  return counts;
}

function clear({ scores, matched }: SegmentScores, isDropped: (doc: number) => boolean): void {
  for (let doc = 0; doc < scores.length; doc++) {
    if ((scores[doc] ?? 0) === 0 || !isDropped(doc)) continue;
    scores[doc] = 0;
    matched[doc] = 0;
  }
}

/** With many words, one of them alone is chance; unless no chunk has more. */
function dropWeak(all: readonly SegmentScores[]): void {
  const isMore = all.some(({ matched }) => matched.some((count) => count > 1));
  if (isMore) for (const scores of all) clear(scores, (doc) => (scores.matched[doc] ?? 0) < 2);
}
