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
