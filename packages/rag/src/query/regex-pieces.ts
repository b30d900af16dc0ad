/** A piece of the source of a regular expression. */
export interface RegexPiece {
  readonly kind:
    | 'literal'
    /** Some character: a class, a dot, an escape such as `\d`. */
    | 'some'
    /** No character: `^`, `$`, `\b`. */
    | 'place'
    | 'open'
    | 'close'
    | 'or'
    | 'repeat'
    /** Anything that this reader is not sure about: `\Q`, groups with flags. */
    | 'unsure';
  readonly start: number;
  readonly text: string;
  /** The character of a literal. */
  readonly character: string;
  /** The least count of a repetition. */
  readonly min: number;
  /** The number of copies of a repetition, at least one; a loop costs no more. */
  readonly max: number;
}

const PIECES: readonly (readonly [kind: RegexPiece['kind'], pattern: RegExp])[] = [
  ['open', /\((?:\?(?::|P?<[A-Za-z_]\w*>))?(?!\?)/uy],
  ['unsure', /\(\?[a-zA-Z-]*[):]?|\\Q/uy],
  ['close', /\)/uy],
  ['or', /\|/uy],
  ['repeat', /[*+?]\??|\{\d+(?:,\d*)?\}\??/uy],
  ['place', /[\^$]|\\[bBAz]/uy],
  // The first `]` of a class is one of its characters.
  ['some', /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]/uy],
  ['some', /\.|\\[dDsSwW]|\\[pP](?:\{\^?\w+\}|\w)|\\x(?:\{[\da-fA-F]+\}|[\da-fA-F]{2})/uy],
  ['some', /\\[aftnrv]|\\[0-7]{1,3}/uy],
  ['literal', /\\[^\p{L}\p{N}]|[^\\[{]/uy],
  ['unsure', /\\?[^]/uy],
];

/** Cuts a regular expression in RE2 syntax into pieces, whether or not it is right. */
export function regexPieces(source: string): readonly RegexPiece[] {
  const pieces: RegexPiece[] = [];
  for (let at = 0; at < source.length;) {
    const piece = pieceAt(source, at);
    pieces.push(piece);
    at += piece.text.length;
  }
  return pieces;
}

function pieceAt(source: string, start: number): RegexPiece {
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = start;
    const text = pattern.exec(source)?.[0];
    if (text === undefined) continue;
    const character = text.length > 1 && text.startsWith('\\') ? text.slice(1) : text;
    return { kind, start, text, character, ...timesOf(text) };
  }
  const text = source.charAt(start);
  return { kind: 'unsure', start, text, character: text, min: 1, max: 1 };
}

function timesOf(text: string): { readonly min: number; readonly max: number } {
  const sign = text.charAt(0);
  if (sign === '*' || sign === '?') return { min: 0, max: 1 };
  const [, least = '1', most = ''] = /^\{(\d+)(?:,(\d*))?\}/u.exec(text) ?? [];
  const min = Number(least);
  return { min, max: Math.max(1, min, Number(most)) };
}

/** Characters without another case, so that they stay certain where case does not count. */
const CASELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\d]$/u;

/**
 * Texts that every match contains, longest first, for looking with `indexOf` before a regular
 * expression is run. Empty where none is certain: alternatives, flags inside, parts that may be absent.
 *
 * @param source - In RE2 syntax, and right.
 * @param flags - With `i`, only characters that have no case are certain.
 *
 * @example
 * ```ts
 * literalsOf('第[0-9]+章の(夜明け|朝)?鐘'); // ['章の', '第', '鐘']
 * ```
 */
export function literalsOf(source: string, flags = ''): readonly string[] {
  const pieces = regexPieces(source);
  if (pieces.some(({ kind }) => kind === 'unsure')) return [];
  const isCertain = (character: string): boolean =>
    !flags.includes('i') || CASELESS.test(character);
  const found = new Set(readSequence(pieces.values(), isCertain));
  return [...found].toSorted((a, b) => b.length - a.length);
}

/** Reads up to the end of the group. */
function readSequence(
  pieces: Iterator<RegexPiece>,
  isCertain: (character: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  let hasAlternatives = false;
  /** The literal so far, without the last character, which may turn out to be optional. */
  let run = '';
  /** The operand of the next repetition. */
  let last: { readonly character: string; readonly inside: readonly string[] } | undefined;
  const settle = (isThere = true): void => {
    if (last !== undefined && isThere) {
      run += last.character;
      found.push(...last.inside);
    }
    last = undefined;
  };
  const endRun = (): void => {
    if (run !== '') found.push(run);
    run = '';
  };

  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    const piece = next.value;
    if (piece.kind === 'close') break;
    if (piece.kind === 'repeat') {
      settle(piece.min > 0);
      endRun();
      continue;
    }
    settle();
    if (piece.kind === 'literal' && isCertain(piece.character)) {
      last = { character: piece.character, inside: [] };
      continue;
    }
    endRun();
    if (piece.kind === 'open') last = { character: '', inside: readSequence(pieces, isCertain) };
    hasAlternatives ||= piece.kind === 'or';
  }
  settle();
  endRun();
  return hasAlternatives ? [] : found;
}
