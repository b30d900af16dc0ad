import { messageOf } from '@vizprompt/providers';
import { SearchError } from '../errors.ts';
import type { RegexClause } from './query.ts';
import type { RegexPiece } from './regex-pieces.ts';

/** What RE2 cannot do, and what to write instead. */
const WAYS_OUT: readonly (readonly [fragment: RegExp, advice: string])[] = [
  [
    /^\(\?<?[=!]/u,
    'RE2 has no lookaround: ask for the parts, with + what must and with - what must not be there',
  ],
  [/^\\(?:[1-9]|k)/u, 'RE2 has no backreferences: write out what may stand there, as (a|b)'],
  [/^(?:\(\?>|[*+?}]\+$)/u, 'matching takes linear time anyway: leave it out'],
  [/^\\[uU]/u, 'write the character itself, or \\x{3042}'],
];
const PLAIN = 'to search for the text as it stands, put it in quotes';

/** The error for a regular expression that RE2 refuses: its message, the place, and the way out. */
export function regexError(
  clause: RegexClause,
  pieces: readonly RegexPiece[],
  cause: unknown,
): SearchError {
  const reason = messageOf(cause).replace(/^error parsing regexp: /u, '');
  const fragment = /`([^]*)`$/u.exec(reason)?.[1] ?? '';
  const offset = offsetOf(clause.source, pieces, fragment, reason);
  const rest = clause.source.slice(offset);
  const advice = WAYS_OUT.find(([pattern]) => pattern.test(rest) || pattern.test(fragment))?.[1];
  return invalidRegex(clause, offset, reason, advice ?? PLAIN, cause);
}

/** An error at an offset of the source of a regular expression. */
export function invalidRegex(
  clause: RegexClause,
  offset: number,
  reason: string,
  advice: string,
  cause?: unknown,
): SearchError {
  const position = clause.end - clause.flags.length - 1 - clause.source.length + offset;
  const { source } = clause;
  return new SearchError(
    `the regular expression /${source}/ is not right at character ${position + 1} of the query: ` +
      `${reason}; ${advice}`,
    { position, context: { source, reason }, ...(cause === undefined ? {} : { cause }) },
  );
}

/** RE2 tells the piece that it stumbled over, not where it stands. */
function offsetOf(
  source: string,
  pieces: readonly RegexPiece[],
  fragment: string,
  reason: string,
): number {
  if (reason.startsWith('missing closing )')) return openOffset(pieces);
  if (reason.startsWith('unexpected )')) return closeOffset(pieces);
  if (fragment === '') return Math.max(0, source.length - 1);
  const piece = pieces.find(({ start }) => source.startsWith(fragment, start));
  return piece?.start ?? Math.max(0, source.indexOf(fragment));
}

/** The innermost group that is not closed. */
function openOffset(pieces: readonly RegexPiece[]): number {
  const open: number[] = [];
  for (const { kind, start, text } of pieces) {
    if (kind === 'open' || (kind === 'unsure' && text.endsWith(':'))) open.push(start);
    if (kind === 'close') open.pop();
  }
  return open.at(-1) ?? 0;
}

/** The first bracket that closes nothing. */
function closeOffset(pieces: readonly RegexPiece[]): number {
  let depth = 0;
  for (const { kind, start, text } of pieces) {
    if (kind === 'open' || (kind === 'unsure' && text.endsWith(':'))) depth += 1;
    if (kind === 'close') depth -= 1;
    if (depth < 0) return start;
  }
  return 0;
}
