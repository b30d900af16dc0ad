import { normalize } from './normalize.ts';
import type { TermTexts } from './text-analyzer.ts';

/** How many pieces are remembered, once and as older ones, and how long they are at most. */
const REMEMBERED = 20_000;
const MAX_LENGTH = 64;

/** Pieces between ASCII characters that stand in no word: most are one word, and found fast. */
const PIECES = /[\w\u0080-\uffff]+/g;

/** The terms of a piece: those with a position and the others, each joined by spaces. */
export interface PieceTerms {
  readonly line: string;
  readonly extra: string;
}

/**
 * Gives the terms of texts, and remembers those of words: most words of a text have been seen before.
 *
 * @param termsOf - The terms of a normalised text; ASCII characters that stand in no word must cut them.
 */
export function rememberedTerms(
  termsOf: (text: string) => PieceTerms,
): (text: string) => TermTexts {
  let known = new Map<string, PieceTerms>();
  let older = new Map<string, PieceTerms>();
  const find = (piece: string): PieceTerms => {
    if (piece.length > MAX_LENGTH) return termsOf(piece);
    const own = copyOf(piece);
    const terms = older.get(piece) ?? termsOf(own);
    if (known.size >= REMEMBERED) {
      // Those that come again and again are taken over when they do.
      older = known;
      known = new Map();
    }
    known.set(own, terms);
    return terms;
  };
  return (text) => {
    const line: string[] = [];
    const extra: string[] = [];
    for (const piece of normalize(text).text.match(PIECES) ?? []) {
      const terms = known.get(piece) ?? find(piece);
      if (terms.line !== '') line.push(terms.line);
      if (terms.extra !== '') extra.push(terms.extra);
    }
    return { line, extra };
  };
}

/** A part of a text keeps the whole text in memory; a copy does not. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
