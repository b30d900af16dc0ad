import { normalize } from './normalize.ts';
import { RememberedLines } from './remembered-lines.ts';
import { cutOut, HASH_START, hashWith, RememberedParts } from './remembered-parts.ts';
import { joinedTerms, type TermTexts } from './text-analyzer.ts';

/** How many pieces are remembered, as a power of two, and how long they are at most. */
const PIECE_BITS = 15;
const LONGEST_PIECE = 64;

/** How many lines are remembered, once and as older ones: those of a file come again with each of its edits. */
const LINES_KEPT = 4000;
const LONGEST_LINE = 300;
/** Shorter texts are seldom made of lines that were there before. */
const LINES_FROM = 1000;

/** How many longer texts are remembered, and how long they are at most: a file comes with a plan and with its edit. */
const TEXTS_KEPT = 16;
const LONGEST_TEXT = 65_536;

/** Pieces between ASCII characters that stand in no word: most are one word, and found fast. */
export const PIECES: RegExp = /[\w\u0080-\uffff]+/g;

/** Whether an ASCII character stands in a piece; all others do. */
const IN_PIECE = Array.from({ length: 128 }, (_, unit) => /\w/.test(String.fromCharCode(unit)));

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
  const lines = new RememberedLines<PieceTerms>(LINES_KEPT);
  /** Of long texts, the oldest first. */
  const texts = new Map<string, TermTexts>();

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

  function addLine(text: string, start: number, end: number, into: TermLists): void {
    if (end - start > LONGEST_LINE) {
      addPieces(text, start, end, into);
      return;
    }
    const part = text.slice(start, end);
    const known = lines.find(part);
    if (known) add(known, into);
    else if (!lines.isAgain(part)) addPieces(text, start, end, into);
    else {
      const own: TermLists = { line: [], extra: [] };
      addPieces(text, start, end, own);
      const terms = { line: own.line.join(' '), extra: own.extra.join(' ') };
      lines.remember(part, terms);
      add(terms, into);
    }
  }

  function lineTerms(text: string): TermLists {
    const into: TermLists = { line: [], extra: [] };
    for (let start = 0; start < text.length;) {
      const found = text.indexOf('\n', start);
      const end = found === -1 ? text.length : found;
      if (end > start) addLine(text, start, end, into);
      start = end + 1;
    }
    return into;
  }

  return (original) => {
    const known = original.length < LINES_FROM ? undefined : texts.get(original);
    if (known) return known;
    const { text } = normalize(original);
    if (text.length < LINES_FROM) {
      const into: TermLists = { line: [], extra: [] };
      addPieces(text, 0, text.length, into);
      return into;
    }
    const terms = lineTerms(text);
    if (original.length > LONGEST_TEXT) return terms;
    const joined = joinedTerms(terms);
    texts.set(original, joined);
    const [oldest] = texts.keys();
    if (texts.size > TEXTS_KEPT && oldest !== undefined) texts.delete(oldest);
    return joined;
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
