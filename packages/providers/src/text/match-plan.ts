import {
  type FrequentGroups,
  type Listed,
  listGroups,
  type ListRequest,
  type Lists,
  NO_CAP,
} from './list-groups.ts';
import type { GroupsToMatch, QueryGroup } from './parse-query.ts';
import { tagGroup } from './search-plan.ts';
import type { MatchedGroup, TextMatches, TextMatchOptions } from './text-index.ts';

/** The operations of a dialect that matching needs. */
export interface MatchEngine {
  newest(): Promise<number>;
  /** The findings about frequent groups. */
  readonly known: FrequentGroups;
  /** Returns the rows that fit each request. */
  lists(requests: readonly ListRequest[]): Promise<readonly (readonly number[])[]>;
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
/** Where the groups that are not frequent have this many rows, lists aside, the newest of the others add nothing. */
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
  { groups, alternatives }: GroupsToMatch,
  options: TextMatchOptions,
): Promise<TextMatches> {
  const { tags = [], where, cap = DEFAULT_CAP, last, signal } = options;
  const scope = tags.map((clause) => clause.map(tagGroup));
  const lastGroup = last === undefined ? undefined : tagGroup(last);
  const size = Math.min(cap, NO_CAP);
  const newest = await engine.newest();
  const lists: Lists = async (asked) => {
    signal?.throwIfAborted();
    if (asked.length === 0) return [];
    return engine.lists(
      asked.map(({ clauses, ...more }) => {
        return { clauses: [...clauses, ...scope], where, cap: size, newest, ...more };
      }),
    );
  };
  const isScoped = scope.length > 0;
  const known = isScoped || where ? undefined : engine.known;
  const { choosing, helping, any } = await listGroups(
    lists,
    { groups, alternatives },
    { size, newest, isScoped, known },
  );
  const isListed = ({ isComplete, ids }: Listed): boolean => isComplete && ids.length > 0;
  const rarest = choosing.filter(isListed);
  const complete = [...rarest, ...any.filter(isListed)];
  const frequent = choosing.filter(({ isComplete }) => !isComplete);
  const rows = new Map<number, number>();
  let late: readonly number[] = [];
  if (complete.length > 0) {
    for (const { ids, bit } of rarest) mark(rows, ids, 1 << bit);
    const isEnough = rows.size >= ENOUGH_ROWS;
    for (const { ids, bit } of any) mark(rows, ids, 1 << bit);
    late = await markFrequent(lists, rows, { complete, frequent, isEnough, last: lastGroup });
  } else {
    await markNewest(lists, rows, frequent, lastGroup);
  }
  for (const { ids, bit } of helping) {
    for (const id of ids) {
      const bits = rows.get(id);
      if (bits !== undefined) rows.set(id, bits | (1 << bit));
    }
  }
  const inOrder = [...choosing, ...helping].toSorted((a, b) => a.bit - b.bit);
  const lifted = any.map((one): MatchedGroup => ({
    ...toMatched(one),
    alternativeTo: one.of ?? [],
  }));
  return { groups: [...inOrder.map(toMatched), ...lifted], rows, last: new Set(late) };
}

function mark(rows: Map<number, number>, ids: readonly number[], bits: number): void {
  for (const id of ids) rows.set(id, (rows.get(id) ?? 0) | bits);
}

/** The groups of a query whose rarest ones choose the rows. */
interface ChosenGroups {
  readonly complete: readonly Listed[];
  readonly frequent: readonly Listed[];
  /** The rarest have enough rows: the newest of the others add nothing. */
  readonly isEnough: boolean;
  /** That of the rows that are put last. */
  readonly last: QueryGroup | undefined;
}

/**
 * Marks which rows of the rarest groups match the frequent ones: few rows are quickly found among many. If the rarest have
 * few, marks the newest of the frequent ones, too.
 *
 * @returns Those rows of the rarest groups that are put last.
 */
async function markFrequent(
  lists: Lists,
  rows: Map<number, number>,
  { complete, frequent, isEnough, last }: ChosenGroups,
): Promise<readonly number[]> {
  const groups = complete.flatMap(({ group, others = [] }) => [group, ...others]);
  const reach = complete.reduce((sum, { ids }) => sum + ids.length, 0) * PAGE_ROWS;
  let passed = 0;
  const near = frequent.filter(({ count }) => {
    passed += Math.min(count, reach);
    return passed <= FREQUENT_ROWS;
  });
  const more = isEnough ? [] : frequent;
  const unlisted = more.filter(({ ids }) => ids.length === 0);
  const both = [...near.map(({ group }) => group), ...(last ? [last] : [])];
  const found = await lists([
    ...unlisted.map(({ group }) => ({ clauses: [[group]] })),
    ...both.map((group) => ({ clauses: [groups, [group]], cap: undefined })),
  ]);
  for (const one of more) mark(rows, found[unlisted.indexOf(one)] ?? one.ids, 1 << one.bit);
  const marked = found.slice(unlisted.length);
  for (const [at, { bit }] of near.entries()) mark(rows, marked[at] ?? [], 1 << bit);
  return marked[near.length] ?? [];
}

/** Marks the newest rows of frequent groups, and the newest that match several of them. */
async function markNewest(
  lists: Lists,
  rows: Map<number, number>,
  frequent: readonly Listed[],
  without: QueryGroup | undefined,
): Promise<void> {
  const alone = frequent.map(({ group }) => ({ clauses: [[group]] }));
  const [first, ...fewer] = countsTogether(frequent.length).map((count) => {
    const together = frequent.slice(0, count);
    const clauses = together.map(({ group }) => [group]);
    const bits = together.reduce((sum, { bit }) => sum | (1 << bit), 0);
    return { bits, asked: { clauses, cap: SEVERAL_ROWS, without } };
  });
  const others = without ? alone.map((asked) => ({ ...asked, without })) : [];
  const found = await lists([...others, ...(first ? [first.asked] : [])]);
  const newest = frequent.map(({ ids }, at) => {
    const own = at < others.length ? (found[at] ?? []) : [];
    return own.length > 0 ? own : ids;
  });
  const unlisted = newest.flatMap((ids, at) => (ids.length > 0 ? [] : [at]));
  const rest = await lists(unlisted.flatMap((at) => alone[at] ?? []));
  for (const [at, { bit }] of frequent.entries()) {
    mark(rows, rest[unlisted.indexOf(at)] ?? newest[at] ?? [], 1 << bit);
  }
  if (!first) return;
  let several = found[others.length] ?? [];
  mark(rows, several, first.bits);
  for (const { bits, asked } of fewer) {
    if (several.length >= SEVERAL_ROWS) break;
    [several = []] = await lists([asked]);
    mark(rows, several, bits);
  }
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
