import { WEIGHTS } from '../rank/weights.ts';
import type { GroupSet } from '../rank/query-groups.ts';
import { DEAD, type LiveSegment } from './live-segment.ts';
import type { ScoreSheet } from './score-sheet.ts';
import { TermResolver, type ResolvedGroup } from './resolve-terms.ts';
import type { Snapshot } from './snapshot.ts';

/** From so many words on, chunks with only one of them are left out, if others have more. */
const MANY_WORDS = 8;

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

/** The scores of the chunks of one segment. */
export interface SegmentScores {
  readonly segment: LiveSegment;
  /** To be given back to the segment. */
  readonly sheet: ScoreSheet;
}

/** BM25 over the words of a query, and which chunks may not be found. */
export function scoreSegments(
  snapshot: Snapshot,
  { ranking, required, forbidden }: ResolvedQuery,
): readonly SegmentScores[] {
  const meanWords = Math.max(1, snapshot.words / Math.max(1, snapshot.size));
  const all = snapshot.segments.map((segment, number): SegmentScores => {
    const sheet = segment.takeSheet().clear();
    for (const [place, group] of ranking.entries()) {
      scoreGroup(segment, sheet, number, group, place + 1, meanWords);
      if (required.has(place)) countGroup(segment, sheet, number, group, place + 1);
    }
    if (required.size > 0) excludeWhere(sheet, (doc) => sheet.required[doc] !== required.size);
    for (const groups of forbidden) {
      sheet.required.fill(0);
      sheet.seenRequired.fill(0);
      for (const [place, group] of groups.entries()) {
        countGroup(segment, sheet, number, group, place + 1);
      }
      excludeWhere(sheet, (doc) => sheet.required[doc] === groups.length);
    }
    if (segment.live < segment.reader.size) {
      excludeWhere(sheet, (doc) => segment.documents[doc] === DEAD);
    }
    return { segment, sheet };
  });
  if (ranking.length >= MANY_WORDS && required.size === 0) dropWeak(all);
  return all;
}

function scoreGroup(
  { reader }: LiveSegment,
  sheet: ScoreSheet,
  number: number,
  { group, terms }: ResolvedGroup,
  mark: number,
  meanWords: number,
): void {
  const { k1, b } = WEIGHTS;
  const { scores, matched, seen, docs, frequencies } = sheet;
  const { words } = reader;
  for (const { factor, idf, places, isTitle } of terms) {
    const term = places[number] ?? -1;
    if (term < 0) continue;
    const weight = group.weight * factor * idf * (k1 + 1);
    const fixed = isTitle ? k1 : k1 * (1 - b);
    const byLength = isTitle ? 0 : (k1 * b) / meanWords;
    const count = reader.decode(term, docs, frequencies);
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
  { reader }: LiveSegment,
  { required, seenRequired, docs, frequencies }: ScoreSheet,
  number: number,
  { terms }: ResolvedGroup,
  mark: number,
): void {
  for (const { isCertain, places } of terms) {
    const term = places[number] ?? -1;
    if (term < 0 || !isCertain) continue;
    const count = reader.decode(term, docs, frequencies);
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
function dropWeak(all: readonly SegmentScores[]): void {
  const isMore = all.some(({ sheet: { matched, excluded } }) =>
    matched.some((count, doc) => count > 1 && excluded[doc] === 0),
  );
  if (!isMore) return;
  for (const { sheet } of all) excludeWhere(sheet, (doc) => (sheet.matched[doc] ?? 0) < 2);
}
