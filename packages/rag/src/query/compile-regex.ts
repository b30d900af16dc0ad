import type { RE2JS } from 're2js';
import { messageOf } from '@vizprompt/providers';
import type { ClauseOf } from './query.ts';
import { type AnyOf, literalsOf, type RegexPiece, regexPieces } from './regex-literals.ts';
import { SearchError } from '../errors.ts';

/** How many steps a regular expression may have, written out. `.{0,1000}` fits. */
const MAX_SIZE = 2000;

/** A regular expression that takes time in proportion to the text, whatever it is. */
export interface CompiledRegex {
  /** Lists of strings, longest first: a chunk that has none of one list need not be tested. */
  readonly literals: readonly AnyOf[];

  test(text: string): boolean;

  /**
   * Returns the first matches, in order and apart from each other, as UTF-16 offsets. Empty matches are left
   * out. Each takes time in proportion to the text.
   */
  ranges(text: string, limit: number): readonly (readonly [start: number, end: number])[];
}

/**
 * Compiles the regular expression of a query with RE2, which is loaded on first use. The flags `i`,
 * `m` and `s` are those of JavaScript; `u` and `g` change nothing, as all of Unicode and all matches
 * are meant anyway.
 *
 * @throws SearchError with the place in the query and what to do, if it is not right, is larger than
 * 2,000 steps with its repetitions written out, or uses what RE2 does not have: lookaround and
 * backreferences.
 *
 * @example
 * ```ts
 * const [clause] = parseQuery('/第[0-9]+章/').clauses;
 * if (clause?.kind === 'regex') {
 *   const regex = await compileRegex(clause);
 *   regex.ranges('目次 第12章', 10); // [[3, 7]]
 * }
 * ```
 */
export async function compileRegex(clause: ClauseOf<'regex'>): Promise<CompiledRegex> {
  const { source, flags } = clause;
  const pieces = regexPieces(source);
  const size = regexSize(pieces);
  if (size > MAX_SIZE) {
    const reason = `it has ${size} steps and may have ${MAX_SIZE}`;
    throw invalidRegex(clause, 0, reason, 'repeat less');
  }
  const { RE2JS: Regex } = await import('re2js');
  const bits =
    (flags.includes('i') ? Regex.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? Regex.MULTILINE : 0) |
    (flags.includes('s') ? Regex.DOTALL : 0);
  let regex: RE2JS;
  try {
    regex = Regex.compile(source, bits);
  } catch (error) {
    throw regexError(clause, pieces, error);
  }
  return {
    literals: literalsOf(source, flags),
    test: (text) => regex.test(text),
    ranges: (text, limit) => rangesOf(regex, text, limit),
  };
}

function rangesOf(regex: RE2JS, text: string, limit: number): readonly [number, number][] {
  const ranges: [number, number][] = [];
  const matcher = regex.matcher(text);
  while (ranges.length < limit && matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start) ranges.push([start, end]);
  }
  return ranges;
}

/** Features that RE2 does not have, and their replacements. */
const WAYS_OUT: readonly (readonly [fragment: RegExp, advice: string])[] = [
  [
    /^\(\?<?[=!]/u,
    'RE2 has no lookaround: ask for the parts, with + what must and with - what must not be there',
  ],
  [/^\\(?:[1-9]|k)/u, 'RE2 has no backreferences: write out the alternatives, as (a|b)'],
  [/^(?:\(\?>|[*+?}]\+$)/u, 'matching takes linear time anyway: leave it out'],
  [/^\\[uU]/u, 'write the character itself, or \\x{3042}'],
];
const PLAIN = 'to search for the text literally, put it in quotes';

/** Returns the error for a regular expression that RE2 refuses: its message, the place, and the fix. */
function regexError(
  clause: ClauseOf<'regex'>,
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

/** Returns an error at an offset of the source of a regular expression. */
function invalidRegex(
  clause: ClauseOf<'regex'>,
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

/** RE2 reports the piece that it stumbled over, not its place. */
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

/** Returns the offset of the innermost group that is not closed. */
function openOffset(pieces: readonly RegexPiece[]): number {
  const open: number[] = [];
  for (const { kind, start, text } of pieces) {
    if (kind === 'open' || (kind === 'unsure' && text.endsWith(':'))) open.push(start);
    if (kind === 'close') open.pop();
  }
  return open.at(-1) ?? 0;
}

/** Returns the offset of the first bracket that closes nothing. */
function closeOffset(pieces: readonly RegexPiece[]): number {
  let depth = 0;
  for (const { kind, start, text } of pieces) {
    if (kind === 'open' || (kind === 'unsure' && text.endsWith(':'))) depth += 1;
    if (kind === 'close') depth -= 1;
    if (depth < 0) return start;
  }
  return 0;
}

/**
 * About how many steps a regular expression has when its repetitions are written out: what each
 * character of a text may cost.
 */
function regexSize(pieces: readonly RegexPiece[]): number {
  const outer: number[] = [];
  let size = 0;
  /** The start of the piece or group that a repetition repeats. */
  let last = 0;
  for (const piece of pieces) {
    if (piece.kind === 'repeat') {
      size += last * (piece.max - 1);
      last *= piece.max;
    } else if (piece.kind === 'open') {
      outer.push(size);
      size = 0;
    } else if (piece.kind === 'close') {
      last = size;
      size += outer.pop() ?? 0;
    } else {
      last = 1;
      size += 1;
    }
  }
  return outer.reduce((sum, part) => sum + part, size);
}
