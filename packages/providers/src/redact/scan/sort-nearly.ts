/** Places that elements are moved by, for each of them: more, and they are not nearly in order. */
const MOST_MOVES = 4;

/** Sorts a list in place, in linear time if it is nearly in order. Equal elements stay in their order. */
export function sortNearly<T>(list: T[], compare: (a: T, b: T) => number): void {
  let moves = list.length * MOST_MOVES;
  for (let at = 1; at < list.length; at++) {
    const next = list[at];
    let to = at;
    for (; to > 0; to--) {
      const before = list[to - 1];
      if (before === undefined || next === undefined || compare(before, next) <= 0) break;
      list[to] = before;
      moves--;
    }
    if (next !== undefined) list[to] = next;
    if (moves < 0) {
      list.sort(compare);
      return;
    }
  }
}
