import { UnitBuffer } from './unit-buffer.ts';

/**
 * What a hash begins with, and is multiplied by for each unit (FNV-1a). It is 0x811c9dc5 as a signed integer,
 * as all that follow are: V8 makes slower code, and makes it again, where a number may be of either kind.
 */
export const HASH_START: number = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** The hash of a part, with one more UTF-16 unit. */
export function hashWith(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, HASH_PRIME);
}

/** A part of a text, in UTF-16 units. */
export interface TextPart {
  readonly units: Uint16Array;
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

/** Where terms begin that are added to others. */
export interface TermPlace {
  readonly line: number;
  readonly extra: number;
}

/** Terms with a position and others, each with spaces between them. */
export class TermUnits {
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
 * Remembers the terms of parts of texts. A part is found where it stands in its text, by its hash: cutting it out
 * first takes longer than all else. Of parts with one place in the table the newest is remembered, and where there
 * is no room for more units, all begins anew.
 */
export class RememberedParts {
  readonly #table: Int32Array;
  readonly #mask: number;
  /** The units of the parts, each followed by its terms. */
  readonly #pool: Uint16Array;
  #used = 0;

  /**
   * @param bits - It has room for two to the power of so many parts.
   * @param units - And for so many units, of parts and terms together.
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
