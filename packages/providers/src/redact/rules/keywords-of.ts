/** Longer lists are no longer distinguished by their beginnings. */
const MAX_KEYWORDS = 64;

/** How a pattern begins. */
export interface Beginning {
  /** The literal texts that it begins with. */
  readonly texts: readonly string[];
  /** The class that must follow each of them, if it is one class of characters. */
  readonly next: RepeatedClass | undefined;
}

/** A class of characters that follow each other. */
export interface RepeatedClass {
  /** One for each character of ASCII in the class. */
  readonly table: Uint8Array;
  /** How many there are at least. */
  readonly count: number;
}

/**
 * Returns the literal texts that a pattern begins with: `gh[po]_\w+` begins with `ghp_` and `gho_`.
 *
 * @throws RangeError if it begins with none.
 */
export function keywordsOf(pattern: RegExp): readonly string[] {
  const { texts } = literalsOf(pattern.source);
  if (!texts.includes('')) return texts;
  throw new RangeError(`the pattern /${pattern.source}/ begins with no literal`);
}

/**
 * Returns how a pattern begins, past its lookbehind.
 * Reads literals, escaped characters, classes of single letters and groups of literal alternatives.
 */
export function beginningOf({ source, flags }: RegExp): Beginning {
  const { texts, end } = literalsOf(source);
  return { texts, next: hasAlternatives(source) ? undefined : classAt(source.slice(end), flags) };
}

/** Returns the literal texts that a pattern begins with, and where they end in its source. */
function literalsOf(source: string): { readonly texts: readonly string[]; readonly end: number } {
  let found = [''];
  let at = /^\(\?<[=!]/.test(source) ? endOfGroup(source, 0) : 0;
  while (at < source.length) {
    const { texts, next } = pieceAt(source, at);
    // The part before a quantifier need not be there, or more than once.
    if (texts === undefined || /[?*+{]/.test(source[next] ?? '')) break;
    if (found.length * texts.length > MAX_KEYWORDS) break;
    found = found.flatMap((start) => texts.map((text) => start + text));
    at = next;
  }
  return { texts: found, end: at };
}

/** Checks whether a pattern is `a|b`, outside of groups. */
export function hasAlternatives(source: string): boolean {
  let rest = source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]])*\]/g, '');
  for (let last = ''; last !== rest;) {
    last = rest;
    rest = rest.replaceAll(/\([^()]*\)/g, '');
  }
  return rest.includes('|');
}

/** Reads a class that must be there: `[a-z]{8}`, `\\w+`. */
export function classAt(source: string, flags: string): RepeatedClass | undefined {
  const match = /^(\[(?:\\[^]|[^\\\]])*\]|\\[wd])(?:(\+)|\{([1-9]\d*)(?:,\d*)?\}|(?![?*{]))/.exec(
    source,
  );
  const text = match?.[1];
  // Those with characters outside of ASCII, which the flags `u` and `v` add, are left to the pattern.
  if (text === undefined || /[uv]/.test(flags) || /^\[\^|\\[sSWDbBux]|[^ -~]/.test(text))
    return undefined;
  return { table: tableOf(text, flags.includes('i') ? 'i' : ''), count: Number(match?.[3] ?? 1) };
}

/** Tables by their classes: hundreds of rules share a few. */
const tables = new Map<string, Uint8Array>();

function tableOf(text: string, flags: string): Uint8Array {
  const key = `${flags}${text}`;
  let table = tables.get(key);
  if (!table) {
    const pattern = new RegExp(text, flags);
    table = Uint8Array.from({ length: 128 }, (_, code) =>
      pattern.test(String.fromCharCode(code)) ? 1 : 0,
    );
    tables.set(key, table);
  }
  return table;
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

/** Returns the place after the group that begins at a place. */
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
