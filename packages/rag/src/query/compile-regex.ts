import type { RE2JS } from 're2js';
import type { RegexClause } from './query.ts';
import { invalidRegex, regexError } from './regex-error.ts';
import { literalsOf } from './regex-literals.ts';
import { regexPieces } from './regex-pieces.ts';
import { regexSize } from './regex-size.ts';

/** How many steps a regular expression may have, written out. `.{0,1000}` fits. */
const MAX_SIZE = 2000;

/** A regular expression that takes time in proportion to the text, whatever it is. */
export interface CompiledRegex {
  /** Texts that every match contains, longest first: a chunk without one of them need not be tested. */
  readonly literals: readonly string[];

  test(text: string): boolean;

  /**
   * The first matches, in order and apart from each other, as UTF-16 offsets. Empty matches are left
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
export async function compileRegex(clause: RegexClause): Promise<CompiledRegex> {
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
