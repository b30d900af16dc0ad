const SPACE = /\s/gu;

/** Whether a token can begin here: at the beginning of the query or behind a space. */
export function isTokenStart(source: string, at: number): boolean {
  return at === 0 || isSpace(source.charAt(at - 1));
}

/** Spaces, also the full-width one. */
export function isSpace(character: string): boolean {
  return character !== '' && character.trim() === '';
}

/** Where the token that stands here ends: at the next space or the end of the query. */
export function tokenEnd(source: string, at: number): number {
  SPACE.lastIndex = at;
  return SPACE.exec(source)?.index ?? source.length;
}

/** What stands in quotes. */
export interface Quoted {
  readonly text: string;
  /** Behind the closing quote. */
  readonly end: number;
}

/** Quotes of one set close each other: input methods mix them. `「」` quote speech, not phrases. */
const QUOTE_SETS = [/["＂]/gu, /[“”]/gu];

/** The quoted text that begins here; nothing if the quote is not closed or holds only spaces. */
export function readQuoted(source: string, at: number): Quoted | undefined {
  for (const quote of QUOTE_SETS) {
    quote.lastIndex = at;
    if (quote.exec(source)?.index !== at) continue;
    const close = quote.exec(source)?.index;
    const text = close === undefined ? '' : source.slice(at + 1, close).trim();
    return close === undefined || text === '' ? undefined : { text, end: close + 1 };
  }
  return undefined;
}
