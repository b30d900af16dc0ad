import type { QueryGroup } from './parse-query.ts';
import type { MatchedGroup, TextMatches, TextMatchOptions } from './text-matches.ts';
import { tagGroup } from './tags.ts';

/** Rows to list: those that match one group of each clause. */
export interface ListRequest {
  readonly clauses: readonly (readonly QueryGroup[])[];
  /** Rows that match it are left out. */
  readonly without?: QueryGroup | undefined;
  readonly where: TextMatchOptions['where'];
  /** How many at most, the newest first. Without it all, in any order. */
  readonly cap: number | undefined;
  /** `'any'`: not the newest first, which takes less time where there are not more than the cap. */
  readonly order?: 'any';
}

/** What matching asks of a dialect. */
export interface MatchEngine {
  newest(): Promise<number>;
  /** The rows that fit. */
  list(request: ListRequest): Promise<readonly number[]>;
}

const DEFAULT_CAP = 500;
/** Of so many rows, those of the rarest groups, it is known which frequent groups they match. */
const RARE_ROWS = 6000;
/**
 * For that, so many rows of frequent groups are looked past, those of the rarest of them first. A group that
 * many of a million rows have tells them apart least, and takes longest.
 */
const FREQUENT_ROWS = 300_000;
/** To find a row among many, about so many are looked past: those of one page. */
const PAGE_ROWS = 1000;
/** Where the groups that are not frequent have so many rows, the newest of the others add nothing. */
const ENOUGH_ROWS = 200;
/** How many rows that match several frequent groups at once are added. */
const SEVERAL_ROWS = 200;
/** A group with at most so many times the cap is not frequent: all its rows are listed. */
const COMPLETE = 10;
/** The same for weak groups, which only help to rank. */
const WEAK_COMPLETE = 2;
/** So many of the frequent groups, the rarest of them, are looked for together. */
const TOGETHER = 3;
/** Never so many rows of one query are looked at twice. */
const NO_CAP = 0x7fff_ffff;

/** A group, and the rows of it that are known. */
interface Listed {
  readonly group: QueryGroup;
  readonly bit: number;
  readonly ids: readonly number[];
  readonly isComplete: boolean;
  /** How many rows it has in all, where not all are listed about so many. */
  readonly count: number;
  readonly share: number;
  readonly weight: number;
}

type List = (
  clauses: readonly (readonly QueryGroup[])[],
  more?: Partial<ListRequest>,
) => Promise<readonly number[]>;

/**
 * Lists the rows of each group. Of groups that are not frequent these are all; the best of those rows are
 * looked at for the frequent groups, but for those that too many rows have. Where all groups are frequent, their newest rows are listed, and the
 * newest that match several at once; rows that are put last are left out then.
 */
export async function runMatch(
  engine: MatchEngine,
  groups: readonly QueryGroup[],
  options: TextMatchOptions,
): Promise<TextMatches> {
  const { tags = [], where, cap = DEFAULT_CAP, last, signal } = options;
  const scope = tags.map((clause) => clause.map(tagGroup));
  const lastGroup = last === undefined ? undefined : tagGroup(last);
  const size = Math.min(cap, NO_CAP);
  const list: List = async (clauses, more = {}) => {
    signal?.throwIfAborted();
    return engine.list({ clauses: [...clauses, ...scope], where, cap: size, ...more });
  };
  const newest = await engine.newest();
  const inScope = scope.length > 0 ? await list([]) : [];
  const total = scope.length > 0 ? estimate(inScope, size, newest) : newest;
  const listed: Listed[] = [];
  for (const [bit, group] of groups.entries()) {
    listed.push(await listGroup(list, group, bit, { size, newest, total }));
  }
  const isFound = listed.some(({ group, ids }) => !group.isWeak && ids.length > 0);
  const strong = listed
    .filter(({ group }) => !isFound || !group.isWeak)
    .toSorted((a, b) => a.share - b.share);
  const complete = strong.filter(({ isComplete, ids }) => isComplete && ids.length > 0);
  const frequent = strong.filter(({ isComplete }) => !isComplete);
  const rows = new Map<number, number>();
  if (complete.length > 0) {
    for (const { ids, bit } of complete) mark(rows, ids, 1 << bit);
    if (rows.size < ENOUGH_ROWS) {
      for (const { ids, bit } of frequent) mark(rows, ids, 1 << bit);
    }
    await markFrequent(list, rows, complete, frequent);
  } else {
    await markNewest(list, rows, frequent, lastGroup);
  }
  for (const { ids, bit } of listed.filter((one) => !strong.includes(one))) {
    mark(
      rows,
      ids.filter((id) => rows.has(id)),
      1 << bit,
    );
  }
  const few = complete.map(({ group }) => group);
  const late =
    lastGroup && few.length > 0 ? await list([few, [lastGroup]], { cap: undefined }) : [];
  return { groups: listed.map(toMatched), rows, last: new Set(late) };
}

