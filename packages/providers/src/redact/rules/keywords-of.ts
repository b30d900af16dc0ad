/** Longer lists are no longer told apart by their beginnings. */
const MAX_KEYWORDS = 64;

/**
 * Returns the literal texts that a pattern begins with: `gh[po]_\w+` begins with `ghp_` and `gho_`.
 * Reads literals, escaped characters, classes of single letters and groups of literal alternatives.
 */
export function keywordsOf({ source }: RegExp): readonly string[] {
  let found = [''];
  let at = /^\(\?<[=!]/.test(source) ? endOfGroup(source, 0) : 0;
  while (at < source.length) {
    const { texts, next } = pieceAt(source, at);
    // What a quantifier follows need not be there, or more than once.
    if (texts === undefined || /[?*+{]/.test(source[next] ?? '')) break;
    if (found.length * texts.length > MAX_KEYWORDS) break;
    found = found.flatMap((start) => texts.map((text) => start + text));
    at = next;
  }
  if (found.includes('')) throw new RangeError(`the pattern /${source}/ begins with no literal`);
  return found;
}

interface Piece {
  readonly texts: readonly string[] | undefined;
  readonly next: number;
}

function pieceAt(source: string, at: number): Piece {
  const rest = source.slice(at);
  const group =
    /^\((?:\?:|\?<\w+>)?((?:[\w~:;=<>"' /@+-]|\\[^\w])+(?:\|(?:[\w~:;=<>"' /@+-]|\\[^\w])+)*)\)/.exec(
      rest,
    );
  if (group) {
    const texts = group[1]?.split('|').map(unescaped) ?? [];
    return { texts, next: at + group[0].length };
  }
  const letters = /^\[([a-zA-Z\d]+)\]/.exec(rest);
  if (letters) return { texts: (letters[1] ?? '').split(''), next: at + letters[0].length };
  const literal = /^(?:\\[^\w]|[\w~:;=<>"' /@%#,!&-])/.exec(rest);
  if (literal) return { texts: [unescaped(literal[0])], next: at + literal[0].length };
  return { texts: undefined, next: at };
}

function unescaped(source: string): string {
  return source.replaceAll(/\\(.)/g, '$1');
}

/** The place behind the group that begins at a place. */
function endOfGroup(source: string, from: number): number {
  let depth = 0;
  let isInClass = false;
  for (let at = from; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (isInClass) isInClass = character !== ']';
    else if (character === '[') isInClass = true;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at + 1;
  }
  return source.length;
}
