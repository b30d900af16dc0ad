import { LruMap } from '../collections/lru-map.ts';
import type { GroupsToMatch, QueryGroup } from './parse-query.ts';
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

/** Rows in scope that match one group of each clause; without more, the newest as far as the cap. */
type Asked = Pick<ListRequest, 'clauses'> & Partial<ListRequest>;

/** Lists rows for several questions at once. */
export type Lists = (asked: readonly Asked[]) => Promise<readonly (readonly number[])[]>;

/** A group, and the rows of it that are known. */
export interface Listed {
  readonly group: QueryGroup;
  /** Groups of which any matches as well. */
  readonly others?: readonly QueryGroup[];
  /** The places of the groups that it is an alternative to. */
  readonly of?: readonly number[];
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
  /** Lists of which any group matches: those that too many rows match have none. */
  readonly any: readonly Listed[];
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

/**
 * Lists all rows of the rarest groups, and the newest of the others.
 *
 * @param isScoped - True if only some of the rows are in scope.
 */
export async function listGroups(
  lists: Lists,
  { groups, alternatives }: GroupsToMatch,
  { isScoped, ...rest }: Omit<ListScale, 'inScope'> & { readonly isScoped: boolean },
): Promise<ListedGroups> {
  const placed = groups.map((group, bit) => ({ group, bit }));
  const lifted = alternatives.map((list, at) => ({ ...list, bit: groups.length + at }));
  const weak = placed.filter(({ group }) => group.isWeak);
  const strong = placed.filter(({ group }) => !group.isWeak);
  // Read once: another search may add to them, or drop some, while this one waits.
  const cached: Cached = new Map(placed.map((one) => [one, knownOf(one, rest)]));
  const unknown = strong.filter((one) => !cached.get(one));
  const found = await lists([
    ...(isScoped ? [{ clauses: [] }] : []),
    ...unknown.map(askOf),
    ...[...weak, ...lifted].map((one): Asked => ({ ...askOf(one), order: 'any' })),
  ]);
  const scale = { ...rest, inScope: isScoped ? found[0] : undefined };
  const own = isScoped ? found.slice(1) : found;
  const ofLifted = own.slice(unknown.length + weak.length);
  const any = lifted.map((one, at) => allOrNone(one, ofLifted[at] ?? [], scale));
  const newest = withNewest(strong, cached, own, scale);
  const choosing = await completeRarest(lists, newest, scale, COMPLETE);
  if (choosing.some(({ count }) => count > 0)) {
    const ofWeak = own.slice(unknown.length);
    const helping = weak.map((one, at) => allOrNone(one, ofWeak[at] ?? [], scale));
    return { choosing, helping, any };
  }
  const unknownWeak = weak.filter((one) => !cached.get(one));
  const ofWeak = await lists(unknownWeak.map(askOf));
  const newestWeak = withNewest(weak, cached, ofWeak, scale);
  return {
    choosing: await completeRarest(lists, newestWeak, scale, WEAK_COMPLETE),
    helping: choosing,
    any,
  };
}

type Placed = Pick<Listed, 'group' | 'others' | 'of' | 'bit'>;
/** Groups with what is known of them, if it is. */
type Cached = ReadonlyMap<Placed, Listed | undefined>;

/** Asks for the newest rows of a group. */
function askOf({ group, others = [] }: Placed): Asked {
  return { clauses: [[group, ...others]] };
}

/**
 * Returns groups with what is known of them, the unknown ones with their newest rows.
 *
 * @param found - The newest rows of each unknown group.
 */
function withNewest(
  groups: readonly Placed[],
  cached: Cached,
  found: readonly (readonly number[])[],
  scale: ListScale,
): readonly Listed[] {
  let at = 0;
  return groups.map((one) => cached.get(one) ?? newestOf(one, found[at++] ?? [], scale));
}

/**
 * Lists all rows of the rarest groups, as far as they have few together.
 *
 * @param newest - The groups with their newest rows.
 */
async function completeRarest(
  lists: Lists,
  newest: readonly Listed[],
  scale: ListScale,
  times: number,
): Promise<readonly Listed[]> {
  const { size, newest: last, known } = scale;
  const most = Math.min(NO_CAP, times * size);
  let rows = 0;
  const rarest = newest
    .toSorted((a, b) => a.count - b.count)
    .filter(({ count }) => (rows += count) <= most);
  const partial = rarest.filter(({ isComplete }) => !isComplete && size < most);
  const all = await listAll(lists, partial, scale, most);
  const listed = newest.map((one) => all[partial.indexOf(one)] ?? one);
  for (const { group, count, share } of listed) {
    if (count > FREQUENT * most) known?.add(group, { share, size, newest: last });
  }
  return listed.toSorted((a, b) => a.count - b.count);
}

/** Returns a group that is known to be frequent. */
function knownOf(
  one: Placed,
  { known, size, newest }: Omit<ListScale, 'inScope'>,
): Listed | undefined {
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

/** Returns a group with its newest rows; where there are not more, these are all. */
function newestOf(one: Placed, ids: readonly number[], scale: ListScale): Listed {
  const { size, newest } = scale;
  const isComplete = ids.length < size;
  return { ...one, ids, isComplete, ...weighed(estimate(ids, size, newest), scale) };
}

/** All rows of groups, but for those that turn out to be frequent. */
async function listAll(
  lists: Lists,
  groups: readonly Listed[],
  scale: ListScale,
  most: number,
): Promise<readonly Listed[]> {
  const asked = groups.map((one): Asked => ({ ...askOf(one), cap: most }));
  const all = await lists(asked.map((one): Asked => ({ ...one, order: 'any' })));
  // There are more of these than the newest of them made believe.
  const frequent = groups.filter((_, at) => (all[at]?.length ?? 0) >= most);
  const newest = await lists(asked.filter((_, at) => (all[at]?.length ?? 0) >= most));
  return groups.map((one, at) => {
    const ids = all[at] ?? [];
    const again = newest[frequent.indexOf(one)];
    if (!again) return { ...one, ids, isComplete: true, ...weighed(ids.length, scale) };
    return { ...one, ...weighed(estimate(again, most, scale.newest), scale) };
  });
}

/** Returns a group with all its rows, or with none if it is frequent: some of them would be chosen by chance. */
function allOrNone(one: Placed, ids: readonly number[], scale: ListScale): Listed {
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

/** The facts about a frequent group. */
interface Known {
  readonly share: number;
  /** How many rows were listed to estimate it, and which was the newest. */
  readonly size: number;
  readonly newest: number;
}

/** The most groups that are known. */
const MOST = 5000;
/** The growth of the rows from which on a share is estimated again. */
const GROWTH = 1.1;

/** Remembers which share of all rows frequent groups have: their newest rows need not be listed to see it. */
export class FrequentGroups {
  readonly #known = new LruMap<string, Known>(MOST);

  /** Returns the share that was estimated by as many rows, unless many were added since, or the newest are gone. */
  shareOf(group: QueryGroup, size: number, newest: number): number | undefined {
    const known = this.#known.get(keyOf(group));
    if (known?.size !== size || newest < known.newest) return undefined;
    return newest > known.newest * GROWTH ? undefined : known.share;
  }

  add(group: QueryGroup, known: Known): void {
    this.#known.set(keyOf(group), known);
  }
}

function keyOf({ terms }: QueryGroup): string {
  return JSON.stringify(terms);
}
