import { normalize } from './normalize.ts';
import { cutOut, HASH_START, hashWith, RememberedParts } from './remembered-parts.ts';
import type { TermTexts } from './text-analyzer.ts';

/** How many pieces are remembered, as a power of two, and how long they are at most. */
const PIECE_BITS = 15;
const LONGEST_PIECE = 64;

/** The same for lines: those of a file come again with each of its edits. */
const LINE_BITS = 13;
const LONGEST_LINE = 300;
/** Shorter texts are seldom made of lines that were there before. */
const LINES_FROM = 1000;

/** Pieces between ASCII characters that stand in no word: most are one word, and found fast. */
export const PIECES: RegExp = /[\w\u0080-\uffff]+/g;

/** Whether an ASCII character stands in a piece; all others do. */
const IN_PIECE = Array.from({ length: 128 }, (_, unit) => /\w/.test(String.fromCharCode(unit)));
const LINE_FEED = 10;

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
  const pieces = new RememberedParts<PieceTerms>(PIECE_BITS);
  const lines = new RememberedParts<PieceTerms>(LINE_BITS);
  /** The hashes of lines that came once: most never come again, and remembering takes time. */
  const once = new Int32Array(2 ** LINE_BITS);

  function pieceTerms(text: string, start: number, end: number, hash: number): PieceTerms {
    const known = pieces.find(text, start, end, hash);
    if (known) return known;
    if (end - start > LONGEST_PIECE) return termsOf(text.slice(start, end));
    const piece = cutOut(text, start, end);
    const terms = termsOf(piece);
    pieces.remember(piece, hash, terms);
    return terms;
  }

  function addPieces(text: string, from: number, to: number, into: TermLists): void {
    for (let at = from; at < to;) {
      const start = at;
      let hash = HASH_START;
      for (; at < to; at++) {
        const unit = text.charCodeAt(at);
        if (unit < 128 && !IN_PIECE[unit]) break;
        hash = hashWith(hash, unit);
      }
      if (at > start) add(pieceTerms(text, start, at, hash), into);
      at++;
    }
  }

  function addLine(text: string, start: number, end: number, hash: number, into: TermLists): void {
    const known = lines.find(text, start, end, hash);
    if (known) {
      add(known, into);
      return;
    }
    const place = hash & (once.length - 1);
    const isAgain = once[place] === hash;
    once[place] = hash;
    if (!isAgain || end - start > LONGEST_LINE) {
      addPieces(text, start, end, into);
      return;
    }
    const own: TermLists = { line: [], extra: [] };
    addPieces(text, start, end, own);
    const terms = { line: own.line.join(' '), extra: own.extra.join(' ') };
    lines.remember(cutOut(text, start, end), hash, terms);
    add(terms, into);
  }

  return (original) => {
    const { text } = normalize(original);
    const into: TermLists = { line: [], extra: [] };
    if (text.length < LINES_FROM) {
      addPieces(text, 0, text.length, into);
      return into;
    }
    for (let at = 0; at < text.length;) {
      const start = at;
      let hash = HASH_START;
      for (; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit === LINE_FEED) break;
        hash = hashWith(hash, unit);
      }
      if (at > start) addLine(text, start, at, hash, into);
      at++;
    }
    return into;
  };
}

interface TermLists {
  readonly line: string[];
  readonly extra: string[];
}

function add({ line, extra }: PieceTerms, into: TermLists): void {
  if (line !== '') into.line.push(line);
  if (extra !== '') into.extra.push(extra);
}
