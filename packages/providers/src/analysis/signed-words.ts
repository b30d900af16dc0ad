/**
 * Signs that are a part of a word: `C++`, `C#`, `.NET`, `.env`. While a text is cut they are letters of private use, which
 * no other sign is taken for, and which every index takes for letters.
 */
const PLUS = '\ue02b';
const SHARP = '\ue023';
const DOT = '\ue02e';
const SIGN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['++', PLUS + PLUS],
  ['#', SHARP],
  ['.', DOT],
]);

/**
 * `++` after a letter, `#` after a single one, and a dot before a word that follows neither a word nor the end of a call.
 * A sign is looked for first: most characters are none.
 */
const SIGNS =
  /\+\+(?<=[a-z]\+\+)(?!\+)|#(?<=(?<![\w#])[a-z]#)(?![a-z#])|\.(?<=(?:^|[^\w.)\]}"'`*?])\.)(?=[a-z])/gi;

/** Returns a text of the same length with the signs that are a part of a word as letters. */
export function withSignsAsLetters(text: string): string {
  return text.replace(SIGNS, (signs) => SIGN_LETTERS.get(signs) ?? signs);
}

/** The signs before and after a word, in a pattern. */
export const BEFORE_WORD: string = `${DOT}?`;
export const AFTER_WORD: string = `(?:${PLUS}{2}|${SHARP})?`;

/** A word and the signs around it. */
export interface SignedWord {
  readonly word: string;
  /** Length of the signs before it. */
  readonly before: number;
  /** The signs after it, as letters. */
  readonly after: string;
}

/** Returns a word without its signs; `undefined` if it has none. */
export function signedWord(text: string): SignedWord | undefined {
  const before = text.startsWith(DOT) ? 1 : 0;
  const after = text.endsWith(PLUS) ? 2 : text.endsWith(SHARP) ? 1 : 0;
  if (before === 0 && after === 0) return undefined;
  const end = text.length - after;
  return { word: text.slice(before, end), before, after: text.slice(end) };
}
