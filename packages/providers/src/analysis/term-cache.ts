import { normalize, withSignsAsLetters } from './terms.ts';
import type { TermTexts } from './text-analyzer.ts';

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

/**
 * Checks whether an ASCII character is in a piece, which is between characters in no word; all others are. Most pieces are
 * one word, and found fast.
 */
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
 * @param termsOf - The terms of a normalised text; ASCII characters in no word must cut them.
 */
export function rememberedTerms(
  termsOf: (text: string) => PieceTerms,
): (text: string) => TermTexts {
  let cutter: TermCutter | undefined;
  return (original) => {
    const text = withSignsAsLetters(normalize(original).text);
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

/**
 * The first value of a hash, and its factor for each unit (FNV-1a). It is 0x811c9dc5 as a signed integer,
 * as all that follow are: V8 makes slower code, and makes it again, where a number may be of either kind.
 */
const HASH_START: number = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** Returns the hash of a part, with one more UTF-16 unit. */
function hashWith(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, HASH_PRIME);
}

/** A part of a text, in UTF-16 units. */
interface TextPart {
  readonly units: Uint16Array;
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

/** Where terms begin that are added to others. */
interface TermPlace {
  readonly line: number;
  readonly extra: number;
}

/** Terms with a position and others, each with spaces between them. */
class TermUnits {
  readonly line: UnitBuffer = new UnitBuffer();
  readonly extra: UnitBuffer = new UnitBuffer();

  clear(): void {
    this.line.clear();
    this.extra.clear();
  }

  /** Where terms begin that are added next. */
  next(): TermPlace {
    return { line: this.line.next, extra: this.extra.next };
  }
}

/** An entry: the hash of its part, where its units begin, and how many the part, its line and its extra terms have. */
const FIELDS = 5;

/**
 * Remembers the terms of parts of texts. A part is found where it is in its text, by its hash: cutting it out
 * first takes longer than all else. The newest of the parts with one place in the table is cached, and where there
 * is no room for more units, all begins again.
 */
class RememberedParts {
  readonly #table: Int32Array;
  readonly #mask: number;
  /** The units of the parts, each followed by its terms. */
  readonly #pool: Uint16Array;
  #used = 0;

  /**
   * @param bits - It has room for two to the power of this many parts.
   * @param units - And for this many units, of parts and terms together.
   */
  constructor(bits: number, units: number) {
    this.#table = new Int32Array(FIELDS * 2 ** bits);
    this.#mask = 2 ** bits - 1;
    this.#pool = new Uint16Array(units);
  }

  /** Adds the terms of a part to others; false if they are not known. */
  find(units: Uint16Array, start: number, end: number, hash: number, into: TermUnits): boolean {
    const table = this.#table;
    const pool = this.#pool;
    const place = this.#placeOf(hash);
    const length = end - start;
    if (table[place] !== hash || table[place + 2] !== length) return false;
    const from = table[place + 1] ?? 0;
    for (let at = 0; at < length; at++) {
      if (units[start + at] !== pool[from + at]) return false;
    }
    const line = from + length;
    const extra = line + (table[place + 3] ?? 0);
    into.line.addUnits(pool, line, extra);
    into.extra.addUnits(pool, extra, extra + (table[place + 4] ?? 0));
    return true;
  }

  /**
   * @param terms - Those of the part are at their end.
   * @param from - Where they begin.
   */
  remember({ units, start, end, hash }: TextPart, terms: TermUnits, from: TermPlace): void {
    const part = units.subarray(start, end);
    const line = endOf(terms.line, from.line);
    const extra = endOf(terms.extra, from.extra);
    const length = part.length + line.length + extra.length;
    if (length > this.#pool.length) return;
    if (this.#used + length > this.#pool.length) {
      this.#table.fill(0);
      this.#used = 0;
    }
    const entry = [hash, this.#used, part.length, line.length, extra.length];
    this.#table.set(entry, this.#placeOf(hash));
    for (const own of [part, line, extra]) {
      this.#pool.set(own, this.#used);
      this.#used += own.length;
    }
  }

  /** The upper bits of a hash differ more than the lower ones. */
  #placeOf(hash: number): number {
    return FIELDS * ((hash ^ (hash >>> 15)) & this.#mask);
  }
}

function endOf({ units, length }: UnitBuffer, from: number): Uint16Array {
  return units.subarray(Math.min(from, length), length);
}

const IS_BIG = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0;
const FIRST_ROOM = 4096;
/** More room is not kept for the next text. */
const KEPT_ROOM = 1 << 20;
const SPACE = 32;

/** UTF-16 units that grow in number: reading and copying them here takes a fraction of what it takes in strings. */
class UnitBuffer {
  units: Uint16Array<ArrayBuffer> = new Uint16Array(FIRST_ROOM);
  length = 0;

  clear(): void {
    this.length = 0;
    if (this.units.length > KEPT_ROOM) this.units = new Uint16Array(FIRST_ROOM);
  }

  add(text: string): void {
    this.#reserve(text.length);
    const own = Buffer.from(this.units.buffer, 2 * this.length, 2 * text.length);
    own.write(text, 'utf16le');
    if (IS_BIG) own.swap16();
    this.length += text.length;
  }

  /** Adds a text, after a space if anything is before it. */
  addWord(text: string): void {
    if (text === '') return;
    this.#reserve(1);
    if (this.length > 0) this.units[this.length++] = SPACE;
    this.add(text);
  }

  /** The same for units of another buffer. */
  addUnits(from: Uint16Array, start: number, end: number): void {
    if (start === end) return;
    this.#reserve(end - start + 1);
    const { units } = this;
    let { length } = this;
    if (length > 0) units[length++] = SPACE;
    for (let at = start; at < end; at++) units[length++] = from[at] ?? 0;
    this.length = length;
  }

  /** Where units that are added begin, after the space. */
  get next(): number {
    return this.length === 0 ? 0 : this.length + 1;
  }

  /** Returns a copy of some of the units. */
  slice(start: number, end: number): string {
    const units = this.units.subarray(start, end);
    let all = 0;
    for (let at = 0; at < units.length; at++) all |= units[at] ?? 0;
    if (all < 256) return Buffer.from(units).toString('latin1');
    const bytes = Buffer.from(units.buffer, units.byteOffset, units.byteLength);
    if (!IS_BIG) return bytes.toString('utf16le');
    return Buffer.from(bytes).swap16().toString('utf16le');
  }

  #reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.units.length) return;
    const units = new Uint16Array(Math.max(needed, 2 * this.units.length));
    units.set(this.units.subarray(0, this.length));
    this.units = units;
  }
}
