/**
 * The first place from 0 to `count` that is not before what is looked for, by binary search.
 *
 * @param isBefore - True up to some place, and false from there on.
 */
export function lowerBound(count: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
