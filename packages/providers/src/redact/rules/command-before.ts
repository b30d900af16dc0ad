/** This much of a line is looked at before an option. */
const DISTANCE = 160;

/** An argument between quotes, which are escaped in a text of JSON. */
const QUOTED = /(?<=[\s=])\\?(?:"[^"]*"|'[^']*')(?=\s|$)/g;

/**
 * Returns the command that an option belongs to, as far as it is near: from the last sign of a shell on.
 * `&` is one if it is doubled or has white space after it, and is not between quotes: addresses have it, too.
 */
export function commandBefore(text: string, place: number): string {
  const before = text.slice(Math.max(0, place - DISTANCE), place);
  const line = before.slice(lastOf(before, /[\n|;]/g));
  if (!line.includes('&')) return line;
  const bare = line.replace(QUOTED, (quoted) => quoted.replaceAll('&', '+'));
  return bare.slice(lastOf(bare, /&(?:[&\s]|$)/g));
}

/** Returns where the last match of a pattern ends, or 0. */
function lastOf(text: string, pattern: RegExp): number {
  let end = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) end = index + match.length;
  return end;
}
