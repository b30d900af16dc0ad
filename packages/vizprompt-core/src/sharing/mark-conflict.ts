/** Both texts as one, with the marks of git around the lines in which they differ. */
export function markConflict(ours: string, theirs: string): string {
  const [mine, other] = [lines(ours), lines(theirs)];
  const shortest = Math.min(mine.length, other.length);
  let start = 0;
  while (start < shortest && mine[start] === other[start]) start++;
  let end = 0;
  while (end < shortest - start && mine.at(-1 - end) === other.at(-1 - end)) end++;
  return [
    ...mine.slice(0, start),
    '<<<<<<< ours\n',
    ...mine.slice(start, mine.length - end),
    '=======\n',
    ...other.slice(start, other.length - end),
    '>>>>>>> theirs\n',
    ...mine.slice(mine.length - end),
  ].join('');
}

/** Lines with their ends; a mark must not stand behind a last one that has none. */
function lines(text: string): string[] {
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return whole === '' ? [] : whole.split(/(?<=\n)/);
}