function mark(rows: Map<number, number>, ids: readonly number[], bits: number): void {
  for (const id of ids) rows.set(id, (rows.get(id) ?? 0) | bits);
}

/** All rows of a group, or the newest of a frequent one. */
async function listGroup(
  list: List,
  group: QueryGroup,
  bit: number,
  {
    size,
    newest,
    total,
  }: { readonly size: number; readonly newest: number; readonly total: number },
): Promise<Listed> {
  const most = Math.min(NO_CAP, (group.isWeak ? WEAK_COMPLETE : COMPLETE) * size);
  let ids = await list([[group]]);
  let isComplete = ids.length < size;
  let count = estimate(ids, size, newest);
  if (!isComplete && size < most && count <= most) {
    const all = await list([[group]], { cap: most, order: 'any' });
    isComplete = all.length < most;
    if (isComplete) ids = all;
    // There are more than the newest of them made believe.
    count = estimate(isComplete ? all : await list([[group]], { cap: most }), most, newest);
  }
  const share = Math.min(1, count / Math.max(1, total));
  return { group, bit, ids, isComplete, count, share, weight: weightOf(share) };
}

/** Marks which rows of the rarest groups match the frequent ones: few rows are quickly found among many. */
async function markFrequent(
  list: List,
  rows: Map<number, number>,
  complete: readonly Listed[],
  frequent: readonly Listed[],
): Promise<void> {
  const rarest = rarestOf(complete);
  const groups = rarest.map(({ group }) => group);
  const reach = rarest.reduce((sum, { ids }) => sum + ids.length, 0) * PAGE_ROWS;
  let passed = 0;
  for (const { group, bit, count } of frequent) {
    passed += Math.min(count, reach);
    if (passed > FREQUENT_ROWS) return;
    mark(rows, await list([groups, [group]], { cap: undefined }), 1 << bit);
  }
}

/** The rarest groups, as far as they have few rows together, and at least one; they come in this order. */
function rarestOf(groups: readonly Listed[]): readonly Listed[] {
  let rows = 0;
  return groups.filter(({ ids }, place) => {
    rows += ids.length;
    return place === 0 || rows <= RARE_ROWS;
  });
}

/** Marks the newest rows of frequent groups, and the newest that match several of them. */
async function markNewest(
  list: List,
  rows: Map<number, number>,
  frequent: readonly Listed[],
  without: QueryGroup | undefined,
): Promise<void> {
  for (const { group, bit, ids } of frequent) {
    const others = await list([[group]], { without });
    mark(rows, others.length > 0 ? others : ids, 1 << bit);
  }
  for (const count of countsTogether(frequent.length)) {
    const together = frequent.slice(0, count);
    const clauses = together.map(({ group }) => [group]);
    const found = await list(clauses, { cap: SEVERAL_ROWS, without });
    const bits = together.reduce((sum, { bit }) => sum | (1 << bit), 0);
    mark(rows, found, bits);
    if (found.length >= SEVERAL_ROWS) break;
  }
}

/** How many frequent groups to look for together: all, then fewer. */
function countsTogether(frequent: number): readonly number[] {
  const counts = [frequent, TOGETHER, 2];
  return [...new Set(counts.map((count) => Math.min(count, frequent)))].filter(
    (count) => count > 1,
  );
}

/** How many rows there are in all, judged by how close together the newest of them lie. */
function estimate(ids: readonly number[], cap: number, newest: number): number {
  if (ids.length < cap) return ids.length;
  return (ids.length / Math.max(1, newest - (ids.at(-1) ?? 0) + 1)) * newest;
}

/** The inverse frequency; never nothing, as a word that all rows have is found in the newest. */
function weightOf(share: number): number {
  return share === 0 ? 0 : Math.log(1 + (1.1 - share) / share);
}

function toMatched({ group, ids, isComplete, share, weight }: Listed): MatchedGroup {
  return { isWeak: group.isWeak, share, weight, isComplete, count: ids.length };
}
