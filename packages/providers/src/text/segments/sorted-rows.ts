/** Numbers of rows: ascending, none twice. */
export type SortedRows = Float64Array;

/** Returns the numbers of several lists, each of which ascends. */
export function uniteRows(lists: readonly Float64Array[]): SortedRows {
  if (lists.length === 1 && lists[0]) return unique(lists[0]);
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  let isSorted = true;
  for (const list of lists) {
    isSorted &&= length === 0 || list.length === 0 || (all[length - 1] ?? 0) <= (list[0] ?? 0);
    all.set(list, length);
    length += list.length;
  }
  return unique(isSorted ? all : all.toSorted());
}

function unique(rows: Float64Array): SortedRows {
  let isUnique = true;
  for (let at = 1; at < rows.length && isUnique; at++) isUnique = rows[at] !== rows[at - 1];
  return isUnique ? rows : rows.filter((row, at) => at === 0 || row !== rows[at - 1]);
}

/** Returns the place of the first number that is not below `row`. */
export function placeOf(rows: Float64Array, row: number, from = 0): number {
  let low = from;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the numbers that are in both lists, or with `isIn` false those that are in the first one only. */
export function selectRows(rows: SortedRows, others: Float64Array, isIn = true): SortedRows {
  // Looking for each takes longer than walking where both have about as many.
  const isFew = rows.length * 16 < others.length;
  let at = 0;
  return rows.filter((row) => {
    if (isFew) at = placeOf(others, row, at);
    else while (at < others.length && (others[at] ?? 0) < row) at++;
    return (others[at] === row) === isIn;
  });
}

/** Checks whether any of the numbers is from `low` to `high`. */
export function hasBetween(rows: SortedRows, low: number, high: number): boolean {
  const at = placeOf(rows, low);
  return at < rows.length && (rows[at] ?? 0) <= high;
}
