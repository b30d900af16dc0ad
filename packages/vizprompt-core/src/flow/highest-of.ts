/** The highest of some numbers from 0 on, however many there are. */
export function highestOf(numbers: Iterable<number>): number {
  let highest = 0;
  for (const number of numbers) if (number > highest) highest = number;
  return highest;
}
