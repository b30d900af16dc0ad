import { codeAt } from '../code-at.ts';
import { forgetLater } from '../held-texts.ts';

/** This much of a line is looked at before an option. */
const DISTANCE = 160;

/** An argument between quotes, which are escaped in a text of JSON. */
const QUOTED = /(?<=[\s=])\\?(?:"[^"]*"|'[^']*')(?=\s|$)/g;

/**
 * Returns the command that an option belongs to, as far as it is near: from the last sign of a shell on.
 * `&` is one if it is doubled or has white space after it, and is not between quotes: addresses have it, too.
 */
export function commandBefore(text: string, place: number): string {
  const line = text.slice(startOfCommand(text, place), place);
  if (!line.includes('&')) return line;
  const bare = line.replace(QUOTED, (quoted) => quoted.replaceAll('&', '+'));
  return bare.slice(lastOf(bare, /&(?:[&\s]|$)/g));
}

/** The last answer: options of one command follow each other. */
let readText = '';
let readPlace = 0;
let readStart = 0;

function startOfCommand(text: string, place: number): number {
  const least = Math.max(0, place - DISTANCE);
  const isLater = text === readText && place >= readPlace && readPlace >= least;
  const read = isLater ? readPlace : least;
  let start = place;
  while (start > read && !isEnd(codeAt(text, start - 1))) start--;
  if (isLater && start === read) start = Math.max(least, readStart);
  if (readText === '') forgetLater(forget);
  readText = text;
  readPlace = place;
  readStart = start;
  return start;
}

function forget(): void {
  readText = '';
}

/** Checks for `\n`, `;` and `|`. */
function isEnd(code: number): boolean {
  return code === 10 || code === 59 || code === 124;
}

/** Returns where the last match of a pattern ends, or 0. */
function lastOf(text: string, pattern: RegExp): number {
  let end = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) end = index + match.length;
  return end;
}
