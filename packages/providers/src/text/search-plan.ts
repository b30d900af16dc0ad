import { NO_CAP } from './list-groups.ts';
import { tagTerm } from './index-tables.ts';
import type { QueryGroup } from './parse-query.ts';
import type { TextHit, TextSearchOptions } from './text-index.ts';

/** A group and how rare it is: by its inverse document frequency, it counts in the ranking. */
interface WeighedGroup extends QueryGroup {
  readonly idf: number;
}

/** Which rows to rank, and by what. */
export interface RankRequest {
  /** A row must match any of these, or all. */
  readonly required: readonly WeighedGroup[];
  readonly match: 'any' | 'all';
  /** The groups of the score; it holds `required`. */
  readonly scored: readonly WeighedGroup[];
  readonly where: TextSearchOptions['where'];
  /** Few rows fulfil `where`: it is cheaper to list them first. */
  readonly isNarrow: boolean;
  /** The newest of the rows that fit are ranked, this many. */
  readonly cap: number;
  /** The best of these are needed, this many; more may be returned. */
  readonly limit: number;
}

/** The operations of a dialect that a search needs. */
export interface TextEngine {
  /** Returns the number of the newest row. */
  newest(): Promise<number>;
  /** How many of the newest `cap` matches of a group there are, and the oldest of them. */
  probe(
    group: QueryGroup,
    cap: number,
  ): Promise<{ readonly count: number; readonly oldest: number }>;
  /** How many rows fulfil a condition, counted up to `limit`. */
  countRows(where: NonNullable<TextSearchOptions['where']>, limit: number): Promise<number>;
  rank(request: RankRequest): Promise<readonly TextHit[]>;
}

const DEFAULT_LIMIT = 20;
const DEFAULT_CAP = 2000;

/** Groups that more rows than this share of all contain distinguish rows too little to be scored. */
const COMMON = 0.5;

interface Probed extends WeighedGroup {
  readonly count: number;
  /** The share of rows that match, estimated from the newest matches. */
  readonly share: number;
}

/**
 * Searches in bounded time. The rarest groups choose the rows, as many groups as stay within the
 * cap together; only those rows are scored, by all groups. If they are fewer than asked for, the
 * newest matches of the next group are added. A condition that few rows fulfil makes all groups
 * choose.
 */
export async function runSearch(
  engine: TextEngine,
  groups: readonly QueryGroup[],
  options: TextSearchOptions,
): Promise<readonly TextHit[]> {
  const { limit = DEFAULT_LIMIT, match = 'any', where } = options;
  const cap = Math.min(options.cap ?? DEFAULT_CAP, NO_CAP);
  if (groups.length === 0 || limit <= 0) return [];
  const all = await probeAll(engine, groups, cap);
  const isHopeless = match === 'all' && all.some(({ isWeak, count }) => !isWeak && count === 0);
  const probed = all.filter(({ count }) => count > 0);
  const strong = probed.filter(({ isWeak }) => !isWeak);
  const choosing = strong.length > 0 ? strong : probed;
  if (choosing.length === 0 || isHopeless) return [];
  const isNarrow = where !== undefined && (await engine.countRows(where, cap + 1)) <= cap;
  const rank = (
    required: readonly Probed[],
    scored: readonly Probed[],
    most: number,
  ): Promise<readonly TextHit[]> =>
    engine.rank({ required, match, scored, where, isNarrow, cap, limit: most });

  if (match === 'all') return best(await rank(choosing, choosing, limit), limit);

  const chosen = isNarrow ? choosing : withinCap(choosing, cap);
  const scored = probed.filter((group) => group.share <= COMMON || chosen.includes(group));
  const hits = new Map<number, TextHit>();
  const collect = (found: readonly TextHit[]): void => {
    for (const hit of found) if (!hits.has(hit.id)) hits.set(hit.id, hit);
  };
  collect(await rank(chosen, scored, limit));
  for (const group of choosing.filter((other) => !chosen.includes(other))) {
    if (hits.size >= limit) break;
    // Some of them may be among the hits already.
    collect(await rank([group], [group], limit + hits.size));
  }
  return best([...hits.values()], limit);
}

/** Returns the groups with what is known of their frequency, the rarest first. */
async function probeAll(
  engine: TextEngine,
  groups: readonly QueryGroup[],
  cap: number,
): Promise<readonly Probed[]> {
  const newest = await engine.newest();
  const probed = await Promise.all(
    groups.map(async (group) => {
      const { count, oldest } = await engine.probe(group, cap);
      const span = count < cap ? newest : newest - oldest + 1;
      const share = Math.min(1, count / Math.max(1, span));
      const idf = Math.log(1 + (1 - share) / Math.max(share, 1e-9));
      return { ...group, count, share, idf };
    }),
  );
  return probed.toSorted((a, b) => a.share - b.share);
}

/** Returns the first groups that together match no more rows than the cap; at least one. */
function withinCap(groups: readonly Probed[], cap: number): readonly Probed[] {
  let total = 0;
  return groups.filter(({ count }, index) => {
    total += count;
    return index === 0 || total <= cap;
  });
}

function best(hits: readonly TextHit[], limit: number): readonly TextHit[] {
  return hits.toSorted((a, b) => b.score - a.score || b.id - a.id).slice(0, limit);
}

/** Returns the rows with a tag, as a part of a query. */
export function tagGroup(tag: string): QueryGroup {
  return { terms: [{ text: tagTerm(tag), isPrefix: false }], isWeak: false };
}
