import type { FrequentGroups } from './frequent-groups.ts';
import type { QueryGroup } from './parse-query.ts';
import type { TextMatchOptions } from './text-index.ts';

/** Rows to list: those that match one group of each clause. */
export interface ListRequest {
  readonly clauses: readonly (readonly QueryGroup[])[];
  /** Rows that match it are left out. */
  readonly without?: QueryGroup | undefined;
  readonly where: TextMatchOptions['where'];
  /** How many at most, the newest first. Without it all, in any order. */
  readonly cap: number | undefined;
  /** The number of the newest row. */
  readonly newest: number;
  /** `'any'`: not the newest first, which takes less time where there are not more than the cap. */
  readonly order?: 'any' | undefined;
}

/** Lists the rows in scope that match one group of each clause; without more, the newest as far as the cap. */
export type List = (
  clauses: readonly (readonly QueryGroup[])[],
  more?: Partial<ListRequest>,
) => Promise<readonly number[]>;

/** A group, and the rows of it that are known. */
export interface Listed {
  readonly group: QueryGroup;
  readonly bit: number;
  /** All, the newest, or none of a group that is known to be frequent. */
  readonly ids: readonly number[];
  readonly isComplete: boolean;
  /** How many rows it has in all, where not all are listed about this many. */
  readonly count: number;
  readonly share: number;
  readonly weight: number;
}

/** The groups of a query with their rows. */
export interface ListedGroups {
  /** Those that rows are chosen by, the rarest first: the weak ones, too, where no other finds any. */
  readonly choosing: readonly Listed[];
  /** The weak ones, which only help to rank. */
  readonly helping: readonly Listed[];
}

/** The scale on which the numbers of rows are judged. */
export interface ListScale {
  /** How many rows of a frequent group are listed, the newest. */
  readonly size: number;
  /** The number of the newest row. */
  readonly newest: number;
  /** The newest rows in scope, if that is not all. */
  readonly inScope: readonly number[] | undefined;
  /** The facts about all rows, unless only some are in scope. */
  readonly known: FrequentGroups | undefined;
}

/**
 * All rows of the rarest groups are listed, together this many times the cap. A row without any of these has a
 * chance only where they have few rows, and each row more is to be looked at for every frequent group.
 */
const COMPLETE = 5;
/** The same for weak groups. */
const WEAK_COMPLETE = 2;
/** Groups with this many times as many rows as are listed of the rarest are remembered to be frequent. */
const FREQUENT = 2;
/** No limit: more rows than any query scans. */
export const NO_CAP = 0x7fff_ffff;

/** Lists all rows of the rarest groups, and the newest of the others. */
export async function listGroups(
  list: List,
  groups: readonly QueryGroup[],
  scale: ListScale,
): Promise<ListedGroups> {
  const placed = groups.map((group, bit) => ({ group, bit }));
  const weak = placed.filter(({ group }) => group.isWeak);
  const others = placed.filter(({ group }) => !group.isWeak);
  const strong = await listRarest(list, others, scale, COMPLETE);
  if (!strong.some(({ count }) => count > 0)) {
    return { choosing: await listRarest(list, weak, scale, WEAK_COMPLETE), helping: strong };
  }
  const helping: Listed[] = [];
  for (const one of weak) helping.push(await listWeak(list, one, scale));
  return { choosing: strong, helping };
}

type Placed = Pick<Listed, 'group' | 'bit'>;

/** All rows of the rarest groups, as far as they have few together, and the newest of the others. */
async function listRarest(
  list: List,
  groups: readonly Placed[],
  scale: ListScale,
  times: number,
): Promise<readonly Listed[]> {
  const { size, newest: last, known } = scale;
  const most = Math.min(NO_CAP, times * size);
  const newest: Listed[] = [];
  for (const one of groups)
    newest.push(knownOf(one, scale) ?? (await listNewest(list, one, scale)));
  const listed: Listed[] = [];
  let rows = 0;
  for (const one of newest.toSorted((a, b) => a.count - b.count)) {
    rows += one.count;
    listed.push(rows <= most ? await listAll(list, one, scale, most) : one);
  }
  for (const { group, count, share } of listed) {
    if (count > FREQUENT * most) known?.add(group, { share, size, newest: last });
  }
  return listed.toSorted((a, b) => a.count - b.count);
}

/** Returns a group that is known to be frequent. */
function knownOf(one: Placed, { known, size, newest }: ListScale): Listed | undefined {
  const share = known?.shareOf(one.group, size, newest);
  if (share === undefined) return undefined;
  return {
    ...one,
    ids: [],
    isComplete: false,
    count: share * newest,
    share,
    weight: weightOf(share),
  };
}

/** Returns the newest rows of a group; where there are not more, these are all. */
async function listNewest(list: List, one: Placed, scale: ListScale): Promise<Listed> {
  const { size, newest } = scale;
  const ids = await list([[one.group]]);
  const isComplete = ids.length < size;
  return { ...one, ids, isComplete, ...weighed(estimate(ids, size, newest), scale) };
}

/** All rows of a group, unless it turns out to be frequent. */
async function listAll(list: List, one: Listed, scale: ListScale, most: number): Promise<Listed> {
  const { size, newest } = scale;
  const clauses = [[one.group]];
  if (one.isComplete || size >= most) return one;
  const ids = await list(clauses, { cap: most, order: 'any' });
  if (ids.length < most) return { ...one, ids, isComplete: true, ...weighed(ids.length, scale) };
  // There are more than the newest of them made believe.
  const count = estimate(await list(clauses, { cap: most }), most, newest);
  return { ...one, ...weighed(count, scale) };
}

/** All rows of a weak group, or none of one that is frequent: some of them would be chosen by chance. */
async function listWeak(list: List, one: Placed, scale: ListScale): Promise<Listed> {
  const ids = await list([[one.group]], { order: 'any' });
  const isComplete = ids.length < scale.size;
  return { ...one, ids: isComplete ? ids : [], isComplete, ...weighed(ids.length, scale) };
}

function weighed(
  count: number,
  { size, newest, inScope }: ListScale,
): Pick<Listed, 'count' | 'share' | 'weight'> {
  const total = inScope ? estimate(inScope, size, newest) : newest;
  const share = Math.min(1, count / Math.max(1, total));
  return { count, share, weight: weightOf(share) };
}

/** How many rows there are in all, judged by how close together the newest of them lie. */
function estimate(ids: readonly number[], cap: number, newest: number): number {
  if (ids.length < cap) return ids.length;
  return (ids.length / Math.max(1, newest - (ids.at(-1) ?? 0) + 1)) * newest;
}

/** Returns the inverse frequency; never nothing, as a word that all rows have is found in the newest. */
function weightOf(share: number): number {
  return share === 0 ? 0 : Math.log(1 + (1.1 - share) / share);
}
