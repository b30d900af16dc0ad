import type { GroupSet, QueryGroup } from '../rank/query-groups.ts';
import type { ResolvedGroup, TermResolver } from './resolve-terms.ts';

/** A query, looked up in an index. */
export interface ResolvedQuery {
  /** The groups that rank, without doubles, in the order of the query. */
  readonly ranking: readonly ResolvedGroup[];
  /** Places in `ranking` of the groups that must be there. */
  readonly required: ReadonlySet<number>;
  /**
   * Places in `ranking` of words that so many chunks have that they find nothing beside more telling
   * ones; they count when the best chunks are looked at again.
   */
  readonly common: ReadonlySet<number>;
  /** Sets of groups of which a chunk may not have all. */
  readonly forbidden: readonly (readonly ResolvedGroup[])[];
}

/** How many telling words a query must have for its common ones not to find anything. */
const ENOUGH_TELLING = 2;
/** Ways to find a word that count less than this, as its reading does, find nothing common either. */
const WEAK_WAY = 0.5;

/** Looks the words of a query up. */
export async function resolveQuery(
  resolver: TermResolver,
  sets: readonly GroupSet[],
): Promise<ResolvedQuery> {
  const ranking = new Map<string, ResolvedGroup>();
  const requiredKeys = new Set<string>();
  const forbidden: ResolvedGroup[][] = [];
  for (const { occur, groups } of sets) {
    if (occur === 'not') {
      const resolved: ResolvedGroup[] = [];
      for (const group of groups) resolved.push(await resolver.resolve(group));
      forbidden.push(resolved);
      continue;
    }
    for (const group of groups) {
      const key = keyOf(group);
      const known = ranking.get(key);
      if (!known || known.group.weight < group.weight) {
        const resolved = await resolver.resolve(group);
        if (group.isGuess === true && resolved.terms.length === 0) continue;
        ranking.set(key, resolved);
      }
      if (occur === 'must') requiredKeys.add(key);
    }
  }
  const required = new Set<number>();
  for (const [place, key] of [...ranking.keys()].entries()) {
    if (requiredKeys.has(key)) required.add(place);
  }
  const groups = [...ranking.values()];
  const common = commonGroups(groups, required);
  const telling = groups.filter(({ value }, place) => value > 0 && !common.has(place));
  if (telling.length < ENOUGH_TELLING) {
    return { ranking: groups, required, common: new Set(), forbidden };
  }
  const rest = groups.map((group, place) => (required.has(place) ? group : tellingly(group)));
  return { ranking: rest, required, common, forbidden };
}

/** Found only by what tells something: 入る not by いる, which is read the same and everywhere. */
function tellingly(group: ResolvedGroup): ResolvedGroup {
  const finding = group.terms.filter(({ factor, isTitle, isCommon }) => {
    return isTitle || !isCommon || factor >= WEAK_WAY;
  });
  return { ...group, finding };
}

function commonGroups(
  groups: readonly ResolvedGroup[],
  required: ReadonlySet<number>,
): ReadonlySet<number> {
  const common = groups.flatMap(({ terms }, place) => {
    const isCommon = terms.some((term) => {
      return term.factor === 1 && !term.isTitle && term.isCommon;
    });
    return isCommon && !required.has(place) ? [place] : [];
  });
  return new Set(common);
}

/** A word and the same characters as a part of words or as a reading ask for different things. */
function keyOf({ term, field, ways }: QueryGroup): string {
  const special = ways.find(
    ({ kind, factor }) => kind === 'part' || (kind === 'reading' && factor === 1),
  );
  return JSON.stringify([term, field, special]);
}
