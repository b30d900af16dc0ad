import type { GroupSet, QueryGroup } from '../rank/query-groups.ts';
import type { ResolvedGroup, TermResolver } from './resolve-terms.ts';

/** A query, looked up in an index. */
export interface ResolvedQuery {
  /** The groups that rank, without doubles, in the order of the query. */
  readonly ranking: readonly ResolvedGroup[];
  /** Places in `ranking` of the groups that must be there. */
  readonly required: ReadonlySet<number>;
  /** Sets of groups of which a chunk may not have all. */
  readonly forbidden: readonly (readonly ResolvedGroup[])[];
}

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
        ranking.set(key, await resolver.resolve(group));
      }
      if (occur === 'must') requiredKeys.add(key);
    }
  }
  const required = new Set<number>();
  for (const [place, key] of [...ranking.keys()].entries()) {
    if (requiredKeys.has(key)) required.add(place);
  }
  return { ranking: [...ranking.values()], required, forbidden };
}

/** A word and the same characters as a part of words or as a reading ask for different things. */
function keyOf({ term, field, ways }: QueryGroup): string {
  const special = ways.find(
    ({ kind, factor }) => kind === 'part' || (kind === 'reading' && factor === 1),
  );
  return JSON.stringify([term, field, special]);
}
