import type { FrequentGroups } from './frequent-groups.ts';
import { listGroups, NO_CAP, type List, type Listed, type ListRequest } from './list-groups.ts';
import type { QueryGroup } from './parse-query.ts';
import { tagGroup } from './search-plan.ts';
import type { MatchedGroup, TextMatches, TextMatchOptions } from './text-index.ts';

/** The operations of a dialect that matching needs. */
export interface MatchEngine {
  newest(): Promise<number>;
  /** The findings about frequent groups. */
  readonly known: FrequentGroups;
  /** Returns the rows that fit. */
  list(request: ListRequest): Promise<readonly number[]>;
}

const DEFAULT_CAP = 500;
/**
 * The frequent groups that the rows of the rarest groups match are known. For that, up to this many rows of
 * frequent groups are passed over, the rarest of them first. A group that many of a million rows have
 * distinguishes them least, and takes longest.
 */
const FREQUENT_ROWS = 700_000;
/** To find a row among many, about this many are looked past: those of one page. */
const PAGE_ROWS = 1000;
/** Where the groups that are not frequent have this many rows, the newest of the others add nothing. */
const ENOUGH_ROWS = 200;
/** How many rows that match several frequent groups at once are added. */
const SEVERAL_ROWS = 200;
/** This many of the frequent groups, the rarest of them, are looked for together. */
const TOGETHER = 3;

/**
 * Finds which rows match which groups. The rarest groups choose the rows, which are looked at for the frequent
 * groups, but for those that too many rows have. Where all groups are frequent, their newest rows are listed,
 * and the newest that match several at once; rows that are put last are left out then.
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
  const newest = await engine.newest();
  const list: List = async (clauses, more = {}) => {
    signal?.throwIfAborted();
    return engine.list({ clauses: [...clauses, ...scope], where, cap: size, newest, ...more });
  };
  const inScope = scope.length > 0 ? await list([]) : undefined;
  const known = scope.length > 0 || where ? undefined : engine.known;
  const { choosing, helping } = await listGroups(list, groups, { size, newest, inScope, known });
  const complete = choosing.filter(({ isComplete, ids }) => isComplete && ids.length > 0);
  const frequent = choosing.filter(({ isComplete }) => !isComplete);
  const rows = new Map<number, number>();
  if (complete.length > 0) {
    for (const { ids, bit } of complete) mark(rows, ids, 1 << bit);
    if (rows.size < ENOUGH_ROWS) {
      for (const one of frequent) mark(rows, await newestOf(list, one), 1 << one.bit);
    }
    await markFrequent(list, rows, complete, frequent);
  } else {
    await markNewest(list, rows, frequent, lastGroup);
  }
  for (const { ids, bit } of helping) {
    for (const id of ids) {
      const bits = rows.get(id);
      if (bits !== undefined) rows.set(id, bits | (1 << bit));
    }
  }
  const few = complete.map(({ group }) => group);
  const late =
    lastGroup && few.length > 0 ? await list([few, [lastGroup]], { cap: undefined }) : [];
  const inOrder = [...choosing, ...helping].toSorted((a, b) => a.bit - b.bit);
  return { groups: inOrder.map(toMatched), rows, last: new Set(late) };
}

function mark(rows: Map<number, number>, ids: readonly number[], bits: number): void {
  for (const id of ids) rows.set(id, (rows.get(id) ?? 0) | bits);
}

/** Marks which rows of the rarest groups match the frequent ones: few rows are quickly found among many. */
async function markFrequent(
  list: List,
  rows: Map<number, number>,
  complete: readonly Listed[],
  frequent: readonly Listed[],
): Promise<void> {
  const groups = complete.map(({ group }) => group);
  const reach = complete.reduce((sum, { ids }) => sum + ids.length, 0) * PAGE_ROWS;
  let passed = 0;
  for (const { group, bit, count } of frequent) {
    passed += Math.min(count, reach);
    if (passed > FREQUENT_ROWS) return;
    mark(rows, await list([groups, [group]], { cap: undefined }), 1 << bit);
  }
}

/** Marks the newest rows of frequent groups, and the newest that match several of them. */
async function markNewest(
  list: List,
  rows: Map<number, number>,
  frequent: readonly Listed[],
  without: QueryGroup | undefined,
): Promise<void> {
  for (const one of frequent) {
    const others = without ? await list([[one.group]], { without }) : [];
    mark(rows, others.length > 0 ? others : await newestOf(list, one), 1 << one.bit);
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

/** Returns the newest rows of a frequent group. */
async function newestOf(list: List, { group, ids }: Listed): Promise<readonly number[]> {
  return ids.length > 0 ? ids : list([[group]]);
}

/** How many frequent groups to look for together: all, then fewer. */
function countsTogether(frequent: number): readonly number[] {
  const counts = [frequent, TOGETHER, 2];
  return [...new Set(counts.map((count) => Math.min(count, frequent)))].filter(
    (count) => count > 1,
  );
}

function toMatched({ group, ids, isComplete, share, weight }: Listed): MatchedGroup {
  return { isWeak: group.isWeak, share, weight, isComplete, count: isComplete ? ids.length : 0 };
}
