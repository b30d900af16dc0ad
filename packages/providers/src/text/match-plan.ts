import type { QueryGroup } from './parse-query.ts';
import type { MatchedGroup, TextMatches, TextMatchOptions } from './text-matches.ts';
import { tagGroup } from './tags.ts';

/** Rows to list: those that match one group of each clause. */
export interface ListRequest {
  readonly clauses: readonly (readonly QueryGroup[])[];
  /** Rows that match it are left out. */
  readonly without?: QueryGroup | undefined;
  readonly where: TextMatchOptions['where'];
  /** Only rows with smaller numbers. */
  readonly before?: number;
  readonly cap: number;
}

/** What matching asks of a dialect. */
export interface MatchEngine {
  newest(): Promise<number>;
  /** The newest `cap` rows that fit, the newest first. */
  list(request: ListRequest): Promise<readonly number[]>;
}

const DEFAULT_CAP = 1000;
/** How many rows get all their groups, unless there are fewer. */
const DEFAULT_ENOUGH = 200;
/** Never so many rows of one query are looked at twice. */
const NO_CAP = 0x7fff_ffff;

interface Listed {
  readonly group: QueryGroup;
  readonly bit: number;
  readonly ids: readonly number[];
  readonly isComplete: boolean;
  readonly share: number;
}

/**
 * Lists the rows of each group, the rarest first. Where a group has more rows than the cap, only the
 * newest are listed, those that are put last left out; which of the rarer groups' rows match it as
 * well is asked for separately, and so are the rows that match several such groups at once.
 */
export async function runMatch(
  engine: MatchEngine,
  groups: readonly QueryGroup[],
  options: TextMatchOptions,
): Promise<TextMatches> {
  const { tags = [], where, cap = DEFAULT_CAP, enough = DEFAULT_ENOUGH, last, signal } = options;
  const scope = tags.map((clause) => clause.map(tagGroup));
  const lastGroup = last === undefined ? undefined : tagGroup(last);
  const size = Math.min(cap, NO_CAP);
  const list = async (
    clauses: readonly (readonly QueryGroup[])[],
    more: Partial<ListRequest> = {},
  ): Promise<readonly number[]> => {
    signal?.throwIfAborted();
    return engine.list({ clauses: [...clauses, ...scope], where, cap: size, ...more });
  };

  const newest = await engine.newest();
  const inScope = scope.length > 0 ? await list([]) : [];
  const total = scope.length > 0 ? estimate(inScope, size, newest) : newest;
  const listed: Listed[] = [];
  for (const [bit, group] of groups.entries()) {
    const ids = await list([[group]]);
    const isComplete = ids.length < size;
    const count = estimate(ids, size, newest);
    const kept = isComplete || !lastGroup ? ids : await list([[group]], { without: lastGroup });
    const share = Math.min(1, count / Math.max(1, total));
    listed.push({ group, bit, ids: kept.length > 0 ? kept : ids, isComplete, share });
  }

  const rows = new Map<number, number>();
  const mark = (ids: readonly number[], bits: number): void => {
    for (const id of ids) rows.set(id, (rows.get(id) ?? 0) | bits);
  };
  const isFound = listed.some(({ group, ids }) => !group.isWeak && ids.length > 0);
  const strong = listed
    .filter(({ group }) => !isFound || !group.isWeak)
    .toSorted((a, b) => a.share - b.share);
  for (const { ids, bit } of strong) mark(ids, 1 << bit);
  const complete = strong.filter(({ isComplete, ids }) => isComplete && ids.length > 0);
  const frequent = strong.filter(({ isComplete }) => !isComplete);

  const rarest = firstRows(complete, enough);
  for (const { group, bit, ids } of rarest.length > 0 ? frequent : []) {
    const before = ids.at(-1) ?? 0;
    const both = await list([rarest.map((one) => one.group), [group]], { before });
    mark(both, 1 << bit);
  }
  for (let count = frequent.length; count > 1; count--) {
    const together = frequent.slice(0, count);
    const found = await list(
      together.map(({ group }) => [group]),
      { cap: Math.min(size, enough), without: lastGroup },
    );
    mark(
      found,
      together.reduce((bits, { bit }) => bits | (1 << bit), 0),
    );
    if (found.length >= enough) break;
  }

  for (const { ids, bit } of listed) {
    mark(
      ids.filter((id) => rows.has(id)),
      1 << bit,
    );
  }
  const few = complete.map(({ group }) => group);
  const late = lastGroup && few.length > 0 ? await list([few, [lastGroup]]) : [];
  return { groups: listed.map(toMatched), rows, last: new Set(late) };
}

/** How many rows there are in all, judged by how close together the newest of them lie. */
function estimate(ids: readonly number[], cap: number, newest: number): number {
  if (ids.length < cap) return ids.length;
  return (ids.length / Math.max(1, newest - (ids.at(-1) ?? 0) + 1)) * newest;
}

/** The rarest groups, until they have so many rows together. */
function firstRows(groups: readonly Listed[], enough: number): readonly Listed[] {
  let rows = 0;
  return groups.filter(({ ids }) => {
    const isNeeded = rows < enough;
    rows += ids.length;
    return isNeeded;
  });
}

function toMatched({ group, ids, isComplete, share }: Listed): MatchedGroup {
  return { isWeak: group.isWeak, share, isComplete, count: ids.length };
}
