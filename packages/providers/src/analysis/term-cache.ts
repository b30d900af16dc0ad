import { normalize } from './normalize.ts';
import { HASH_START, hashWith, RememberedParts, TermUnits } from './part-cache.ts';
import type { TermTexts } from './text-analyzer.ts';
import { UnitBuffer } from './unit-buffer.ts';

/** How many pieces are remembered, as a power of two, with how many units, and how long they are at most. */
const PIECE_BITS = 16;
const PIECE_UNITS = 1 << 21;
const LONGEST_PIECE = 64;

/** The same for lines: those of a file come again with each of its edits. */
const LINE_BITS = 13;
const LINE_UNITS = 1 << 20;
const LONGEST_LINE = 300;
/** Shorter texts are seldom made of lines that were there before. */
const LINES_FROM = 1000;

/** Pieces between ASCII characters that stand in no word: most are one word, and found fast. */
export const PIECES: RegExp = /[\w\u0080-\uffff]+/g;

/** Whether an ASCII character stands in a piece; all others do. */
export const IN_PIECE: Uint8Array = Uint8Array.from({ length: 128 }, (_, unit) =>
  /\w/.test(String.fromCharCode(unit)) ? 1 : 0,
);

const NEWLINE = 10;

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
  let cutter: TermCutter | undefined;
  return (original) => {
    const { text } = normalize(original);
    cutter ??= new TermCutter(termsOf);
    return cutter.cut(text);
  };
}

class TermCutter {
  readonly #termsOf: (text: string) => PieceTerms;
  readonly #pieces = new RememberedParts(PIECE_BITS, PIECE_UNITS);
  readonly #lines = new RememberedParts(LINE_BITS, LINE_UNITS);
  /** The hashes of lines that came once: most never come again, and remembering takes time. */
  readonly #once = new Int32Array(2 ** LINE_BITS);
  readonly #text = new UnitBuffer();
  readonly #terms = new TermUnits();

  constructor(termsOf: (text: string) => PieceTerms) {
    this.#termsOf = termsOf;
  }

  cut(text: string): TermTexts {
    try {
      this.#text.add(text);
      if (text.length < LINES_FROM) this.#addPieces(0, text.length);
      else this.#addLines();
      const { line, extra } = this.#terms;
      return { line: asList(line), extra: asList(extra) };
    } finally {
      this.#text.clear();
      this.#terms.clear();
    }
  }

  #addLines(): void {
    const { units, length } = this.#text;
    for (let at = 0; at < length;) {
      const start = at;
      let hash = HASH_START;
      for (; at < length; at++) {
        const unit = units[at] ?? 0;
        if (unit === NEWLINE) break;
        hash = hashWith(hash, unit);
      }
      if (at - start > LONGEST_LINE) this.#addPieces(start, at);
      else if (at > start) this.#addLine(start, at, hash);
      at++;
    }
  }

  #addLine(start: number, end: number, hash: number): void {
    const { units } = this.#text;
    if (this.#lines.find(units, start, end, hash, this.#terms)) return;
    const place = hash & (this.#once.length - 1);
    if (this.#once[place] === hash) {
      const from = this.#terms.next();
      this.#addPieces(start, end);
      this.#lines.remember({ units, start, end, hash }, this.#terms, from);
    } else {
      this.#once[place] = hash;
      this.#addPieces(start, end);
    }
  }

  #addPieces(from: number, to: number): void {
    const { units } = this.#text;
    for (let at = from; at < to;) {
      const start = at;
      let hash = HASH_START;
      for (; at < to; at++) {
        const unit = units[at] ?? 0;
        if (unit < 128 && IN_PIECE[unit] === 0) break;
        hash = hashWith(hash, unit);
      }
      if (at > start && !this.#pieces.find(units, start, at, hash, this.#terms)) {
        this.#addNew(start, at, hash);
      }
      at++;
    }
  }

  /** Adds the terms of a piece that is not known. */
  #addNew(start: number, end: number, hash: number): void {
    const { line, extra } = this.#termsOf(this.#text.slice(start, end));
    const from = this.#terms.next();
    this.#terms.line.addWord(line);
    this.#terms.extra.addWord(extra);
    if (end - start > LONGEST_PIECE) return;
    this.#pieces.remember({ units: this.#text.units, start, end, hash }, this.#terms, from);
  }
}

function asList(units: UnitBuffer): readonly string[] {
  return units.length === 0 ? [] : [units.slice(0, units.length)];
}
