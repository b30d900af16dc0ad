import { normalize } from './normalize.ts';
import { rememberedValues } from './remembered-values.ts';
import type { TermTexts } from './text-analyzer.ts';

/** How many pieces are remembered, once and as older ones, and how long they are at most. */
const PIECES_KEPT = 20_000;
const LONGEST_PIECE = 64;

/** The same for lines: those of a file come again with each of its edits. */
const LINES_KEPT = 4000;
const LONGEST_LINE = 300;
/** Shorter texts are seldom made of lines that were there before. */
const LINES_FROM = 1000;

/** Pieces between ASCII characters that stand in no word: most are one word, and found fast. */
export const PIECES: RegExp = /[\w\u0080-\uffff]+/g;

/** The terms of a piece: those with a position and the others, each joined by spaces. */
export interface PieceTerms {
  readonly line: string;
  readonly extra: string;
}

/**
 * Gives the terms of texts, and remembers those of words and lines: most words of a text have been seen before.
 *
 * @param termsOf - The terms of a normalised text; ASCII characters that stand in no word must cut them.
 */
export function rememberedTerms(
  termsOf: (text: string) => PieceTerms,
): (text: string) => TermTexts {
  const pieceTerms = rememberedValues(PIECES_KEPT, LONGEST_PIECE, termsOf);
  const addPieces = (text: string, line: string[], extra: string[]): void => {
    for (const piece of text.match(PIECES) ?? []) {
      const terms = pieceTerms(piece);
      if (terms.line !== '') line.push(terms.line);
      if (terms.extra !== '') extra.push(terms.extra);
    }
  };
  const lineTerms = rememberedValues(LINES_KEPT, LONGEST_LINE, (text): PieceTerms => {
    const line: string[] = [];
    const extra: string[] = [];
    addPieces(text, line, extra);
    return { line: line.join(' '), extra: extra.join(' ') };
  });
  return (text) => {
    const normal = normalize(text).text;
    const line: string[] = [];
    const extra: string[] = [];
    if (normal.length < LINES_FROM) addPieces(normal, line, extra);
    else {
      for (const part of normal.split('\n')) {
        const terms = lineTerms(part);
        if (terms.line !== '') line.push(terms.line);
        if (terms.extra !== '') extra.push(terms.extra);
      }
    }
    return { line, extra };
  };
}
